import { describe, expect, it } from '@jest/globals';
import { eventTrend, TREND_HOURS } from './event-trend.js';

const NOW = new Date('2026-03-02T10:30:00Z');
const HOUR = Math.floor(NOW.getTime() / 3_600_000);

const trendOf = (hourTotals: number[] | null, totalsHour: number | null, createdAt = NOW) =>
  eventTrend({ hourTotals, totalsHour, eventCount: 30, createdAt }, NOW);

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

describe('the trend of an alert', () => {
  it('ends with the present hour', () => {
    expect(trendOf([0, 3, 3], HOUR)).toEqual([...zeros(TREND_HOURS - 3), 3, 0, 27]);
    expect(trendOf([0, 3, 3], HOUR - 1)).toEqual([...zeros(TREND_HOURS - 4), 3, 0, 27, 0]);
  });

  it('begins a day earlier', () => {
    const totals = Array.from({ length: TREND_HOURS }, (_, hour) => 6 + hour);
    const counts = Array.from({ length: TREND_HOURS }, () => 1);
    expect(trendOf(totals, HOUR)).toEqual(counts);
    expect(trendOf(totals, HOUR - 20)).toEqual([...counts.slice(20), ...zeros(20)]);
    expect(trendOf(totals, HOUR - 500)).toEqual(zeros(TREND_HOURS));
  });

  it('has the first events at the time of their coming', () => {
    const createdAt = new Date('2026-03-02T08:59:59Z');
    expect(trendOf(null, null, createdAt)).toEqual([...zeros(TREND_HOURS - 3), 30, 0, 0]);
    expect(trendOf(null, null, new Date('2026-03-01T08:00:00Z'))).toEqual(zeros(TREND_HOURS));
  });
});
