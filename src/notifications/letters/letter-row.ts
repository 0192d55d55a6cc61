/** User in an email. */
export interface Person {
  name: string;
  username: string;
}

/** An issue or a merge request that a mail is about. */
export interface ItemRow {
  id: number;
  iid: number;
  title: string;
  /** null also when the mail does not show it. */
  description: string | null;
  state: string;
  assignees: string[];
  milestone: string | null;
}

export interface IssueRow extends ItemRow {
  confidential: boolean;
  dueDate: string | null;
}

export interface MergeRequestRow extends ItemRow {
  sourceBranch: string;
  targetBranch: string;
  reviewers: string[];
}

export interface NoteRow {
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
  /** The first of those that failed and may not. */
  failed: { name: string; description: string | null; targetUrl: string | null }[];
}

/** Which level decides about the mails of a user, and where it is set. */
export interface DecidingLevel {
  /** NOTIFICATION_LEVELS; null = nothing is set. */
  level: number | null;
  scope: 'project' | 'group' | 'global' | null;
}

/** Someone who gets a mail about a notification now. */
export interface Reader extends DecidingLevel {
  mailId: number;
  userId: number;
  /** MAIL_REASONS */
  reason: number | null;
  to: string;
}

/** A notification, what its mails say of it, and those who can read that now. */
export interface LetterRow {
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
  /** Where the branch was and is. */
  from: string | null;
  to: string | null;
  formerPath: string | null;
  readers: Reader[];
}
