import type { NotificationKind } from '../core/activity/notifications.repository.js';
import { NOTIFICATION_LEVELS } from '../workspace/subscriptions/notification-levels.js';

/** The 18 switches of the level `custom`, in the order of answers; stored as bits in this order. */
export const EMAIL_EVENTS = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'merge_when_pipeline_succeeds',
  'new_epic',
] as const;
export type EmailEvent = (typeof EMAIL_EVENTS)[number];

/** The bit that an event is stored as. */
export function eventBit(event: EmailEvent): number {
  return 1 << EMAIL_EVENTS.indexOf(event);
}

/** Events that are enabled by default. */
export const DEFAULT_EVENTS =
  eventBit('failed_pipeline') | eventBit('fixed_pipeline') | eventBit('moved_project');

/** Why someone gets an email, as stored; the strongest reason has the smallest number. */
export const MAIL_REASONS = {
  own_activity: 1,
  assigned: 2,
  review_requested: 3,
  mentioned: 4,
  subscribed: 5,
  label_subscribed: 6,
} as const;
export type MailReason = keyof typeof MAIL_REASONS;

/** Relation of a recipient to a notification; the strongest one is `mention`. */
export type RecipientPart = 'mention' | 'participating' | 'watch';

/** Kinds that do not notify users with the level `watch`, not even as authors. */
const NOT_WATCHED: ReadonlySet<NotificationKind> = new Set([
  'push_to_merge_request',
  'issue_due',
  'success_pipeline',
]);

/** Kinds that notify users with the level `participating` all the same. */
const FOR_PARTICIPANTS: ReadonlySet<NotificationKind> = new Set([
  'failed_pipeline',
  'fixed_pipeline',
  'moved_project',
]);

/** Kinds that go by other switches of `custom` than their own; those without any have none. */
const SWITCHES: Partial<Record<NotificationKind, readonly EmailEvent[]>> = {
  change_reviewer_merge_request: ['reassign_merge_request'],
  fixed_pipeline: ['fixed_pipeline', 'success_pipeline'],
};

/** Condition under which a level lets a notification through. */
interface LevelRule {
  /** Levels that always do. */
  levels: readonly number[];
  /** Bits of EMAIL_EVENTS: `custom` does if one of them is on. */
  events: number;
}

/** Returns the rule for a kind and a recipient's part in it. */
export function levelRule(kind: NotificationKind, part: RecipientPart): LevelRule {
  const isConcerned = part !== 'watch';
  const { mention, participating, watch, custom } = NOTIFICATION_LEVELS;
  const levels = [
    ...(part === 'mention' ? [mention] : []),
    ...(isConcerned || FOR_PARTICIPANTS.has(kind) ? [participating] : []),
    ...(NOT_WATCHED.has(kind) ? [] : [watch]),
    ...(isConcerned ? [custom] : []),
  ];
  return { levels, events: switchesOf(kind) };
}

/** Returns true if a setting lets a notification through. */
export function isNotified(
  { levels, events }: LevelRule,
  setting: { level: number; events: number },
): boolean {
  if (levels.includes(setting.level)) return true;
  return setting.level === NOTIFICATION_LEVELS.custom && (setting.events & events) !== 0;
}

function switchesOf(kind: NotificationKind): number {
  const names = SWITCHES[kind] ?? EMAIL_EVENTS.filter((event) => event === kind);
  return names.reduce((bits, event) => bits | eventBit(event), 0);
}
