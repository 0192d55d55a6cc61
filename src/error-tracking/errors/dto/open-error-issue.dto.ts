import { BooleanParam, IntegerParam, TextParam } from '../../../core/params/params.decorator.js';

/** POST of an error's issue. */
export class OpenErrorIssueDto {
  /** Number of an issue of the project to link instead of creating one. */
  @IntegerParam()
  issue_iid?: number | null;

  /** Title of the new issue, at most 255 characters; that of the error unless given. */
  @TextParam()
  title?: string | null;

  /**
   * Whether the new issue is for members only, as errors are. Unless given, it is in projects that
   * others see.
   */
  @BooleanParam()
  confidential?: boolean | null;
}
