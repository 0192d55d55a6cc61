import { describe, expect, it } from '@jest/globals';
import {
  cutText,
  cutTextOf,
  environmentName,
  firstCharacters,
  textOf,
} from './alert-attributes.js';
import { hostsOf } from './payload.js';

const CLEF = '\u{1d11e}';

describe('textOf', () => {
  it.each([
    ['a', 'a'],
    [' a ', ' a '],
    [123, '123'],
    [0, '0'],
    [1.5, '1.5'],
    [true, 'true'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
    [['a', 1], '["a",1]'],
    ['', null],
    [' \t\n\u00a0', null],
    [false, null],
    [null, null],
    [undefined, null],
  ])('makes of %p the text %p', (value, expected) => {
    expect(textOf(value)).toBe(expected);
  });
});

describe('cutText', () => {
  it('leaves a text of the greatest length alone', () => {
    expect(cutText('x'.repeat(200), 200)).toBe('x'.repeat(200));
  });

  it('cuts a longer one so that the mark fits in', () => {
    expect(cutText('x'.repeat(201), 200)).toBe(`${'x'.repeat(197)}...`);
    expect(cutTextOf({ a: 'x'.repeat(99) }, 10)).toBe('{"a":"x...');
  });

  it('counts characters and halves none', () => {
    expect(cutText(CLEF.repeat(10), 10)).toBe(CLEF.repeat(10));
    expect(cutText(CLEF.repeat(11), 10)).toBe(`${CLEF.repeat(7)}...`);
    expect(firstCharacters(`a${CLEF}b`, 2)).toBe(`a${CLEF}`);
  });
});

describe('environmentName', () => {
  it('is the name as it is, or nothing when no environment can have it', () => {
    expect(environmentName('review/login')).toBe('review/login');
    expect(environmentName('x'.repeat(255))).toHaveLength(255);
    expect(['', '  ', null, 'x'.repeat(256)].map(environmentName)).toEqual(Array(4).fill(null));
  });
});

describe('hostsOf', () => {
  it.each([
    ['web01', ['web01']],
    [
      ['a', ['b', [['c']]]],
      ['a', 'b', 'c'],
    ],
    [
      [1, true, { name: 'db' }],
      ['1', 'true', '{"name":"db"}'],
    ],
    [
      ['a', '', ' ', null, false, [], 'b'],
      ['a', 'b'],
    ],
    [42, ['42']],
    [[], []],
    ['', []],
    [undefined, []],
    [null, []],
  ])('reads %p', (value, expected) => {
    expect(hostsOf(value)).toEqual(expected);
  });

  it('cuts the host that exceeds the room and drops what follows', () => {
    const hosts = hostsOf(['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100)));
    expect(hosts).toEqual(['a'.repeat(100), 'b'.repeat(100), 'c'.repeat(55)]);
  });

  it('gives each host its room in characters', () => {
    expect(hostsOf([CLEF.repeat(254), CLEF.repeat(2), 'x'])).toEqual([CLEF.repeat(254), CLEF]);
  });
});
