import type {
  NotificationKind,
  NotificationTarget,
} from '../../core/activity/notifications.repository.js';
import { MAIL_REASONS, type MailReason } from '../notification-values.js';

/** Which rows belong to the thread of notification `o`, as SQL conditions. */
interface ThreadSql {
  /** Of notes `k`. */
  notes: string;
  /** Of subscriptions `s`. */
  subscriptions: string;
  /** Of mentions `m` in the title and description. */
  mentions: string;
  /** Whose the title and description are; an expression. */
  author: string;
}

/** A commit has no id of ours: the note names it. */
const COMMIT_SHA = '(SELECT c.commit_sha FROM notes c WHERE c.id = o.note_id)';

/** Targets that people take part in, comment on and subscribe to. */
export const THREADS: Partial<Record<NotificationTarget, ThreadSql>> = {
  issue: {
    notes: 'k.issue_id = o.target_id',
    subscriptions: 's.issue_id = o.target_id',
    mentions: 'm.issue_id = o.target_id',
    author: '(SELECT w.author_id FROM issues w WHERE w.id = o.target_id)',
  },
  merge_request: {
    notes: 'k.merge_request_id = o.target_id',
    subscriptions: 's.merge_request_id = o.target_id',
    mentions: 'm.merge_request_id = o.target_id',
    author: '(SELECT w.author_id FROM merge_requests w WHERE w.id = o.target_id)',
  },
  snippet: {
    notes: 'k.snippet_id = o.target_id',
    subscriptions: 's.snippet_id = o.target_id',
    mentions: 'false',
    author: 'NULL::bigint',
  },
  commit: {
    notes: `k.commit_project_id = o.project_id AND k.commit_sha = ${COMMIT_SHA}`,
    subscriptions: `s.commit_project_id = o.project_id AND s.commit_sha = ${COMMIT_SHA}`,
    mentions: 'false',
    author: 'NULL::bigint',
  },
};

/**
 * Part of a user, as the rules differ (mentioned, participating, only watching or subscribed).
 * `declined` = has unsubscribed from the thread.
 */
export const PARTS = { mention: 1, participating: 2, watch: 3, subscription: 4, declined: 5 };
export type Part = keyof typeof PARTS;

/** Columns of one row about a user; missing ones are NULL. All values are SQL. */
interface PersonRow {
  user: string;
  part?: string;
  reason?: string;
  /** A role that they have in the project, directly or from above. */
  access?: string;
  /** `ARRAY[depth, level, events]` of a setting of theirs; the deepest counts. */
  setting?: string;
}

/** SELECT list of rows about people, the same for all sources of such rows. */
export function personRow(row: PersonRow): string {
  const { user, part = 'NULL', reason = 'NULL', access = 'NULL', setting = 'NULL' } = row;
  return `SELECT ${user} AS user_id, ${part}::smallint AS part, ${reason}::smallint AS reason,
    ${access}::integer AS access, ${setting}::integer[] AS setting`;
}

/** Returns the row of a user who is notified as `part`, for `reason` or for none in particular. */
function candidate(user: string, part: Part, reason?: MailReason): string {
  const why = reason === undefined ? {} : { reason: String(MAIL_REASONS[reason]) };
  return personRow({ user, part: String(PARTS[part]), ...why });
}

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

/** Kinds that notify only subscribers of the labels that were added. */
export const OF_LABELS: ReadonlySet<NotificationKind> = new Set([
  'relabel_issue',
  'relabel_merge_request',
]);

/**
 * Returns true if the kind belongs to a thread: it notifies participants, watchers and subscribers.
 */
export function isOfThread(kind: NotificationKind, target: NotificationTarget): boolean {
  return THREADS[target] !== undefined && !OF_NAMED.has(kind) && !OF_LABELS.has(kind);
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
  if (OF_LABELS.has(kind)) {
    const added = `jsonb_array_elements_text(o.details -> 'labels')`;
    return [labelSubscribers(`FROM o, ${added} AS given(name)`), declined(target)];
  }
  if (!isOfThread(kind, target)) return [];
  return [
    ...(kind === 'new_issue' ? [labelSubscribers(labelsOf('issues'))] : []),
    ...(kind === 'new_merge_request' ? [labelSubscribers(labelsOf('merge_requests'))] : []),
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
  return [
    `${candidate('s.user_id', 'subscription', 'subscribed')} ${subscribedSql(target)}
      WHERE s.subscribed`,
    declined(target),
  ];
}

function declined(target: NotificationTarget): string {
  return `${candidate('s.user_id', 'declined')} ${subscribedSql(target)} WHERE NOT s.subscribed`;
}

function subscribedSql(target: NotificationTarget): string {
  return `FROM o JOIN subscriptions s ON ${THREADS[target]?.subscriptions ?? 'false'}`;
}

function labelsOf(table: 'issues' | 'merge_requests'): string {
  return `FROM o JOIN ${table} w ON w.id = o.target_id CROSS JOIN unnest(w.labels) AS given(name)`;
}

/**
 * Subscribers of the labels `given`: a name means the label of the project, else that of the nearest
 * group above.
 */
function labelSubscribers(given: string): string {
  return `${candidate('s.user_id', 'subscription', 'label_subscribed')} ${given}
    CROSS JOIN location CROSS JOIN LATERAL (SELECT l.id FROM labels l WHERE l.name = given.name
      AND (l.project_id = location.project_id OR l.group_id = ANY(location.traversal_ids))
      ORDER BY l.project_id, array_position(location.traversal_ids, l.group_id) DESC LIMIT 1) label
    JOIN label_subscriptions s ON s.label_id = label.id`;
}
