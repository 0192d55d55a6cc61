import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock.js';
import { ErrorOutcomesRepository } from '../../error-outcomes.repository.js';
import { ERROR_OUTCOMES, type ErrorOutcomeKind } from '../../error-values.js';
import { utcDay } from '../../ingest/utc-day.js';

/** Daily (UTC) quantity of one kind of data with one outcome. */
export interface ErrorUsageRow {
  /** `YYYY-MM-DD`. */
  day: string;
  outcome: ErrorOutcomeKind;
  /** As rate limits of SDKs name kinds of data: error, transaction, session, … */
  category: string;
  /** Empty where there is nothing to explain. */
  reason: string;
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
  async lastDays(projectId: number, wanted: number): Promise<ErrorUsageRow[]> {
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
