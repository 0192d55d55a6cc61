import type { PresentedGroupBasic } from '../groups/presented-group.js';
import type { VisibilityName } from '../members/visibility.js';
import type { PresentedProjectIdentity } from '../projects/presented-project.js';
import type { SnippetLinks } from '../snippets/snippet.presenter.js';
import type { PresentedUserBasic } from '../users/presented-user.js';
import type { MovePhase, MoveState } from './move-states.js';

/** A move as clients know it, with fields of our own that say how far it is and why it ended. */
export interface PresentedMove {
  id: number;
  /** @format date-time */
  created_at: string;
  state: MoveState;
  /** @example "default" */
  source_storage_name: string;
  /** @example "storage2" */
  destination_storage_name: string;
  /**
   * Why the move failed, at most 256 characters.
   * @example "Cancelled by root"
   */
  error_message: string | null;
  /** @format date-time */
  updated_at: string;
  /** @format date-time */
  started_at: string | null;
  /** @format date-time */
  finished_at: string | null;
  /** How often workers have begun it. */
  attempts: number;
  /** Where a running move stands; finer than its state. */
  phase: MovePhase;
  /** Known once the source has been looked at. */
  bytes_total: number | null;
  bytes_copied: number;
  /** Rate of the copy; null for one that took less than a second. */
  bytes_per_second: number | null;
  /** Until all is copied at the rate so far; null when nothing is being copied. */
  eta_seconds: number | null;
  /**
   * How long the container was, or has been, read-only.
   * @format double
   * @example 2.417
   */
  read_only_seconds: number;
  /**
   * Of the references that were moved.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
   */
  checksum: string | null;
}

/** A move of a project's repositories. */
export interface PresentedProjectMove extends PresentedMove {
  project: PresentedProjectIdentity;
}

/** A move of a group's wiki repository. */
export interface PresentedGroupMove extends PresentedMove {
  group: PresentedGroupBasic;
}

/** A snippet as its moves mention it; the addresses to clone are there once a repository is. */
export interface PresentedMovedSnippet extends SnippetLinks {
  id: number;
  /** @example "Sharpening script" */
  title: string;
  description: string | null;
  visibility: VisibilityName;
  author: PresentedUserBasic;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  /** null for a personal snippet. */
  project_id: number | null;
}

/** A move of a snippet's repository. */
export interface PresentedSnippetMove extends PresentedMove {
  snippet: PresentedMovedSnippet;
}

/** The form of the moves of each kind. */
export interface PresentedMoves {
  project: PresentedProjectMove;
  group: PresentedGroupMove;
  snippet: PresentedSnippetMove;
}
