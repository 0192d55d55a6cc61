import {
  BooleanParam,
  DateParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../core/params/params.decorator.js';
import { ISSUE_TYPES, type IssueType } from './issue.entity.js';

/** POST of an issue. */
export class CreateIssueDto {
  /** At most 255 characters. */
  @TextParam({ required: true, allowEmpty: false })
  title: string;

  /** Markdown of at most 1,048,576 characters. */
  @TextParam()
  description?: string | null;

  /** Hides the issue from everyone but its author, Reporters and above. */
  @BooleanParam()
  confidential?: boolean | null;

  /** Names of at most 255 characters each; ignored from people who are no members. */
  @ListParam({ commaSeparated: true })
  labels?: string[] | null;

  /**
   * IDs of the assignees; users without access are skipped. Ignored from users who are not members.
   */
  @ListParam({ of: 'integer', commaSeparated: true })
  assignee_ids?: number[] | null;

  /** Older form of `assignee_ids` for one person. */
  @IntegerParam()
  assignee_id?: number | null;

  /** The day it is due; ignored from people who are no members. */
  @DateParam()
  due_date?: string | null;

  /**
   * Id of a milestone of the project; another one is left aside. Ignored from people who are no
   * members.
   */
  @IntegerParam()
  milestone_id?: number | null;

  /** Type of the issue; incidents require the Reporter role and become issues otherwise. */
  @TextParam({ values: ISSUE_TYPES })
  issue_type?: IssueType | null;

  /** When it was made; ignored unless the viewer is an Owner or administrator. */
  @DateTimeParam()
  created_at?: Date | null;

  /** Its number; ignored unless the viewer is an Owner or administrator. */
  @IntegerParam({ min: 1 })
  iid?: number | null;
}

export const STATE_EVENTS = ['close', 'reopen'] as const;
export type StateEvent = (typeof STATE_EVENTS)[number];

/** Parameters of which a PUT of an issue needs at least one. */
export const UPDATABLE_ATTRIBUTES = [
  'add_labels',
  'assignee_id',
  'assignee_ids',
  'confidential',
  'description',
  'discussion_locked',
  'due_date',
  'issue_type',
  'labels',
  'milestone_id',
  'remove_labels',
  'state_event',
  'title',
] as const;

/**
 * PUT of an issue: at least one of these. Authors without a role change texts and state; what they
 * say of the rest is ignored.
 */
export class UpdateIssueDto {
  /** At most 255 characters. */
  @TextParam({ allowEmpty: false })
  title?: string | null;

  /** Markdown of at most 1,048,576 characters; null clears it. */
  @TextParam()
  description?: string | null;

  /** Restricts visibility to the author, Reporters and above; requires the Reporter role. */
  @BooleanParam()
  confidential?: boolean | null;

  /** State change; closing a closed issue has no effect. */
  @TextParam({ values: STATE_EVENTS })
  state_event?: StateEvent | null;

  /** All names that it is to have; empty takes them all away. */
  @ListParam({ commaSeparated: true })
  labels?: string[] | null;

  /** Names that it is to have in addition. */
  @ListParam({ commaSeparated: true })
  add_labels?: string[] | null;

  /** Names that it is to lose. */
  @ListParam({ commaSeparated: true })
  remove_labels?: string[] | null;

  /** IDs of the assignees, empty for none; users without access are skipped. */
  @ListParam({ of: 'integer', commaSeparated: true })
  assignee_ids?: number[] | null;

  /** Deprecated in favor of `assignee_ids`: ID of one assignee, 0 for none. */
  @IntegerParam()
  assignee_id?: number | null;

  /** The day it is due; empty for none. */
  @DateParam()
  due_date?: string | null;

  /** Id of a milestone of the project, 0 for none; another one is left aside. */
  @IntegerParam()
  milestone_id?: number | null;

  /** Type of the issue. */
  @TextParam({ values: ISSUE_TYPES })
  issue_type?: IssueType | null;

  /** Restricts comments to members of the project. */
  @BooleanParam()
  discussion_locked?: boolean | null;
}
