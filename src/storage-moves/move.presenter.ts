import { presentUserBasic, type UserBasicResponse } from '../identity/users/user.presenter.js';
import { type GroupBasicResponse, presentGroupBasic } from '../workspace/groups/group.response.js';
import { type VisibilityName, visibilityName } from '../identity/members/visibility.js';
import type { ProjectIdentityResponse } from '../workspace/projects/project.response.js';
import { presentSnippetLinks, type SnippetLinks } from '../workspace/snippets/snippet.presenter.js';
import type { MoveKind, MovePhase, MoveState } from './move-kinds.js';
import { presentProjectIdentity } from '../workspace/projects/project.presenter.js';
import type {
  GroupMoveRow,
  MoveRow,
  MoveRows,
  ProjectMoveRow,
  SnippetMoveRow,
} from './sql/move-rows.js';

/** Move for clients, with additional fields about its progress and failure. */
export interface MoveResponse {
  id: number;
  /** @format date-time */
  created_at: string;
  state: MoveState;
  /** @example "default" */
  source_storage_name: string;
  /** @example "storage2" */
  destination_storage_name: string;
  /**
   * Reason for the failure, at most 256 characters.
   * @example "Cancelled by root"
   */
  error_message: string | null;
  /** @format date-time */
  updated_at: string;
  /** @format date-time */
  started_at: string | null;
  /** @format date-time */
  finished_at: string | null;
  /** Number of attempts. */
  attempts: number;
  /** Phase of a running move; finer than its state. */
  phase: MovePhase;
  /** Known after the preflight check. */
  bytes_total: number | null;
  bytes_copied: number;
  /** Throughput of the copy; null if it took less than a second. */
  bytes_per_second: number | null;
  /** Remaining copy time at the current rate; null when nothing is being copied. */
  eta_seconds: number | null;
  /**
   * Time that the container was read-only, in seconds.
   * @format double
   * @example 2.417
   */
  read_only_seconds: number;
  /**
   * Checksum of the moved references.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
   */
  checksum: string | null;
}

/**
 * A move of a project's repositories.
 * @route project
 */
interface ProjectMoveResponse extends MoveResponse {
  project: ProjectIdentityResponse;
}

/**
 * A move of a group's wiki repository.
 * @route group
 */
interface GroupMoveResponse extends MoveResponse {
  group: GroupBasicResponse;
}

/** Snippet in a move; clone URLs are present if it has a repository. */
interface MovedSnippetResponse extends SnippetLinks {
  id: number;
  /** @example "Sharpening script" */
  title: string;
  description: string | null;
  visibility: VisibilityName;
  author: UserBasicResponse;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  /** null for a personal snippet. */
  project_id: number | null;
}

/**
 * A move of a snippet's repository.
 * @route snippet
 */
interface SnippetMoveResponse extends MoveResponse {
  snippet: MovedSnippetResponse;
}

/** A move of any kind. */
export type StorageMoveResponse = ProjectMoveResponse | GroupMoveResponse | SnippetMoveResponse;

/** Returns the attributes of moves of all kinds. */
function presentShared(row: MoveRow): MoveResponse {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    state: row.state,
    source_storage_name: row.source_storage_name,
    destination_storage_name: row.destination_storage_name,
    error_message: row.error_message,
    updated_at: row.updated_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    attempts: row.attempt,
    phase: row.phase,
    bytes_total: row.bytes_total,
    bytes_copied: row.bytes_copied,
    bytes_per_second: row.bytes_per_second,
    eta_seconds: secondsLeft(row),
    read_only_seconds: row.read_only_seconds,
    checksum: row.checksum,
  };
}

/** Returns the remaining seconds at the current rate; null when nothing is being copied. */
function secondsLeft(row: MoveRow): number | null {
  const { state, phase, bytes_total: total, bytes_copied: copied, bytes_per_second: rate } = row;
  if (state !== 'started' || phase !== 'copying' || total === null || !rate) return null;
  return Math.ceil(Math.max(0, total - copied) / rate);
}

/** A move of a project's repositories. */
function presentProjectMove(row: ProjectMoveRow): ProjectMoveResponse {
  return Object.assign(presentShared(row), {
    project: presentProjectIdentity({
      id: row.project_id,
      description: row.project_description,
      name: row.project_name,
      path: row.project_path,
      namespace: { fullName: row.namespace_full_name, fullPath: row.namespace_full_path },
      createdAt: row.project_created_at,
    }),
  });
}

/** A move of a group's wiki repository. */
function presentGroupMove(row: GroupMoveRow, baseUrl: string): GroupMoveResponse {
  const group = { id: row.group_id, name: row.group_name, fullPath: row.group_full_path };
  return Object.assign(presentShared(row), { group: presentGroupBasic(group, baseUrl) });
}

/** A move of a snippet's repository, with clone URLs if it has one. */
function presentSnippetMove(row: SnippetMoveRow, baseUrl: string): SnippetMoveResponse {
  const author = {
    id: row.author_id,
    username: row.author_username,
    name: row.author_name,
    state: row.author_state,
    avatar: row.author_avatar,
  };
  const snippet = {
    id: row.snippet_id,
    projectFullPath: row.project_full_path,
    hasRepository: row.has_repository,
  };
  return Object.assign(presentShared(row), {
    snippet: {
      id: row.snippet_id,
      title: row.title,
      description: row.snippet_description,
      visibility: visibilityName(row.visibility),
      author: presentUserBasic(author, baseUrl),
      created_at: row.snippet_created_at.toISOString(),
      updated_at: row.snippet_updated_at.toISOString(),
      project_id: row.project_id,
      ...presentSnippetLinks(snippet, baseUrl),
    },
  });
}

const PRESENTERS: { [K in MoveKind]: (row: MoveRows[K], baseUrl: string) => StorageMoveResponse } =
  {
    project: presentProjectMove,
    group: presentGroupMove,
    snippet: presentSnippetMove,
  };

/** A move of any kind in the form of its kind. */
export function presentMove<K extends MoveKind>(
  kind: K,
  row: MoveRows[K],
  baseUrl: string,
): StorageMoveResponse {
  return PRESENTERS[kind](row, baseUrl);
}
