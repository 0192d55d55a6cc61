import { describe, expect, it } from '@jest/globals';
import { instantOf, occurrenceOf } from './event-values.js';

const RECEIVED_AT = new Date('2026-03-01T10:00:00Z');

function occurrence(timestamp: unknown, sentAt: string | null = null): string {
  const sent = sentAt === null ? null : new Date(sentAt);
  return occurrenceOf(timestamp, { sentAt: sent, receivedAt: RECEIVED_AT }).toISOString();
}

describe('an instant', () => {
  it.each<[unknown, string | undefined]>([
    [1630945472.13, '2021-09-06T16:24:32.130Z'],
    ['1630945472.13', '2021-09-06T16:24:32.130Z'],
    ['2021-09-06T16:24:32', '2021-09-06T16:24:32.000Z'],
    ['2021-09-06 16:24:32.123456', '2021-09-06T16:24:32.123Z'],
    ['2021-09-06T18:24:32.123456789+02:00', '2021-09-06T16:24:32.123Z'],
    ['2021-09-06T16:24:32z', '2021-09-06T16:24:32.000Z'],
    ['2021-09-06 16:24:32 UTC', '2021-09-06T16:24:32.000Z'],
    ['2021-13-06T16:24:32Z', undefined],
    ['event 1', undefined],
    ['', undefined],
    [Number.MAX_VALUE, undefined],
    [null, undefined],
    [{}, undefined],
  ])('%j is %s', (value, expected) => {
    expect(instantOf(value)?.toISOString()).toBe(expected);
  });
});

describe('when an event happened', () => {
  it.each<[string, unknown, string | null, string]>([
    ['as it says', '2026-03-01T09:59:00Z', null, '2026-03-01T09:59:00.000Z'],
    ['when it came without saying', undefined, null, '2026-03-01T10:00:00.000Z'],
    ['a little ahead', '2026-03-01T10:00:30Z', null, '2026-03-01T10:00:30.000Z'],
    ['not in the future', '2026-03-01T10:01:01Z', null, '2026-03-01T10:00:00.000Z'],
    ['up to 30 days ago', '2026-01-30T10:00:00Z', null, '2026-01-30T10:00:00.000Z'],
    ['not before that', '2026-01-30T09:59:59Z', null, '2026-03-01T10:00:00.000Z'],
    [
      'by a clock that is hours late',
      '2026-03-01T06:59:00Z',
      '2026-03-01T07:00:00Z',
      '2026-03-01T09:59:00.000Z',
    ],
    [
      'by a clock that is years early',
      '2031-03-01T09:58:00Z',
      '2031-03-01T10:00:00Z',
      '2026-03-01T09:58:00.000Z',
    ],
    [
      'by a clock that is right enough',
      '2026-03-01T09:55:00Z',
      '2026-03-01T09:56:00Z',
      '2026-03-01T09:55:00.000Z',
    ],
  ])('is %s', (...[, timestamp, sentAt, expected]) => {
    expect(occurrence(timestamp, sentAt)).toBe(expected);
  });
});
