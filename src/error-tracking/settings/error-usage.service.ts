import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { ErrorOutcomesRepository } from '../error-outcomes.repository.js';
import { ERROR_OUTCOMES, type ErrorOutcomeKind, utcDay } from '../error-values.js';

/** Daily quantity of one kind of data with one outcome. */
export interface ErrorUsageResponse {
  /** UTC. @example "2026-03-01" */
  day: string;
  /** `accepted`, `dropped` deliberately, `refused`, or `lost_by_client`. */
  outcome: ErrorOutcomeKind;
  /** Data category, as named by the rate limits of SDKs. @example "error" */
  category: string;
  /** Reason; can be empty. @example "quota" */
  reason: string;
  /** Number of items. @example 42 */
  quantity: number;
}

/** Maximum number of days per request. */
export const MAX_USAGE_DAYS = 90;

/** Daily usage of error tracking, including events that clients discarded. */
@Injectable()
export class ErrorUsage {
  constructor(
    private readonly outcomes: ErrorOutcomesRepository,
    private readonly clock: Clock,
  ) {}

  /** The last days (UTC), today included, oldest first and without gaps: `YYYY-MM-DD`. */
  days(wanted: number): string[] {
    const now = this.clock.now();
    const number = Math.min(Math.max(1, wanted), MAX_USAGE_DAYS);
    return Array.from({ length: number }, (_, at) => utcDay(now, at + 1 - number));
  }

  /** Returns the usage of the last days, oldest first; days without data have no rows. */
  async lastDays(projectId: number, wanted: number): Promise<ErrorUsageResponse[]> {
    const days = this.days(wanted);
    const rows = await this.outcomes.list(projectId, days[0], days.at(-1));
    return rows.map(({ outcome, ...row }) => ({ ...row, outcome: outcomeOf(outcome) }));
  }
}

function outcomeOf(stored: number): ErrorOutcomeKind {
  const outcome = ERROR_OUTCOMES[stored];
  if (outcome === undefined) throw new Error(`no outcome is stored as ${stored}`);
  return outcome;
}
