import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { MOVE_KIND_DESCRIPTIONS } from './move-kinds.js';
import type { MoveRows } from './move-row.js';
import type { MoveKind, MoveState } from './move-states.js';

export interface MoveFilter {
  state?: MoveState | null;
  source_storage_name?: string | null;
  destination_storage_name?: string | null;
  /** Only moves of this container. */
  containerId?: number;
}

const MOVE_COLUMNS = `m.id, m.state, m.source_storage_name, m.destination_storage_name,
  m.error_message, m.phase, m.attempt, m.bytes_total, m.bytes_copied, m.bytes_per_second, m.checksum, m.created_at,
  m.updated_at, m.started_at, m.finished_at,
  round(extract(epoch FROM coalesce(m.writable_at, now()) - m.created_at), 3)::float8
    AS read_only_seconds`;

const CONTAINER_COLUMNS: Record<MoveKind, string> = {
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

const TABLES: Record<MoveKind, string> = {
  project: `project_repository_storage_moves m JOIN projects c ON c.id = m.project_id
    JOIN namespaces n ON n.id = c.namespace_id`,
  snippet: `snippet_repository_storage_moves m JOIN snippets c ON c.id = m.snippet_id
    JOIN users u ON u.id = c.author_id LEFT JOIN projects p ON p.id = c.project_id
    LEFT JOIN namespaces n ON n.id = p.namespace_id`,
  group: `group_repository_storage_moves m JOIN groups c ON c.id = m.group_id
    JOIN namespaces n ON n.id = c.id`,
};

/** Reads moves with what they move, newest first. */
@Injectable()
export class MoveFinder {
  constructor(private readonly sql: Sql) {}

  list<K extends MoveKind>(
    kind: K,
    filter: MoveFilter,
    paging: Paging,
  ): Promise<Page<MoveRows[K]>> {
    const conditions = conditionsOf(kind, filter);
    const query = {
      select: `${MOVE_COLUMNS}, ${CONTAINER_COLUMNS[kind]}`,
      from: TABLES[kind],
      where: conditions.toString(),
      orderBy: 'm.created_at DESC, m.id DESC',
      values: conditions.values,
    };
    return this.sql.page<MoveRows[K]>(query, paging);
  }

  /** Throws NotFoundError, also for a move of another container than the given one. */
  async get<K extends MoveKind>(kind: K, id: number, containerId?: number): Promise<MoveRows[K]> {
    const conditions = conditionsOf(kind, { containerId });
    conditions.and(`m.id = ${conditions.value(id)}`);
    const row = await this.sql.row<MoveRows[K]>(
      `SELECT ${MOVE_COLUMNS}, ${CONTAINER_COLUMNS[kind]} FROM ${TABLES[kind]} WHERE ${conditions.toString()}`,
      conditions.values,
    );
    if (row === null) throw new NotFoundError();
    return row;
  }
}

function conditionsOf(kind: MoveKind, filter: MoveFilter): Conditions {
  const { containerColumn } = MOVE_KIND_DESCRIPTIONS[kind];
  const conditions = new Conditions();
  const wanted = {
    [`m.${containerColumn}`]: filter.containerId,
    'm.state': filter.state,
    'm.source_storage_name': filter.source_storage_name,
    'm.destination_storage_name': filter.destination_storage_name,
  };
  for (const [column, value] of Object.entries(wanted)) {
    if (value !== undefined && value !== null)
      conditions.and(`${column} = ${conditions.value(value)}`);
  }
  return conditions;
}
