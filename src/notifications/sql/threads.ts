import type { NotificationTarget } from '../../core/activity/notification-kinds.js';

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
