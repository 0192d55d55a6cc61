import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { DeleteContainerJob } from '../../core/durable-work/queues.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { ContainerKind } from '../../git/repository-path.js';
import { Project } from './project.entity.js';

/** Containers of one read. */
export const DELETION_BATCH = 100;

const TABLES: Record<ContainerKind, string> = {
  project: 'projects',
  snippet: 'snippets',
  group: 'groups',
};

const ACTIVE = `state IN ('initial', 'scheduled', 'started', 'replicated')`;

const MOVING_SQL = `
  SELECT EXISTS (SELECT 1 FROM project_repository_storage_moves
                 WHERE project_id = $1 AND ${ACTIVE}) AS project,
    EXISTS (SELECT 1 FROM snippet_repository_storage_moves JOIN snippets s ON s.id = snippet_id
            WHERE s.project_id = $1 AND ${ACTIVE}) AS snippets`;

/** A group includes everything in it. */
const OVERDUE_SQL = `
  SELECT 'group' AS kind, g.id FROM groups g JOIN namespaces n ON n.id = g.id
    LEFT JOIN groups above ON above.id = n.parent_id
  WHERE g.pending_delete AND above.pending_delete IS NOT TRUE
    AND n.updated_at < now() - make_interval(secs => $1)
  UNION ALL
  SELECT 'project' AS kind, p.id FROM projects p LEFT JOIN groups g ON g.id = p.namespace_id
  WHERE p.pending_delete AND g.pending_delete IS NOT TRUE
    AND p.updated_at < now() - make_interval(secs => $1)
  UNION ALL
  SELECT 'snippet' AS kind, id FROM snippets
  WHERE pending_delete AND updated_at < now() - make_interval(secs => $1)
  LIMIT ${DELETION_BATCH}`;

const BELOW = 'SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1::bigint]';

const HIDDEN_GROUPS_SQL = `SELECT id FROM groups WHERE id IN (${BELOW}) AND pending_delete`;

const hiddenProjectsSql = (condition: string): string => `
  SELECT p.id FROM projects p
  WHERE p.pending_delete AND ${condition} ORDER BY p.id LIMIT ${DELETION_BATCH}`;

const HIDDEN_PROJECT_SQL = hiddenProjectsSql('p.id = $1');
const HIDDEN_PROJECTS_BELOW_SQL = hiddenProjectsSql(`p.namespace_id IN (${BELOW})`);

/** Owns the statements that hide projects and delete hidden projects, groups and snippets. */
@Injectable()
export class ContainerDeletionsRepository extends Repository<Project> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Project, dataSource.manager);
  }

  /** Hides a project. Locks the row that scheduling a move locks as well. */
  async hideProject(manager: EntityManager, id: number): Promise<void> {
    await manager.query(
      'UPDATE projects SET pending_delete = true, updated_at = now() WHERE id = $1',
      [id],
    );
  }

  /** Returns whether the repositories of a project or of its snippets are being moved. */
  async findMoves(
    manager: EntityManager,
    projectId: number,
  ): Promise<{ project: boolean; snippets: boolean }> {
    const rows = await manager.query<{ project: boolean; snippets: boolean }[]>(MOVING_SQL, [
      projectId,
    ]);
    return rows[0] ?? { project: false, snippets: false };
  }

  /** Returns containers that have been hidden for longer than `seconds`. */
  findOverdue(seconds: number): Promise<DeleteContainerJob[]> {
    return this.queries.rows<DeleteContainerJob>(OVERDUE_SQL, [seconds]);
  }

  /** Returns the hidden ones of a group and all groups below it. */
  findHiddenGroups(groupId: number): Promise<number[]> {
    return this.findIds(HIDDEN_GROUPS_SQL, groupId);
  }

  /** Returns the project when it is hidden. */
  findHiddenProject(id: number): Promise<number[]> {
    return this.findIds(HIDDEN_PROJECT_SQL, id);
  }

  /** Returns the first hidden projects in a group and all groups below it. */
  findHiddenProjectsBelow(groupId: number): Promise<number[]> {
    return this.findIds(HIDDEN_PROJECTS_BELOW_SQL, groupId);
  }

  /** Returns the snippet when it is hidden. */
  findHiddenSnippet(id: number): Promise<number[]> {
    return this.findIds('SELECT id FROM snippets WHERE id = $1 AND pending_delete', id);
  }

  /** Returns the snippets of a project. */
  findSnippets(projectId: number): Promise<number[]> {
    return this.findIds('SELECT id FROM snippets WHERE project_id = $1', projectId);
  }

  /** Locks a container and returns its storage; null when it is gone. */
  async lockStorage(
    manager: EntityManager,
    kind: ContainerKind,
    id: number,
  ): Promise<string | null> {
    const rows = await manager.query<{ storage: string }[]>(
      `SELECT repository_storage AS storage FROM ${TABLES[kind]} WHERE id = $1 FOR UPDATE`,
      [id],
    );
    return rows[0]?.storage ?? null;
  }

  /** Returns true while a storage move of the container is active. */
  async isMoving(manager: EntityManager, kind: ContainerKind, id: number): Promise<boolean> {
    const moves = await manager.query<unknown[]>(
      `SELECT 1 FROM ${kind}_repository_storage_moves WHERE ${kind}_id = $1
         AND state IN ('initial', 'scheduled', 'started', 'replicated')`,
      [id],
    );
    return moves.length > 0;
  }

  /** Deletes the row of a project or snippet. */
  async deleteRow(manager: EntityManager, kind: 'project' | 'snippet', id: number): Promise<void> {
    await manager.query(`DELETE FROM ${TABLES[kind]} WHERE id = $1`, [id]);
  }

  private async findIds(text: string, value: number): Promise<number[]> {
    const rows = await this.queries.rows<{ id: number }>(text, [value]);
    return rows.map(({ id }) => id);
  }
}
