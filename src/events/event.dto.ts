import { EVENT_ACTIONS, type EventAction } from '../core/activity/event.entity.js';
import { INVALID } from '../core/params/coerce.js';
import { declare, type ParamOptions, TextParam } from '../core/params/params.decorator.js';

const DAY =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A day, kept as `YYYY-MM-DD`: leading zeros can be missing, and of a time only the day counts, as
 * v4 has it. The empty text counts as not given.
 */
export function DayParam(options: ParamOptions = {}): PropertyDecorator {
  return declare({ kind: 'date', ...options }, toDay, () => null);
}

/** A day that exists in the calendar, or INVALID. */
function toDay(value: unknown): unknown {
  if (value === '' || value === null) return null;
  const [, year = '', month = '', day = ''] =
    typeof value === 'string' ? (DAY.exec(value) ?? []) : [];
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return exists ? text : INVALID;
}

const ACTIONS = Object.keys(EVENT_ACTIONS) as EventAction[];

/** Target types of events; there are no events about snippets, users and designs. */
export const TARGET_FILTERS = [
  'issue',
  'milestone',
  'merge_request',
  'note',
  'project',
  'snippet',
  'user',
  'wiki',
  'design',
] as const;
export type TargetFilter = (typeof TARGET_FILTERS)[number];

/** Filters and order of lists of events (API doc, Events). */
export class ListEventsDto {
  /** Only events with this action. */
  @TextParam({ values: ACTIONS })
  action?: EventAction | null;

  /** Only events with this type of target. */
  @TextParam({ values: TARGET_FILTERS })
  target_type?: TargetFilter | null;

  /** Only events before this day (UTC). */
  @DayParam()
  before?: string | null;

  /** Only events after this day (UTC). */
  @DayParam()
  after?: string | null;

  /** Order by the time of the event; `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}

/** The same of one's own events. */
export class ListOwnEventsDto extends ListEventsDto {
  /** `all` lists all events in the viewer's projects; other values have no effect. */
  @TextParam()
  scope?: string | null;
}
