import type {
  NotificationKind,
  NotificationTarget,
} from '../../core/activity/notification-kinds.js';
import { candidate } from './people-rows.js';
import { THREADS } from './threads.js';

const REASSIGNMENTS: ReadonlySet<NotificationKind> = new Set([
  'reassign_issue',
  'reassign_merge_request',
  'change_reviewer_merge_request',
]);

/** Kinds that notify only users whom a change mentions. */
const OF_NAMED: ReadonlySet<NotificationKind> = new Set([
  'mention_in_issue',
  'mention_in_merge_request',
]);

/**
 * Returns true if the kind belongs to a thread: it notifies participants, watchers and subscribers.
 */
export function isOfThread(kind: NotificationKind, target: NotificationTarget): boolean {
  return THREADS[target] !== undefined && !OF_NAMED.has(kind);
}

/**
 * Returns rows of the possible recipients of notification `o`, apart from mentioned users and those
 * who watch the project.
 */
export function candidates(kind: NotificationKind, target: NotificationTarget): string[] {
  if (target === 'pipeline') {
    const person = candidate('l.user_id', 'watch');
    return [`${person} FROM o JOIN pipelines l ON l.id = o.target_id WHERE l.user_id IS NOT NULL`];
  }
  if (!isOfThread(kind, target)) return [];
  return [
    ...authorAndAssigned(kind, target),
    ...commenters(target),
    ...(REASSIGNMENTS.has(kind) ? reassigned(kind) : []),
    ...subscriptions(target),
  ];
}

function authorAndAssigned(kind: NotificationKind, target: NotificationTarget): string[] {
  const author = candidate('w.author_id', 'participating');
  if (target === 'issue') {
    const reason = kind === 'new_issue' ? 'assigned' : undefined;
    return [
      `${author} FROM o JOIN issues w ON w.id = o.target_id`,
      `${candidate('a.user_id', 'participating', reason)}
        FROM o JOIN issue_assignees a ON a.issue_id = o.target_id`,
    ];
  }
  if (target === 'merge_request') {
    const people = `FROM o JOIN merge_request_people q ON q.merge_request_id = o.target_id`;
    const isNew = kind === 'new_merge_request';
    return [
      `${author} FROM o JOIN merge_requests w ON w.id = o.target_id`,
      `${candidate('q.user_id', 'participating', isNew ? 'assigned' : undefined)}
        ${people} AND q.role = 'assignee'`,
      `${candidate('q.user_id', 'participating', isNew ? 'review_requested' : undefined)}
        ${people} AND q.role = 'reviewer'`,
    ];
  }
  return target === 'commit'
    ? commitAuthor()
    : [`${author} FROM o JOIN snippets w ON w.id = o.target_id`];
}

/** Returns the user who has confirmed that address: see `fanOutSql`. */
function commitAuthor(): string[] {
  return [
    `${candidate('w.id', 'participating')} FROM users w WHERE lower(w.email) = lower($3::text)`,
    `${candidate('w.user_id', 'participating')} FROM user_emails w
      WHERE lower(w.email) = lower($3::text) AND w.confirmed_at IS NOT NULL`,
  ];
}

function commenters(target: NotificationTarget): string[] {
  const notes = THREADS[target]?.notes ?? 'false';
  const person = candidate('k.author_id', 'participating');
  return [`${person} FROM o JOIN notes k ON ${notes} WHERE NOT k.system`];
}

/** Being given the work, or relieved of it, is as good as being mentioned. */
function reassigned(kind: NotificationKind): string[] {
  const reason = kind === 'change_reviewer_merge_request' ? 'review_requested' : 'assigned';
  const ids = (name: string): string => `jsonb_array_elements_text(o.details -> '${name}')`;
  return [
    `${candidate('value::bigint', 'mention', reason)} FROM o, ${ids('added')}`,
    `${candidate('value::bigint', 'mention')} FROM o, ${ids('removed')}`,
  ];
}

/** Those who unsubscribed as well. */
function subscriptions(target: NotificationTarget): string[] {
  const from = `FROM o JOIN subscriptions s ON ${THREADS[target]?.subscriptions ?? 'false'}`;
  return [
    `${candidate('s.user_id', 'subscription', 'subscribed')} ${from} WHERE s.subscribed`,
    `${candidate('s.user_id', 'declined')} ${from} WHERE NOT s.subscribed`,
  ];
}
