import type { ErrorOutcomeKind } from '../../error-values.js';
import type { ErrorUsageRow } from './error-usage.service.js';

/** Daily quantity of one kind of data with one outcome. */
export interface PresentedErrorUsage {
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

/** Presents what became of that which programs sent. */
export function presentErrorUsage(row: ErrorUsageRow): PresentedErrorUsage {
  const { day, outcome, category, reason, quantity } = row;
  return { day, outcome, category, reason, quantity };
}
