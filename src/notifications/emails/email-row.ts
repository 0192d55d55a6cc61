/** User in an email. */
export interface Person {
  name: string;
  username: string;
}

/** Issue or merge request of an email. */
export interface ItemRow {
  id: number;
  iid: number;
  title: string;
  /** null also when the email does not show it. */
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
  /** Where the branch was and is. */
  from: string | null;
  to: string | null;
  formerPath: string | null;
  readers: Reader[];
}
