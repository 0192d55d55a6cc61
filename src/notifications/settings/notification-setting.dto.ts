import { ApiError, ValidationFailedError } from '../../core/errors.js';
import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import {
  NOTIFICATION_LEVELS,
  type NotificationLevel,
} from '../../workspace/subscriptions/notification-levels.js';
import { EMAIL_EVENTS, eventBit, type EmailEvent } from '../notification-values.js';

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

/** Where a setting holds: in a project, in a group with all below it, or everywhere else. */
export type SettingScope = { kind: 'everywhere' } | { kind: 'project' | 'group'; id: number };

/** Changed attributes of a setting; the others stay. */
export interface SettingChange {
  level?: NotificationLevel;
  /** Bits of EMAIL_EVENTS to turn on and off. */
  on: number;
  off: number;
  /** null: that of a level above. */
  email?: string | null;
  ownActivity?: boolean;
  alertEmails?: boolean;
}

/**
 * Returns the changes of a request. Throws 400 for an unknown level; switches without a value stay
 * as they are, and so does the one of epics below the highest tier.
 */
export function changeOf(dto: UpdateNotificationSettingDto, tier: string): SettingChange {
  const switches = EMAIL_EVENTS.filter((name) => name !== 'new_epic' || tier === 'ultimate');
  const bitsOf = (wanted: boolean): number =>
    switches
      .filter((name) => dto[name] === wanted)
      .reduce((bits, name) => bits | eventBit(name), 0);
  const level = dto.level === undefined ? {} : { level: levelOf(dto.level) };
  return { ...level, on: bitsOf(true), off: bitsOf(false) };
}

/** Returns true if anything changes: otherwise no row is needed. */
export function changesSomething({ on, off, ...rest }: SettingChange): boolean {
  return (on | off) !== 0 || Object.values(rest).some((value) => value !== undefined);
}

function levelOf(text: string | null): NotificationLevel {
  if (text === null || text.trim() === '') {
    throw new ValidationFailedError({ level: ["can't be blank"] });
  }
  if (Object.hasOwn(NOTIFICATION_LEVELS, text)) return text as NotificationLevel;
  throw new ApiError(400, { message: `'${text}' is not a valid level` });
}
