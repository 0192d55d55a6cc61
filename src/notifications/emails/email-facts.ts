import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../core/activity/notifications.repository.js';
import type { CommitFacts } from './commit-facts-reader.service.js';

/** User in an email. */
export interface Person {
  name: string;
  username: string;
}

/** Issue or merge request of an email. */
interface ItemRow {
  id: number;
  iid: number;
  title: string;
  /** null also when the email does not show it. */
  description: string | null;
  state: string;
  assignees: string[];
  milestone: string | null;
}

interface IssueRow extends ItemRow {
  confidential: boolean;
  dueDate: string | null;
}

interface MergeRequestRow extends ItemRow {
  sourceBranch: string;
  targetBranch: string;
  reviewers: string[];
}

interface NoteRow {
  id: number;
  body: string;
  internal: boolean;
  /** Of a comment on a commit; with the line of its changes, if it is about one. */
  sha: string | null;
  path: string | null;
  line: number | null;
}

export interface PipelineRow {
  id: number;
  ref: string;
  sha: string;
  status: string;
  /** First failed statuses without `allow_failure`. */
  failed: { name: string; description: string | null; targetUrl: string | null }[];
}

/** Notification level that decides about a user's emails, and the place of its setting. */
export interface DecidingLevel {
  /** NOTIFICATION_LEVELS; null = nothing is set. */
  level: number | null;
  scope: 'project' | 'group' | 'global' | null;
}

/** Current recipient of an email about a notification. */
export interface Reader extends DecidingLevel {
  mailId: number;
  userId: number;
  /** MAIL_REASONS */
  reason: number | null;
  to: string;
}

/** Notification, the content of its emails, and their current recipients. */
export interface EmailRow {
  id: number;
  kind: number;
  actor: Person | null;
  project: { id: number; name: string; path: string; title: string };
  issue: IssueRow | null;
  mergeRequest: MergeRequestRow | null;
  snippet: { id: number; title: string } | null;
  note: NoteRow | null;
  pipeline: PipelineRow | null;
  /** Users who were added to or removed from the assignees or reviewers. */
  added: string[];
  removed: string[];
  /** Labels that were added. */
  labels: string[];
  /** Where the branch was and is. */
  from: string | null;
  to: string | null;
  formerPath: string | null;
  readers: Reader[];
}

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
interface EmailSubject {
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

/** Page of the subject, at the comment if it is about one. */
export function hrefOf({ subject, row: { note } }: EmailFacts): string {
  return note === null ? subject.href : `${subject.href}#note_${note.id}`;
}

/** Longer lists could make an email that Gmail clips. */
const MAX_NAMES = 20;

/** Returns the names of people; null without any. */
export function names(people: readonly string[] | undefined): string | null {
  if (people === undefined || people.length === 0) return null;
  const rest = people.length - MAX_NAMES;
  const listed = people.slice(0, MAX_NAMES).join(', ');
  return rest > 0 ? `${listed} and ${rest} more` : listed;
}
