import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, SYSTEM_ACTOR } from '../core/audit/audit.service.js';
import type { DeleteContainerJob } from '../core/queue/queues.js';
import { Sql } from '../core/sql/sql.service.js';
import { containerRepositoryKinds, type ContainerKind } from '../git/repository-path.js';
import { RepositoryTrashService } from '../git/repository-trash.service.js';
import { Namespace } from '../users/namespace.entity.js';
import { InternalUsersRepository } from '../users/internal-users.repository.js';

const TABLES: Record<ContainerKind, string> = {
  project: 'projects',
  snippet: 'snippets',
  group: 'groups',
};

const BATCH = 100;

/**
 * Carries out accepted deletions: of each container first the repositories, then the row, so that
 * a worker that dies midway leaves a row that still says where the rest is. Everything may be done
 * twice, also by two workers at once.
 */
@Injectable()
export class ContainerDeletion {
  private readonly logger = new Logger(ContainerDeletion.name);

  constructor(
    private readonly sql: Sql,
    private readonly dataSource: DataSource,
    private readonly trash: RepositoryTrashService,
    private readonly audit: AuditTrail,
    private readonly bots: InternalUsersRepository,
  ) {}

  /** Does nothing for a container that is gone or not marked. */
  async carryOut({ kind, id }: DeleteContainerJob): Promise<void> {
    if (kind === 'project') await this.deleteProjects('p.id = $1', id);
    if (kind === 'group') await this.deleteGroup(id);
    if (kind === 'snippet') await this.deleteMarkedSnippet(id);
  }

  /** Marked containers whose job was lost; groups stand for what is in them. */
  overdue(seconds: number): Promise<DeleteContainerJob[]> {
    return this.sql.rows<DeleteContainerJob>(
      `SELECT 'group' AS kind, g.id FROM groups g JOIN namespaces n ON n.id = g.id
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
       LIMIT ${BATCH}`,
      [seconds],
    );
  }

  private async deleteGroup(id: number): Promise<void> {
    const below = 'SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1::bigint]';
    const groups = await this.idsOf(
      `SELECT id FROM groups WHERE id IN (${below}) AND pending_delete`,
      id,
    );
    if (!groups.includes(id)) return;
    await this.deleteProjects(`p.namespace_id IN (${below})`, id);
    for (const group of groups) {
      await this.withLocked('group', group, (_, storage) => this.discard('group', group, storage));
    }
    await this.dataSource.transaction(async (tx) => {
      for (const group of groups) await this.bots.deleteBotsOf(tx, 'group', group);
      const lock = { mode: 'pessimistic_write' } as const;
      const namespace = await tx.findOne(Namespace, { where: { id }, lock });
      // Another worker with the same task was faster.
      if (namespace === null) return;
      const entry = { action: 'group_deleted', targetType: 'Group', targetId: id };
      await this.audit.record(tx, SYSTEM_ACTOR, entry);
      await tx.delete(Namespace, { id });
    });
    this.logger.log(`Deleted group ${id} and ${groups.length - 1} groups below it`);
  }

  private async deleteProjects(condition: string, value: number): Promise<void> {
    for (;;) {
      const ids = await this.idsOf(
        `SELECT p.id FROM projects p
         WHERE p.pending_delete AND ${condition} ORDER BY p.id LIMIT ${BATCH}`,
        value,
      );
      for (const id of ids) await this.deleteProject(id);
      if (ids.length < BATCH) return;
    }
  }

  private async deleteMarkedSnippet(id: number): Promise<void> {
    const marked = await this.idsOf('SELECT id FROM snippets WHERE id = $1 AND pending_delete', id);
    for (const snippet of marked) await this.deleteSnippet(snippet);
  }

  private deleteSnippet(id: number): Promise<void> {
    return this.withLocked('snippet', id, async (tx, storage) => {
      await this.discard('snippet', id, storage);
      await tx.query('DELETE FROM snippets WHERE id = $1', [id]);
    });
  }

  private async deleteProject(id: number): Promise<void> {
    for (const snippet of await this.idsOf('SELECT id FROM snippets WHERE project_id = $1', id)) {
      await this.deleteSnippet(snippet);
    }
    await this.withLocked('project', id, async (tx, storage) => {
      await this.discard('project', id, storage);
      await this.bots.deleteBotsOf(tx, 'project', id);
      const entry = { action: 'project_deleted', targetType: 'Project', targetId: id };
      await this.audit.record(tx, SYSTEM_ACTOR, entry);
      await tx.query('DELETE FROM projects WHERE id = $1', [id]);
    });
    this.logger.log(`Deleted project ${id}`);
  }

  /**
   * Runs `work` while nobody else can change the container or schedule a move of it; not at all
   * when it is gone. Throws while a move is active: the deletion is tried again later.
   */
  private async withLocked(
    kind: ContainerKind,
    id: number,
    work: (tx: EntityManager, storage: string) => Promise<void>,
  ): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const rows: { storage: string }[] = await tx.query(
        `SELECT repository_storage AS storage FROM ${TABLES[kind]} WHERE id = $1 FOR UPDATE`,
        [id],
      );
      const [row] = rows;
      if (row === undefined) return;
      const moves: unknown[] = await tx.query(
        `SELECT 1 FROM ${kind}_repository_storage_moves WHERE ${kind}_id = $1
           AND state IN ('initial', 'scheduled', 'started', 'replicated')`,
        [id],
      );
      if (moves.length > 0) throw new Error(`A storage move of ${kind} ${id} is in progress`);
      await work(tx, row.storage);
    });
  }

  private async discard(container: ContainerKind, id: number, storage: string): Promise<void> {
    await this.trash.discardStaleCopies(container, id, `${container}-${id} deleted`);
    for (const kind of containerRepositoryKinds[container]) {
      await this.trash.discard({ storage, kind, containerId: id }, `${container}-${id} deleted`);
    }
  }

  private async idsOf(text: string, value: number): Promise<number[]> {
    const rows = await this.sql.rows<{ id: number }>(text, [value]);
    return rows.map(({ id }) => id);
  }
}
