import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../core/activity/notification-kinds.js';
import type { IssueRow, EmailRow, MergeRequestRow } from './email-row.js';
import type { CommitFacts } from './commit-facts-reader.service.js';

/** Content of the emails about a notification, independent of the reader. */
export interface EmailFacts {
  row: EmailRow;
  kind: NotificationKind;
  /** Link target of the email. */
  subject: EmailSubject;
  commits: CommitFacts;
  baseUrl: string;
}

/** Subject of an email, by its display name. */
export interface EmailSubject {
  /** `issue` */
  noun: string;
  /** `#4`; empty for what has no number. */
  reference: string;
  title: string;
  /** Its page. */
  href: string;
}

const SHORT_SHA = 8;
const NAMES = new Map<number, string>(
  Object.entries(NOTIFICATION_KINDS).map(([name, number]) => [number, name]),
);

/** A commit's id as people read it. */
export function shortSha(sha: string): string {
  return sha.slice(0, SHORT_SHA);
}

/** The issue or merge request that the notification is about. */
export function itemOf(row: EmailRow): IssueRow | MergeRequestRow | null {
  return row.issue ?? row.mergeRequest;
}

/**
 * Returns the content of a notification; null for a kind or a target that this version does not
 * know.
 */
export function emailFacts(
  row: EmailRow,
  commits: CommitFacts,
  baseUrl: string,
): EmailFacts | null {
  const kind = NAMES.get(row.kind) as NotificationKind | undefined;
  const subject = subjectOf(row, commits, `${baseUrl}/${row.project.path}`);
  return kind === undefined || subject === null ? null : { row, kind, subject, commits, baseUrl };
}

function subjectOf(row: EmailRow, commits: CommitFacts, page: string): EmailSubject | null {
  const { issue, mergeRequest, snippet, note, pipeline, project } = row;
  if (issue !== null) {
    const { iid, title } = issue;
    return { noun: 'issue', reference: `#${iid}`, title, href: `${page}/-/issues/${iid}` };
  }
  if (mergeRequest !== null) {
    const { iid, title } = mergeRequest;
    const href = `${page}/-/merge_requests/${iid}`;
    return { noun: 'merge request', reference: `!${iid}`, title, href };
  }
  if (snippet !== null) {
    const { id, title } = snippet;
    return { noun: 'snippet', reference: `$${id}`, title, href: `${page}/-/snippets/${id}` };
  }
  if (pipeline !== null) {
    const title = commits.title ?? `Commit ${shortSha(pipeline.sha)}`;
    const href = `${page}/-/commit/${pipeline.sha}`;
    return { noun: 'pipeline', reference: `#${pipeline.id}`, title, href };
  }
  if (note !== null) return note.sha === null ? null : commitSubject(note.sha, commits, page);
  return { noun: 'project', reference: '', title: project.title, href: page };
}

function commitSubject(sha: string, { title }: CommitFacts, page: string): EmailSubject {
  return {
    noun: 'commit',
    reference: shortSha(sha),
    title: title ?? 'Commit',
    href: `${page}/-/commit/${sha}`,
  };
}
