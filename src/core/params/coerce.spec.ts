import { describe, expect, it } from '@jest/globals';
import {
  INVALID,
  toBoolean,
  toDate,
  toDateTime,
  toInteger,
  toList,
  toNumber,
  toText,
} from './coerce.js';

describe('integers', () => {
  it.each([
    [7, 7],
    ['7', 7],
    ['-1', -1],
    ['', null],
    [null, null],
    ['7.5', INVALID],
    [7.5, INVALID],
    ['abc', INVALID],
    ['99999999999999999999', INVALID],
    [true, INVALID],
    [['7'], INVALID],
  ])('reads %p as %p', (raw, expected) => {
    expect(toInteger(raw)).toBe(expected);
  });
});

describe('numbers', () => {
  it.each([
    [87.5, 87.5],
    ['87.5', 87.5],
    ['-3', -3],
    ['', null],
    [null, null],
    ['1e3', INVALID],
    ['NaN', INVALID],
    [Infinity, INVALID],
    [true, INVALID],
  ])('reads %p as %p', (raw, expected) => {
    expect(toNumber(raw)).toBe(expected);
  });
});

describe('booleans', () => {
  it.each(['1', 'on', 't', 'true', 'y', 'yes', 'TRUE', 'Yes', true, 1])(
    'reads %p as true',
    (raw) => {
      expect(toBoolean(raw)).toBe(true);
    },
  );

  it.each(['0', 'off', 'f', 'false', 'n', 'no', 'FALSE', 'No', false, 0])(
    'reads %p as false',
    (raw) => {
      expect(toBoolean(raw)).toBe(false);
    },
  );

  it.each(['maybe', 'tRuE', 2, [], {}])('refuses %p', (raw) => {
    expect(toBoolean(raw)).toBe(INVALID);
  });
});

describe('texts', () => {
  it('writes out numbers and booleans of a JSON body', () => {
    expect([toText(5), toText(false), toText('x')]).toEqual(['5', 'false', 'x']);
  });

  it('refuses lists and hashes', () => {
    expect([toText(['x']), toText({ a: 1 })]).toEqual([INVALID, INVALID]);
  });
});

describe('dates', () => {
  it.each(['2026-02-28', '2024-02-29'])('accepts %s', (raw) => {
    expect(toDate(raw)).toBe(raw);
  });

  it.each([
    '2026-12-01T00:00:00Z',
    '2026-12-01T23:59:59.999-11:00',
    '2026-12-01T00:30:00+0200',
    '2026-12-01 10:00',
  ])('keeps the day of %s as written', (raw) => {
    expect(toDate(raw)).toBe('2026-12-01');
  });

  it.each([
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2026-12-01T25:00:00Z',
    '2026-12-01T',
    '2026-12-01x',
    '28.02.2026',
    '2026-2-1',
    '0000-00-00',
    20260228,
  ])('refuses %p', (raw) => {
    expect(toDate(raw)).toBe(INVALID);
  });

  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05.678', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ])('reads the time %s', (raw, expected) => {
    expect((toDateTime(raw) as Date).toISOString()).toBe(expected);
  });

  it.each(['yesterday', '2026-13-01T00:00:00Z', 5])('refuses the time %p', (raw) => {
    expect(toDateTime(raw)).toBe(INVALID);
  });
});

describe('lists', () => {
  it('takes arrays, indexed hashes in the order of their index, and null as empty', () => {
    expect(toList(['a', 'b'], false)).toEqual(['a', 'b']);
    expect(toList({ 1: 'b', 0: 'a' }, false)).toEqual(['a', 'b']);
    expect(toList(null, false)).toEqual([]);
    expect(toList([''], false)).toEqual([]);
  });

  it('splits text at commas only with commaSeparated', () => {
    expect(toList('a, b,', true)).toEqual(['a', 'b']);
    expect(toList('a,b', false)).toBe(INVALID);
  });

  it('refuses a hash with names', () => {
    expect(toList({ a: 1 }, false)).toBe(INVALID);
  });
});
