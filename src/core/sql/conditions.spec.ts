import { describe, expect, it } from '@jest/globals';
import { allOf, anyOf } from './conditions.js';

describe('SQL of conditions', () => {
  it('simplifies constants', () => {
    expect(allOf()).toBe('true');
    expect(allOf('true', 'a', 'true')).toBe('a');
    expect(allOf('a', 'false', 'b')).toBe('false');
    expect(anyOf()).toBe('false');
    expect(anyOf('a', 'true')).toBe('true');
    expect(anyOf('false', 'false')).toBe('false');
  });

  it('puts parts in parentheses', () => {
    expect(allOf('a OR b', 'c')).toBe('((a OR b) AND (c))');
    expect(anyOf('a', 'false', allOf('b', 'c'))).toBe('((a) OR (((b) AND (c))))');
  });
});
