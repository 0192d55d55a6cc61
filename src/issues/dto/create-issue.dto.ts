import {
  BooleanParam,
  DateParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { ISSUE_TYPES, type IssueType } from '../issue.entity.js';

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

  /** Who is to work on it; people who cannot read it are left out. Ignored from strangers. */
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

  /** What it is; only Reporters and above report incidents, from others it becomes an issue. */
  @TextParam({ values: ISSUE_TYPES })
  issue_type?: IssueType | null;

  /** When it was made; ignored unless the asker is an Owner or administrator. */
  @DateTimeParam()
  created_at?: Date | null;

  /** Its number; ignored unless the asker is an Owner or administrator. */
  @IntegerParam({ min: 1 })
  iid?: number | null;
}
