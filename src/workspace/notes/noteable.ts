/** Types of noteables, by the names that v4 clients know. */
export const NOTEABLE_TYPES = {
  issue: 'Issue',
  alert: 'AlertManagement::Alert',
  merge_request: 'MergeRequest',
  snippet: 'Snippet',
  commit: 'Commit',
} as const;
type NoteableKind = keyof typeof NOTEABLE_TYPES;
export type NoteableType = (typeof NOTEABLE_TYPES)[NoteableKind];

/** The column of `notes` that names what they belong to; that of commits names their project. */
export const NOTEABLE_COLUMNS = {
  issue: 'issue_id',
  alert: 'alert_id',
  merge_request: 'merge_request_id',
  snippet: 'snippet_id',
  commit: 'commit_project_id',
} as const satisfies Record<NoteableKind, string>;

/** Noteable with a number within its project. */
interface NumberedNoteable {
  kind: 'issue' | 'alert' | 'merge_request';
  id: number;
  iid: number;
  projectId: number;
}

interface NotedSnippet {
  kind: 'snippet';
  id: number;
  iid: null;
  projectId: number;
}

/** Commits have no number of ours: their object id names them. */
interface NotedCommit {
  kind: 'commit';
  id: null;
  iid: null;
  projectId: number;
  sha: string;
}

/** One thing that has notes. */
export type Noteable = NumberedNoteable | NotedSnippet | NotedCommit;
