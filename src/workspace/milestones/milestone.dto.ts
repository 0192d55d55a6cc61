import {
  DateParam,
  DateTimeParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';

/** Words for milestones by their dates, as v4 clients write them. */
export const TIMEBOXES = ['None', 'Any', 'Upcoming', 'Started'] as const;
export type Timebox = (typeof TIMEBOXES)[number];

/** Filters of milestones. */
export class ListMilestonesDto {
  /** Only milestones with these numbers in the project. */
  @ListParam({ of: 'integer', commaSeparated: true })
  iids?: number[] | null;

  /** Only milestones in this state. */
  @TextParam({ values: ['active', 'closed', 'all'] })
  state?: 'active' | 'closed' | 'all' | null;

  /** Milestone with exactly this title. */
  @TextParam()
  title?: string | null;

  /** Text to find in title or description. */
  @TextParam()
  search?: string | null;

  /** Only milestones updated at or after this time. */
  @DateTimeParam()
  updated_after?: Date | null;

  /** Only milestones updated at or before this time. */
  @DateTimeParam()
  updated_before?: Date | null;
}

class MilestoneAttributesDto {
  /** Markdown of at most 1,048,576 characters; empty clears it. */
  @TextParam()
  description?: string | null;

  /** Start date; empty clears it. */
  @DateParam()
  start_date?: string | null;

  /** Due date, not before the start date; empty clears it. */
  @DateParam()
  due_date?: string | null;
}

/** POST of a milestone. */
export class CreateMilestoneDto extends MilestoneAttributesDto {
  /** Unique in the project; at most 255 characters. */
  @TextParam({ required: true })
  title: string;
}

/** Parameters of which a PUT of a milestone needs at least one. */
export const UPDATABLE_ATTRIBUTES = [
  'description',
  'due_date',
  'start_date',
  'state_event',
  'title',
] as const;

const STATE_EVENTS = ['close', 'activate'] as const;

/** PUT of a milestone: at least one of these. */
export class UpdateMilestoneDto extends MilestoneAttributesDto {
  /** Unique in the project; at most 255 characters. */
  @TextParam()
  title?: string | null;

  /** State change; closing a closed milestone has no effect. */
  @TextParam({ values: STATE_EVENTS })
  state_event?: (typeof STATE_EVENTS)[number] | null;
}
