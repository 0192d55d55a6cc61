import { describe, expect, it } from '@jest/globals';
import { toCommitTitle } from './push-events.service.js';

describe('the title of a pushed commit', () => {
  it('is the trimmed first line', () => {
    expect(toCommitTitle('\n\n  Fix it \r\n\nBecause.\n')).toBe('Fix it');
    expect(toCommitTitle('One line')).toBe('One line');
    expect(toCommitTitle('\n')).toBe('');
  });

  it('has at most 70 characters, dots included', () => {
    expect(toCommitTitle('a'.repeat(70))).toBe('a'.repeat(70));
    expect(toCommitTitle('a'.repeat(71))).toBe(`${'a'.repeat(67)}...`);
  });

  it('cuts between characters, never within one', () => {
    expect(toCommitTitle('🦀'.repeat(70))).toBe('🦀'.repeat(70));
    expect(toCommitTitle('🦀'.repeat(71))).toBe(`${'🦀'.repeat(67)}...`);
  });

  it('has no NUL', () => {
    expect(toCommitTitle('a\0b\nc')).toBe('ab');
  });
});
