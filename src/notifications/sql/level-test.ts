import type { NotificationKind } from '../../activity/notification-kinds.js';
import { EMAIL_EVENTS, eventBit, type EmailEvent } from '../notification-values.js';
import { NOTIFICATION_LEVELS } from '../../subscriptions/notification-levels.js';
import type { Part } from './people-rows.js';

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

/**
 * Returns SQL for "a user with level `level` (SQL) is notified of this notification as `part`";
 * `events` (SQL) are the switches of the level. Subscribers pass at every level.
 */
export function levelTestSql(
  kind: NotificationKind,
  part: Exclude<Part, 'declined'>,
  { level, events }: { level: string; events: string },
): string {
  if (part === 'subscription') return 'true';
  const isConcerned = part !== 'watch';
  const levels = NOTIFICATION_LEVELS;
  const passes = [
    ...(part === 'mention' ? [levels.mention] : []),
    ...(isConcerned || FOR_PARTICIPANTS.has(kind) ? [levels.participating] : []),
    ...(NOT_WATCHED.has(kind) ? [] : [levels.watch]),
    ...(isConcerned ? [levels.custom] : []),
  ];
  const always = passes.length === 0 ? 'false' : `${level} IN (${passes.join(', ')})`;
  const bits = switchesOf(kind);
  return `(${always} OR (${level} = ${levels.custom} AND ${events} & ${bits} <> 0))`;
}

function switchesOf(kind: NotificationKind): number {
  const names = SWITCHES[kind] ?? EMAIL_EVENTS.filter((event) => event === kind);
  return names.reduce((bits, event) => bits | eventBit(event), 0);
}
