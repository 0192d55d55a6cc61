import { BooleanParam, TextParam } from '../../../core/params/params.decorator.js';
import type { EmailEvent } from '../../notification-values.js';

/** PUT of the notification setting of a group or project: what is left out stays as it is. */
export class UpdateNotificationSettingDto implements Partial<Record<EmailEvent, boolean | null>> {
  /** `disabled`, `participating`, `watch`, `global` (as above it), `mention` or `custom`. */
  @TextParam()
  level?: string | null;

  /** A comment. This and the following are kept while the level is not `custom`. */
  @BooleanParam()
  new_note?: boolean | null;

  /** A new issue. */
  @BooleanParam()
  new_issue?: boolean | null;

  /** An issue was opened again. */
  @BooleanParam()
  reopen_issue?: boolean | null;

  /** An issue was closed. */
  @BooleanParam()
  close_issue?: boolean | null;

  /** An issue got other assignees. */
  @BooleanParam()
  reassign_issue?: boolean | null;

  /** An issue is due tomorrow. */
  @BooleanParam()
  issue_due?: boolean | null;

  /** A new merge request. */
  @BooleanParam()
  new_merge_request?: boolean | null;

  /** Commits were pushed to the branch of a merge request. */
  @BooleanParam()
  push_to_merge_request?: boolean | null;

  /** A merge request was opened again. */
  @BooleanParam()
  reopen_merge_request?: boolean | null;

  /** A merge request was closed. */
  @BooleanParam()
  close_merge_request?: boolean | null;

  /** A merge request got other assignees or reviewers. */
  @BooleanParam()
  reassign_merge_request?: boolean | null;

  /** A merge request was merged. */
  @BooleanParam()
  merge_merge_request?: boolean | null;

  /** A pipeline of the user failed; on unless turned off. */
  @BooleanParam()
  failed_pipeline?: boolean | null;

  /** A pipeline of the user succeeded after one that failed; on unless turned off. */
  @BooleanParam()
  fixed_pipeline?: boolean | null;

  /** A pipeline of the user succeeded. */
  @BooleanParam()
  success_pipeline?: boolean | null;

  /** A project got another address; on unless turned off. */
  @BooleanParam()
  moved_project?: boolean | null;

  /** A merge request will be merged as soon as its pipeline succeeds. */
  @BooleanParam()
  merge_when_pipeline_succeeds?: boolean | null;

  /** A new epic; known on the highest product tier only. */
  @BooleanParam()
  new_epic?: boolean | null;
}
