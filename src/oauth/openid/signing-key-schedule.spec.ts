import { describe, expect, it } from '@jest/globals';
import { dueKeyStart, keyStateAt, publishedAt, signingKeyAt } from './signing-key-schedule.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function day(number: number, minutes = 0): Date {
  return new Date(Date.UTC(2026, 0, 1) + number * DAY_MS + minutes * MINUTE_MS);
}

function keys(...starts: number[]): { activeFrom: Date }[] {
  return starts.map((start) => ({ activeFrom: day(start) }));
}

describe('the schedule of signing keys', () => {
  it('wants a first key at once', () => {
    expect(dueKeyStart([], day(0))).toEqual(day(0));
  });

  it('wants the next key one day before the 90 days of the newest are over', () => {
    expect(dueKeyStart(keys(0), day(88))).toBeNull();
    expect(dueKeyStart(keys(0), day(89))).toEqual(day(90));
    expect(dueKeyStart(keys(0, 90), day(89, 1))).toBeNull();
  });

  it('publishes a late key for a day, too, before it signs', () => {
    expect(dueKeyStart(keys(0), day(300))).toEqual(day(301));
    expect(signingKeyAt(keys(0, 301), day(300))).toEqual({ activeFrom: day(0) });
  });

  it('lets exactly one key sign at any time', () => {
    const both = keys(0, 90);
    expect(signingKeyAt(both, day(89, 1439))).toBe(both[0]);
    expect(signingKeyAt(both, day(90))).toBe(both[1]);
    expect(signingKeyAt([], day(0))).toBeUndefined();
  });

  it('lets the first key sign for a process whose clock is behind', () => {
    const first = keys(1);
    expect(signingKeyAt(first, day(0))).toBe(first[0]);
  });

  it('publishes a key until the last token that it signed is past', () => {
    const both = keys(0, 90);
    expect(publishedAt(both, day(89))).toEqual(both);
    expect(publishedAt(both, day(90, 61))).toEqual(both);
    expect(publishedAt(both, day(90, 62))).toEqual(both.slice(1));
  });

  it('names what each key is for', () => {
    const all = keys(0, 90, 180);
    const states = all.map((key) => keyStateAt(key, all, day(100)));
    expect(states).toEqual(['former', 'signing', 'next']);
  });
});
