import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import type { ContainerState } from '../git/containers.repository.js';
import type { SnippetRow } from '../workspace/snippets/snippets.repository.js';
import { MOVE_KIND_DESCRIPTIONS, type MoveKind, type MoveState } from './move-kinds.js';
import {
  CONTAINER_COLUMNS,
  CONTAINER_JOINS,
  MOVE_COLUMNS,
  moveConditions,
  movesSql,
  transactionRows,
  type MoveListFilter,
  type MoveRows,
} from './sql/move-rows.js';

interface MoveFilter extends MoveListFilter {
  /** Only moves of this container. */
  containerId?: number;
}

/** A container that could move. */
export interface MovableContainer extends ContainerState {
  hasRepository: boolean;
}

/** The route of a move to be scheduled. */
export interface NewMove {
  containerId: number;
  source: string;
  destination: string;
  createdById: number | undefined;
}

interface LockedMove {
  state: MoveState;
  attempt: number;
  containerId: number;
}

/**
 * Owns the statements by which moves of all three kinds are requested, cancelled and read; workers
 * have `worker/move-leases.repository.ts`.
 */
@Injectable()
export class StorageMovesRepository {
  constructor(private readonly queries: Sql) {}

  /** Returns one page of moves with their containers, newest first. */
  list<K extends MoveKind>(
    kind: K,
    filter: MoveFilter,
    paging: Paging,
  ): Promise<Page<MoveRows[K]>> {
    const where = conditions(kind, filter);
    const query = {
      select: `${MOVE_COLUMNS}, ${CONTAINER_COLUMNS[kind]}`,
      from: `${MOVE_KIND_DESCRIPTIONS[kind].table} m`,
      joins: CONTAINER_JOINS[kind],
      where: where.toString(),
      orderBy: 'm.created_at DESC, m.id DESC',
      values: where.values,
    };
    return this.queries.page<MoveRows[K]>(query, paging);
  }

