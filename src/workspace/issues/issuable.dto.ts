import {
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { TIMEBOXES, type Timebox } from '../milestones/milestone.dto.js';

const SCOPES = ['created_by_me', 'assigned_to_me', 'all'] as const;
export type IssuableScope = (typeof SCOPES)[number];

export const STATE_EVENTS = ['close', 'reopen'] as const;
export type StateEvent = (typeof STATE_EVENTS)[number];

/** Filters of lists of issues and merge requests. */
export class IssuableFiltersDto {
  /** All of a project's by default; elsewhere those that the viewer created. */
  @TextParam({ values: SCOPES })
  scope?: IssuableScope | null;

  /** Only these numbers in their project. */
  @ListParam({ of: 'integer', commaSeparated: true })
  iids?: number[] | null;

  /** Only those with all of these labels; `None` for those without, `Any` for those with labels. */
  @ListParam({ commaSeparated: true })
  labels?: string[] | null;

  /** Title of a milestone, `None` or `Any`; not together with `milestone_id`. */
  @TextParam()
  milestone?: string | null;

  /**
   * Only those without a milestone, with one, with an active one that is due later, or with an
   * active one that has started; not together with `milestone`.
   */
  @TextParam({ values: TIMEBOXES })
  milestone_id?: Timebox | null;

  /** Only those of this author; not together with `author_username`. */
  @IntegerParam()
  author_id?: number | null;

  /** Only those of this author; not together with `author_id`. */
  @TextParam()
  author_username?: string | null;

  /** ID of an assignee, `None` or `Any`; not together with `assignee_username`. */
  @TextParam()
  assignee_id?: string | null;

  /** Only those with all of these assignees; not together with `assignee_id`. */
  @ListParam({ commaSeparated: true })
  assignee_username?: string[] | null;

  /** Text to find in title or description. */
  @TextParam()
  search?: string | null;

  /** Searched attributes: `title`, `description`, or both separated by a comma. */
  @ListParam({ values: ['title', 'description'], commaSeparated: true })
  in?: ('title' | 'description')[] | null;

  /** Only those created at or after this time. */
  @DateTimeParam()
  created_after?: Date | null;

  /** Only those created at or before this time. */
  @DateTimeParam()
  created_before?: Date | null;

  /** Only those updated at or after this time. */
  @DateTimeParam()
  updated_after?: Date | null;

  /** Only those updated at or before this time. */
  @DateTimeParam()
  updated_before?: Date | null;
}

/** Attributes of issues and merge requests for create and update. */
export class IssuableAttributesDto {
  /** Markdown of at most 1,048,576 characters; null clears it. */
  @TextParam()
  description?: string | null;

  /**
   * Names of all labels, at most 255 characters each; empty for none. Ignored from users without a
   * role in the project. Names without a label create one; from Guests these are ignored.
   */
  @ListParam({ commaSeparated: true })
  labels?: string[] | null;

  /**
   * IDs of the assignees, empty for none; users without access are skipped. Ignored from users
   * without a role in the project.
   */
  @ListParam({ of: 'integer', commaSeparated: true })
  assignee_ids?: number[] | null;

  /** Deprecated in favor of `assignee_ids`: ID of one assignee, 0 for none. */
  @IntegerParam()
  assignee_id?: number | null;

  /**
   * ID of a milestone of the project, 0 for none; others are ignored, and so is the parameter from
   * users without a role in the project.
   */
  @IntegerParam()
  milestone_id?: number | null;
}
