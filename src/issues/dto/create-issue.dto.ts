import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

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
}
