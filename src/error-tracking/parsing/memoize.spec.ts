import { describe, expect, it } from '@jest/globals';
import { memoize } from './memoize.js';

function counting(): { asked: string[]; length: (text: string) => number } {
  const asked: string[] = [];
  const length = memoize((text) => {
    asked.push(text);
    return text.length;
  });
  return { asked, length };
}

describe('a function with a memory', () => {
  it('computes the answer for a text once', () => {
    const { asked, length } = counting();
    expect([length('save'), length('save'), length('')]).toEqual([4, 4, 0]);
    expect(asked).toEqual(['save', '']);
  });

  it('keeps nothing of long texts', () => {
    const { asked, length } = counting();
    const long = 'x'.repeat(300);
    expect([length(long), length(long)]).toEqual([300, 300]);
    expect(asked).toHaveLength(2);
  });

  it('forgets everything above its limit', () => {
    const { asked, length } = counting();
    for (let number = 0; number <= 5_000; number += 1) length(String(number));
    length('0');
    expect(asked.filter((text) => text === '0')).toHaveLength(2);
  });
});
