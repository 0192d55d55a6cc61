import type { User } from '../users/user.entity.js';
import type { MovePhase, MoveState } from './move-states.js';

/** What every move shows, whatever it moves. */
export interface MoveRow {
  id: number;
  state: MoveState;
  source_storage_name: string;
  destination_storage_name: string;
  error_message: string | null;
  phase: MovePhase;
  attempt: number;
  bytes_total: number | null;
  bytes_copied: number;
  /** Of the copy; null for one that took less than a second. */
  bytes_per_second: number | null;
  read_only_seconds: number;
  checksum: string | null;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface ProjectMoveRow extends MoveRow {
  project_id: number;
  project_name: string;
  project_path: string;
  project_description: string | null;
  project_created_at: Date;
  namespace_full_name: string;
  namespace_full_path: string;
}

export interface GroupMoveRow extends MoveRow {
  group_id: number;
  group_name: string;
  group_full_path: string;
}

export interface SnippetMoveRow extends MoveRow {
  snippet_id: number;
  title: string;
  snippet_description: string | null;
  visibility: number;
  has_repository: boolean;
  snippet_created_at: Date;
  snippet_updated_at: Date;
  project_id: number | null;
  project_full_path: string | null;
  author_id: number;
  author_username: string;
  author_name: string;
  author_state: User['state'];
  author_avatar: string | null;
}

/** The row of the moves of each kind. */
export interface MoveRows {
  project: ProjectMoveRow;
  group: GroupMoveRow;
  snippet: SnippetMoveRow;
}
