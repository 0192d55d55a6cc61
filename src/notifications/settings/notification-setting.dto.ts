import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import type { EmailEvent } from '../notification-values.js';

/** PUT of the notification setting of a group or project: what is left out stays as it is. */
export class UpdateNotificationSettingDto implements Partial<Record<EmailEvent, boolean | null>> {
  /** `disabled`, `participating`, `watch`, `global` (inherited), `mention` or `custom`. */
  @TextParam()
  level?: string | null;

  /** New comment. This and the following are kept while the level is not `custom`. */
  @BooleanParam()
  new_note?: boolean | null;

  /** New issue. */
  @BooleanParam()
  new_issue?: boolean | null;

  /** Issue reopened. */
  @BooleanParam()
  reopen_issue?: boolean | null;

  /** Issue closed. */
  @BooleanParam()
  close_issue?: boolean | null;

  /** Issue reassigned. */
  @BooleanParam()
  reassign_issue?: boolean | null;

  /** Issue due tomorrow. */
  @BooleanParam()
  issue_due?: boolean | null;

  /** New merge request. */
  @BooleanParam()
  new_merge_request?: boolean | null;

  /** Commits pushed to a merge request. */
  @BooleanParam()
  push_to_merge_request?: boolean | null;

  /** Merge request reopened. */
  @BooleanParam()
  reopen_merge_request?: boolean | null;

  /** Merge request closed. */
  @BooleanParam()
  close_merge_request?: boolean | null;

  /** Merge request assignees or reviewers changed. */
  @BooleanParam()
  reassign_merge_request?: boolean | null;

  /** Merge request merged. */
  @BooleanParam()
  merge_merge_request?: boolean | null;

  /** Pipeline of the user failed; on by default. */
  @BooleanParam()
  failed_pipeline?: boolean | null;

  /** Pipeline of the user fixed after a failure; on by default. */
  @BooleanParam()
  fixed_pipeline?: boolean | null;

  /** Pipeline of the user succeeded. */
  @BooleanParam()
  success_pipeline?: boolean | null;

  /** Project moved; on by default. */
  @BooleanParam()
  moved_project?: boolean | null;

  /** Auto-merge enabled for a merge request. */
  @BooleanParam()
  merge_when_pipeline_succeeds?: boolean | null;

  /** New epic; only on the highest product tier. */
  @BooleanParam()
  new_epic?: boolean | null;
}

/** PUT of the setting that holds where no group or project has one. */
export class UpdateOwnNotificationSettingDto extends UpdateNotificationSettingDto {
  /** A confirmed email of the user; empty for the primary one. */
  @TextParam()
  notification_email?: string | null;
}
