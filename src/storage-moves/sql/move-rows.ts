import type { EntityManager } from 'typeorm';
import { Conditions } from '../../core/sql/conditions.js';
import type { User } from '../../identity/users/user.entity.js';
import {
  MOVE_KIND_DESCRIPTIONS,
  type MoveKind,
  type MovePhase,
  type MoveState,
} from '../move-kinds.js';

export const MOVE_COLUMNS = `m.id, m.state, m.source_storage_name, m.destination_storage_name,
  m.error_message, m.phase, m.attempt, m.bytes_total, m.bytes_copied, m.bytes_per_second, m.checksum, m.created_at,
  m.updated_at, m.started_at, m.finished_at,
  round(extract(epoch FROM coalesce(m.writable_at, now()) - m.created_at), 3)::float8
    AS read_only_seconds`;

/** Columns of the moved container, by kind. */
export const CONTAINER_COLUMNS: Record<MoveKind, string> = {
  project: `c.id AS project_id, c.name AS project_name, c.path AS project_path,
    c.description AS project_description, c.created_at AS project_created_at,
    n.full_name AS namespace_full_name, n.full_path AS namespace_full_path`,
  snippet: `c.id AS snippet_id, c.title, c.description AS snippet_description, c.visibility,
    c.has_repository, c.created_at AS snippet_created_at, c.updated_at AS snippet_updated_at,
    c.project_id, n.full_path || '/' || p.path AS project_full_path, u.id AS author_id,
    u.username AS author_username, u.name AS author_name, u.state AS author_state,
    u.avatar AS author_avatar`,
  group: `c.id AS group_id, n.name AS group_name, n.full_path AS group_full_path`,
};

/** Joins the container of a move `m`, which always has one, by kind. */
export const CONTAINER_JOINS: Record<MoveKind, string> = {
  project: `JOIN projects c ON c.id = m.project_id JOIN namespaces n ON n.id = c.namespace_id`,
  snippet: `JOIN snippets c ON c.id = m.snippet_id
    JOIN users u ON u.id = c.author_id LEFT JOIN projects p ON p.id = c.project_id
    LEFT JOIN namespaces n ON n.id = p.namespace_id`,
  group: `JOIN groups c ON c.id = m.group_id JOIN namespaces n ON n.id = c.id`,
};

/** Returns the statement for the moves of a kind with their containers, without a condition. */
export function movesSql(kind: MoveKind): string {
  return `SELECT ${MOVE_COLUMNS}, ${CONTAINER_COLUMNS[kind]}
    FROM ${MOVE_KIND_DESCRIPTIONS[kind].table} m ${CONTAINER_JOINS[kind]}`;
}

/** Filters of lists of moves of any kind. */
export interface MoveListFilter {
  state?: MoveState | null | undefined;
  source_storage_name?: string | null | undefined;
  destination_storage_name?: string | null | undefined;
}

/** Conditions for `m`, a move of any kind. */
export function moveConditions(filter: MoveListFilter): Conditions {
  const where = new Conditions();
  const wanted = {
    'm.state': filter.state,
    'm.source_storage_name': filter.source_storage_name,
    'm.destination_storage_name': filter.destination_storage_name,
  };
  for (const [column, value] of Object.entries(wanted)) {
    if (value !== undefined && value !== null) where.and(`${column} = ${where.value(value)}`);
  }
  return where;
}

/** Columns of every move. */
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
  /** Throughput of the copy; null if it took less than a second. */
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

/** A move of any kind with its container. */
export type AnyMoveRow = { [K in MoveKind]: { kind: K; row: MoveRows[K] } }[MoveKind];

/** The row of the moves of each kind. */
export interface MoveRows {
  project: ProjectMoveRow;
  group: GroupMoveRow;
  snippet: SnippetMoveRow;
}

/**
 * Rows that a hand-written statement returns inside a transaction. (`EntityManager.query` wraps
 * those of an UPDATE in a pair with their count.)
 */
export async function transactionRows<T extends object>(
  tx: EntityManager,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  if (tx.queryRunner === undefined) throw new Error('Not inside a transaction');
  const result = await tx.queryRunner.query(text, values, true);
  return result.records as T[];
}
