import type { PushAction, RefType } from '../core/activity/event.entity.js';
import type { UserBasicResponse } from '../identity/users/user.presenter.js';
import type { NoteResponse } from '../workspace/notes/note.presenter.js';

/** Name of an event's action: a verb phrase. */
export type ActionName =
  | 'opened'
  | 'created'
  | 'updated'
  | 'closed'
  | 'pushed to'
  | 'pushed new'
  | 'deleted'
  | 'commented on'
  | 'accepted'
  | 'joined'
  | 'left'
  | 'destroyed'
  | 'removed due to membership expiration from'
  | 'approved';

/** Position of a comment in a commit's diff; the other side has no line number. */
interface PositionResponse {
  /** Always null: the commit determines its parent. */
  base_sha: null;
  /** Always null. */
  start_sha: null;
  /** The commit. */
  head_sha: string;
  old_path: string;
  new_path: string;
  position_type: 'text';
  old_line: number | null;
  new_line: number | null;
}

/** A comment on a line of a commit's changes. */
export interface DiffNoteResponse extends Omit<NoteResponse, 'type'> {
  type: 'DiffNote';
  commit_id: string;
  position: PositionResponse;
}

/** Type of an event's target, by the names that v4 clients know. */
export type TargetType =
  'DiffNote' | 'Issue' | 'MergeRequest' | 'Milestone' | 'Note' | 'Project' | 'WikiPage::Meta';

/** Push to one ref or, in bulk, to several. */
export interface PushResponse {
  /** 0 for removed refs and in bulk. */
  commit_count: number;
  action: PushAction;
  ref_type: RefType;
  /** Commit before; null for a new ref and in bulk. */
  commit_from: string | null;
  /** Commit after; null for a removed ref and in bulk. */
  commit_to: string | null;
  /**
   * Name without `refs/heads/` or `refs/tags/`; null in bulk.
   * @example "main"
   */
  ref: string | null;
  /** First line of the newest commit, at most 70 characters. */
  commit_title: string | null;
  /** Number of refs of a bulk push; otherwise null. */
  ref_count: number | null;
}

/** Wiki page. */
export interface WikiPageResponse {
  /** @example "markdown" */
  format: string;
  /** @example "how-to/install" */
  slug: string;
  /** @example "install" */
  title: string;
}

/** Event in a project. */
export interface EventResponse {
  id: number;
  /** Always null. */
  title: null;
  project_id: number;
  /** @example "commented on" */
  action_name: ActionName;
  /** null for pushes and deleted milestones. */
  target_id: number | null;
  /** Number of the target within the project; its ID if it has no number. */
  target_iid: number | null;
  /** null for pushes. */
  target_type: TargetType | null;
  author_id: number;
  /** Title of the target, or of a comment's noteable; null for pushes. */
  target_title: string | null;
  /** @format date-time */
  created_at: string;
  /** Only for comments. */
  note?: NoteResponse | DiffNoteResponse;
  /** Only for wiki pages. */
  wiki_page?: WikiPageResponse;
  /** Only for pushes. */
  push_data?: PushResponse;
  /** Absent if the user was deleted. */
  author?: UserBasicResponse;
  /** null if the user was deleted. */
  author_username: string | null;
  imported: false;
  imported_from: 'none';
}

/** An event in the list of its project. */
export interface ProjectEventResponse extends EventResponse {
  /** Always null. */
  data: null;
}
