import type {
  NotificationKind,
  NotificationTarget,
} from '../../core/activity/notification-kinds.js';
import { ACTIVE_MEMBERSHIP } from '../../identity/members/member-source.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
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
const THREADS: Partial<Record<NotificationTarget, ThreadSql>> = {
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

const AS_MENTIONED = `${PARTS.mention} AS part, ${MAIL_REASONS.mentioned} AS reason`;
const AS_PARTICIPANT = `${PARTS.participating} AS part, NULL::integer AS reason`;

const DETAILS = `o.details -> 'named'`;

/** Users whom a changed text mentions; only they are notified. */
const NAMED_IN_DETAILS = `
  SELECT value::bigint AS user_id, NULL::bigint AS namespace_id, o.actor_id AS namer, ${AS_MENTIONED}
    FROM o, jsonb_array_elements_text(${DETAILS} -> 'userIds')
  UNION ALL SELECT NULL, value::bigint, o.actor_id, ${AS_MENTIONED}
    FROM o, jsonb_array_elements_text(${DETAILS} -> 'namespaceIds')
  UNION ALL SELECT NULL, NULL, o.actor_id, ${AS_MENTIONED} FROM o WHERE (${DETAILS} ->> 'all')::boolean`;

/**
 * SQL for the names in texts, `named`: users, groups, or everyone (neither), each with who named
 * them and the part that it gives them. Names in what is new are mentions, older ones make
 * participants.
 */
export function namedSql(kind: NotificationKind, target: NotificationTarget): string | null {
  if (kind === 'mention_in_issue' || kind === 'mention_in_merge_request') return NAMED_IN_DETAILS;
  const thread = THREADS[target];
  if (thread === undefined) return null;
  const isNew = kind === 'new_issue' || kind === 'new_merge_request';
  return `
  SELECT m.user_id, m.namespace_id, ${thread.author} AS namer,
      ${isNew ? AS_MENTIONED : AS_PARTICIPANT}
    FROM o JOIN mentions m ON ${thread.mentions}
  UNION ALL SELECT m.user_id, m.namespace_id, k.author_id, ${AS_PARTICIPANT}
    FROM o JOIN notes k ON ${thread.notes} JOIN mentions m ON m.note_id = k.id
  UNION ALL SELECT m.user_id, m.namespace_id, o.actor_id, ${AS_MENTIONED}
    FROM o JOIN mentions m ON m.note_id = o.note_id`;
}

/**
 * True if author `a` can see the mentioned group `g` with namespace `x` (API doc, Visibility);
 * otherwise the mention has no effect.
 */
export const SEES_GROUP = `(a.admin OR g.visibility >= CASE WHEN a.external
    THEN ${VISIBILITY.public} ELSE ${VISIBILITY.internal} END
  OR EXISTS (SELECT FROM members m WHERE m.user_id = a.id AND m.namespace_id = ANY(x.traversal_ids)
    AND m.access_level >= ${ROLES.guest} AND ${ACTIVE_MEMBERSHIP}))`;

/** Groups that are named, each once: a thread can name one a thousand times. */
const NAMED_GROUPS = `SELECT x.traversal_ids, w.part, min(w.reason) AS reason
  FROM (SELECT DISTINCT namespace_id, namer, part, reason FROM named) w
  JOIN namespaces x ON x.id = w.namespace_id JOIN groups g ON g.id = x.id
  JOIN users a ON a.id = w.namer
  WHERE NOT g.pending_delete AND ${SEES_GROUP}
  GROUP BY x.id, w.part`;

/**
 * Rows about the people behind those names: members of groups, those of the groups above included;
 * `@all` are the members of the project (`memberships`).
 */
export const NAMED_PEOPLE: readonly string[] = [
  `${row('w.user_id')} FROM named w WHERE w.user_id IS NOT NULL`,
  `${row('m.user_id')} FROM (${NAMED_GROUPS}) w
    JOIN members m ON m.namespace_id = ANY(w.traversal_ids)
    WHERE m.access_level >= ${ROLES.guest} AND ${ACTIVE_MEMBERSHIP}`,
  // Grouped: a thread can contain `@all` a thousand times.
  `${row('h.user_id')} FROM memberships h CROSS JOIN (SELECT part, min(reason) AS reason FROM named
    WHERE user_id IS NULL AND namespace_id IS NULL GROUP BY part) w`,
];

function row(user: string): string {
  return personRow({ user, part: 'w.part', reason: 'w.reason' });
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
