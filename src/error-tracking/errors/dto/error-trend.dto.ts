import { IntegerParam } from '../../../core/params/params.decorator.js';

/** Trends are kept no longer than errors that nobody sees any more. */
const MAX_DAYS = 365;

/** How far back a trend goes. */
export class ErrorTrendDto {
  /** Number of days, of which today (UTC) is the last; 30 unless given, at most 365. */
  @IntegerParam({ min: 1 })
  days?: number | null;
}

/** Days of the trend that a request asks for. */
export function daysOf({ days }: ErrorTrendDto): number {
  return Math.min(days ?? 30, MAX_DAYS);
}