  /** Throws NotFoundError, also for a move of another container than the given one. */
  async findMove<K extends MoveKind>(
    kind: K,
    id: number,
    containerId?: number,
  ): Promise<MoveRows[K]> {
    const where = conditions(kind, { containerId });
    where.and(`m.id = ${where.value(id)}`);
    const row = await this.queries.row<MoveRows[K]>(
      `${movesSql(kind)} WHERE ${where.toString()}`,
      where.values,
    );
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Returns a move's state, container and destination; throws NotFoundError. */
  async findRoute(
    kind: MoveKind,
    id: number,
  ): Promise<{ state: MoveState; containerId: number; destination: string }> {
    const { table, containerColumn } = MOVE_KIND_DESCRIPTIONS[kind];
    const move = await this.queries.row<{
      state: MoveState;
      containerId: number;
      destination: string;
    }>(
      `SELECT state, ${containerColumn} AS "containerId", destination_storage_name AS destination
       FROM ${table} WHERE id = $1`,
      [id],
    );
    if (move === null) throw new NotFoundError();
    return move;
  }

  /** Locks a container until the transaction ends; throws NotFoundError. */
  async lockContainer(manager: EntityManager, kind: MoveKind, id: number): Promise<ContainerState> {
    const { containerTable, isAlive, noun } = MOVE_KIND_DESCRIPTIONS[kind];
    const [container] = await transactionRows<ContainerState>(
      manager,
      `SELECT c.repository_storage AS storage, c.repository_read_only AS "readOnly"
     FROM ${containerTable} c WHERE c.id = $1 AND ${isAlive} FOR NO KEY UPDATE`,
      [id],
    );
    if (container === undefined) throw new NotFoundError(noun);
    return container;
  }

  /** Adds a scheduled move, makes its container read-only and returns the move's ID. */
  async schedule(
    manager: EntityManager,
    kind: MoveKind,
    { containerId, source, destination, createdById }: NewMove,
  ): Promise<number> {
    const { table, containerTable, containerColumn } = MOVE_KIND_DESCRIPTIONS[kind];
    const [row] = await transactionRows<{ id: number }>(
      manager,
      `WITH move AS (
         INSERT INTO ${table} (${containerColumn}, state, source_storage_name,
           destination_storage_name, created_by_id)
         VALUES ($1, 'scheduled', $2, $3, $4) RETURNING id
       )
       UPDATE ${containerTable} c SET repository_read_only = true, read_only_move_id = move.id
       FROM move WHERE c.id = $1 RETURNING move.id`,
      [containerId, source, destination, createdById ?? null],
    );
    if (row === undefined) throw new Error(`No row for the move of ${kind} ${containerId}`);
    return row.id;
  }

  /** Locks a move until the transaction ends; throws NotFoundError. */
  async lock(manager: EntityManager, kind: MoveKind, id: number): Promise<LockedMove> {
    const { table, containerColumn } = MOVE_KIND_DESCRIPTIONS[kind];
    const [move] = await transactionRows<LockedMove>(
      manager,
      `SELECT state, attempt, ${containerColumn} AS "containerId" FROM ${table}
       WHERE id = $1 FOR UPDATE`,
      [id],
    );
    if (move === undefined) throw new NotFoundError();
    return move;
  }

  /** Fails a move that no worker holds and makes its container writable again. */
  async failScheduled(
    manager: EntityManager,
    kind: MoveKind,
    { id, message, username }: { id: number; message: string; username: string },
  ): Promise<void> {
    const { table, containerTable, containerColumn } = MOVE_KIND_DESCRIPTIONS[kind];
    await manager.query(
      `WITH cancelled AS (
       UPDATE ${table} SET state = 'failed', error_message = $2, cancelled_by = $3, phase = 'done',
         writable_at = now(), finished_at = now(), updated_at = now()
       WHERE id = $1 RETURNING id, ${containerColumn} AS container_id
     )
     UPDATE ${containerTable} c SET repository_read_only = false, read_only_move_id = NULL
     FROM cancelled WHERE c.id = cancelled.container_id AND c.read_only_move_id = cancelled.id`,
      [id, message, username],
    );
  }

  /** Asks the worker of a running move to cancel it. */
  async requestCancellation(
    manager: EntityManager,
    kind: MoveKind,
    { id, username }: { id: number; username: string },
  ): Promise<void> {
    await manager.query(
      `UPDATE ${MOVE_KIND_DESCRIPTIONS[kind].table} SET cancelled_by = coalesce(cancelled_by, $2), updated_at = now()
     WHERE id = $1`,
      [id, username],
    );
  }

  /** Throws NotFoundError for a container that does not exist or is being deleted. */
  async findContainer(kind: MoveKind, id: number): Promise<MovableContainer> {
    const { containerTable, isAlive, noun, hasRepository } = MOVE_KIND_DESCRIPTIONS[kind];
    const row = await this.queries.row<MovableContainer>(
      `SELECT c.repository_storage AS storage, c.repository_read_only AS "readOnly",
              ${hasRepository} AS "hasRepository"
       FROM ${containerTable} c WHERE c.id = $1 AND ${isAlive}`,
      [id],
    );
    if (row === null) throw new NotFoundError(noun);
    return row;
  }

  /** Counts the containers of a kind on a storage, and those that are read-only now. */
  async countContainers(
    kind: MoveKind,
    storage: string,
  ): Promise<{ containers: number; busy: number }> {
    const { containerTable, isAlive } = MOVE_KIND_DESCRIPTIONS[kind];
    const counts = await this.queries.row<{ containers: number; busy: number }>(
      `SELECT count(*)::int AS containers,
              count(*) FILTER (WHERE c.repository_read_only)::int AS busy
       FROM ${containerTable} c WHERE c.repository_storage = $1 AND ${isAlive}`,
      [storage],
    );
    return counts ?? { containers: 0, busy: 0 };
  }

  async snippetExists(id: number): Promise<boolean> {
    return (await this.queries.row('SELECT id FROM snippets WHERE id = $1', [id])) !== null;
  }

  /** Returns the project and the author of a snippet, or null without it. */
  async findSnippetOwner(
    manager: EntityManager,
    id: number,
  ): Promise<Pick<SnippetRow, 'projectId' | 'authorId'> | null> {
    const [snippet] = await transactionRows<Pick<SnippetRow, 'projectId' | 'authorId'>>(
      manager,
      'SELECT project_id AS "projectId", author_id AS "authorId" FROM snippets WHERE id = $1',
      [id],
    );
    return snippet ?? null;
  }
}

function conditions(kind: MoveKind, { containerId, ...filter }: MoveFilter): Conditions {
  const where = moveConditions(filter);
  const { containerColumn } = MOVE_KIND_DESCRIPTIONS[kind];
  if (containerId !== undefined) where.and(`m.${containerColumn} = ${where.value(containerId)}`);
  return where;
}
