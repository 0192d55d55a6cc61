import { describe, expect, it } from '@jest/globals';
import type { GitAnswer } from './read-git.js';
import { GitResultCache } from './git-result-cache.js';

function answer(length: number): GitAnswer {
  return { code: 0, stdout: Buffer.alloc(length), stderr: '' };
}

describe('GitResultCache', () => {
  it('keeps what was used last within its bound', () => {
    const recent = new GitResultCache({ bytes: 40, bytesPerAnswer: 20 });
    recent.keep('a', answer(10));
    recent.keep('b', answer(10));
    recent.keep('c', answer(10));
    expect(recent.find('a')?.stdout).toHaveLength(10);
    recent.keep('d', answer(10));
    expect(['a', 'b', 'c', 'd'].map((key) => recent.find(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('does not keep what is too long, and counts a renewed answer once', () => {
    const recent = new GitResultCache({ bytes: 40, bytesPerAnswer: 20 });
    recent.keep('long', answer(20));
    expect(recent.find('long')).toBeUndefined();
    for (let time = 0; time < 9; time += 1) recent.keep('a', answer(15));
    recent.keep('b', answer(15));
    expect(recent.find('a')).toBeDefined();
    expect(recent.find('b')).toBeDefined();
  });
});
