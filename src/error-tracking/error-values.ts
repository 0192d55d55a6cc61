/** States of an error, as they are spelled; rows store the position in this list. */
export const ERROR_STATUSES = ['unresolved', 'resolved', 'ignored'] as const;
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

/** Stored numbers of the states. */
export const ERROR_STATUS = { unresolved: 0, resolved: 1, ignored: 2 } as const satisfies Record<
  ErrorStatus,
  number
>;

/** Stored state of an error that is merged into another one; it is in no list. */
export const MERGED_STATUS = 3;

/** Changes of an error; rows store the position in this list. */
export const ERROR_ACTIONS = [
  'reopened',
  'resolved',
  'ignored',
  'regressed',
  'ignore_ended',
  'assigned',
  'unassigned',
  'merged',
  'unmerged',
] as const;
export type ErrorAction = (typeof ERROR_ACTIONS)[number];

/** Levels of events, the lowest first; rows store the position in this list. */
export const ERROR_LEVELS = ['debug', 'info', 'warning', 'error', 'fatal'] as const;
export type ErrorLevel = (typeof ERROR_LEVELS)[number];

/** Where programs send their errors, below the root of the site; the project's id ends a DSN. */
export const COLLECTOR_PATH = '/api/v4/error_tracking/collector';

/** Outcomes of received data, for the usage counters of a project. */
export const ERROR_OUTCOMES = ['accepted', 'dropped', 'refused', 'lost_by_client'] as const;
export type ErrorOutcomeKind = (typeof ERROR_OUTCOMES)[number];

const DAY_MS = 86_400_000;

/** Returns the day (UTC) of a time, or a later one, as `YYYY-MM-DD`. */
export function utcDay(time: Date, daysLater = 0): string {
  return new Date(time.getTime() + daysLater * DAY_MS).toISOString().slice(0, 10);
}
