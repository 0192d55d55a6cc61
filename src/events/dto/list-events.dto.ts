import { TextParam } from '../../core/params/params.decorator.js';
import { EVENT_ACTIONS, type EventAction } from '../../activity/event-kinds.js';
import { DayParam } from './day-param.decorator.js';

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
