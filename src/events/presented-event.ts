import type { PushAction, RefType } from '../activity/event-kinds.js';
import type { PresentedNote } from '../notes/note.presenter.js';
import type { PresentedUserBasic } from '../users/presented-user.js';

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

/** Where in a commit's changes a comment stands; the other side has no number. */
interface PresentedPosition {
  /** Always null: the commit names what it is compared with. */
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
export interface PresentedDiffNote extends Omit<PresentedNote, 'type'> {
  type: 'DiffNote';
  commit_id: string;
  position: PresentedPosition;
}

/** Type of an event's target, by the names that v4 clients know. */
export type TargetType =
  'DiffNote' | 'Issue' | 'MergeRequest' | 'Milestone' | 'Note' | 'Project' | 'WikiPage::Meta';

/** Push to one ref or, in bulk, to several. */
export interface PresentedPush {
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

/** A page of a wiki. */
export interface PresentedWikiPage {
  /** @example "markdown" */
  format: string;
  /** @example "how-to/install" */
  slug: string;
  /** @example "install" */
  title: string;
}

/** Something that happened in a project. */
export interface PresentedEvent {
  id: number;
  /** Always null. */
  title: null;
  project_id: number;
  /** @example "commented on" */
  action_name: ActionName;
  /** null for pushes and for milestones that are gone. */
  target_id: number | null;
  /** Number of the target within the project; its id when it has no number. */
  target_iid: number | null;
  /** null for pushes. */
  target_type: TargetType | null;
  author_id: number;
  /** Of comments the title of what they stand beneath; null for pushes. */
  target_title: string | null;
  /** @format date-time */
  created_at: string;
  /** Of comments only. */
  note?: PresentedNote | PresentedDiffNote;
  /** Of wiki pages only. */
  wiki_page?: PresentedWikiPage;
  /** Of pushes only. */
  push_data?: PresentedPush;
  /** Absent once the user is deleted. */
  author?: PresentedUserBasic;
  /** null once the user is deleted. */
  author_username: string | null;
  imported: false;
  imported_from: 'none';
}

/** An event in the list of its project. */
export interface PresentedProjectEvent extends PresentedEvent {
  /** Always null. */
  data: null;
}
