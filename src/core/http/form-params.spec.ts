import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BadRequestError } from '../errors.js';
import { parseForm } from './form-params.js';

describe('parseForm', () => {
  it.each([
    ['', {}],
    ['a=1&a=2', { a: '2' }],
    ['a', { a: '' }],
    ['a=1=2', { a: '1=2' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['a[][k]=1&a[][v]=2&a[][k]=3', { a: [{ k: '1', v: '2' }, { k: '3' }] }],
    ['a[][]=1', { a: [['1']] }],
    ['a[1]=x', { a: { 1: 'x' } }],
    ['a[=1&b]=2&[c]=3&d[e]f=4', { 'a[': '1', 'b]': '2', '[c]': '3', 'd[e]f': '4' }],
    ['&&=1&a=1&', { a: '1' }],
    ['caf%C3%A9=a+b%2B', { café: 'a b+' }],
  ])('reads %p', (text, expected) => {
    expect(parseForm(text)).toEqual(expected);
  });

  it.each(['a=1&a[b]=2', 'a[b]=1&a=2', 'a[]=1&a[b]=2', 'a[b]=1&a[]=2'])(
    'refuses a name in two forms: %s',
    (text) => {
      expect(() => parseForm(text)).toThrow(BadRequestError);
    },
  );

  it('keeps hasOwnProperty and its like as plain names', () => {
    const text = 'hasOwnProperty=1&toString[x]=2&constructor=3';
    expect(parseForm(text)).toEqual({
      hasOwnProperty: '1',
      toString: { x: '2' },
      constructor: '3',
    });
  });

  it('reads back what a form encodes, and refuses everything else without harm', () => {
    const part = fc.oneof(fc.constantFrom('a', '[', ']', '[]', '__proto__', '=', '%'), fc.string());
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        try {
          const parsed = parseForm(parts.join('&'));
          expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
        } catch (error) {
          expect(error).toBeInstanceOf(BadRequestError);
        }
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        fc.pre(!value.includes('\0'));
        expect(parseForm(`v=${encodeURIComponent(value)}`)).toEqual({ v: value });
      }),
    );
  });
});
