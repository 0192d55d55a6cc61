import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail, SYSTEM_ACTOR } from '../core/audit/audit.service.js';
import type { DeleteContainerJob } from '../core/queue/queues.js';
import { Sql } from '../core/sql/sql.service.js';
import { containerRepositoryKinds, type ContainerKind } from '../git/repository-path.js';
import { RepositoryTrashService } from '../git/repository-trash.service.js';

interface StoredContainer {
  id: number;
  storage: string;
}

const BATCH = 100;

/**
 * Carries out accepted deletions: repositories first, rows last, so that a worker that dies midway
 * leaves a row that still says where the rest is. Everything may be done twice, also by two
 * workers at once.
 */
@Injectable()
export class ContainerDeletion {
  private readonly logger = new Logger(ContainerDeletion.name);

  constructor(
    private readonly sql: Sql,
    private readonly dataSource: DataSource,
    private readonly trash: RepositoryTrashService,
    private readonly audit: AuditTrail,
  ) {}

  /** Does nothing for a container that is gone or not marked. */
  async carryOut({ kind, id }: DeleteContainerJob): Promise<void> {
    if (kind === 'project') await this.deleteProjects('p.id = $1', id);
    if (kind === 'group') await this.deleteGroup(id);
  }

  /** Marked containers whose job was lost, oldest mark first; groups before what is in them. */
  async overdue(seconds: number): Promise<DeleteContainerJob[]> {
    const rows = await this.sql.rows<DeleteContainerJob>(
      `SELECT 'group' AS kind, g.id FROM groups g JOIN namespaces n ON n.id = g.id
         LEFT JOIN groups above ON above.id = n.parent_id
       WHERE g.pending_delete AND above.pending_delete IS NOT TRUE
         AND n.updated_at < now() - make_interval(secs => $1)
       UNION ALL
       SELECT 'project' AS kind, p.id FROM projects p LEFT JOIN groups g ON g.id = p.namespace_id
       WHERE p.pending_delete AND g.pending_delete IS NOT TRUE
         AND p.updated_at < now() - make_interval(secs => $1)
       LIMIT ${BATCH}`,
      [seconds],
    );
    return rows;
  }

  private async deleteGroup(id: number): Promise<void> {
    const below = 'SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1::bigint]';
    const groups = await this.sql.rows<StoredContainer>(
      `SELECT id, repository_storage AS storage FROM groups
       WHERE id IN (${below}) AND pending_delete`,
      [id],
    );
    if (!groups.some((group) => group.id === id)) return;
    await this.deleteProjects(`p.namespace_id IN (${below})`, id);
    for (const group of groups) await this.discardRepositories('group', group);
    await this.dataSource.transaction(async (tx) => {
      await tx.query('DELETE FROM namespaces WHERE id = $1', [id]);
      const entry = { action: 'group_deleted', targetType: 'Group', targetId: id };
      await this.audit.record(tx, SYSTEM_ACTOR, entry);
    });
    this.logger.log(`Deleted group ${id} and ${groups.length - 1} groups below it`);
  }

  private async deleteProjects(condition: string, value: number): Promise<void> {
    for (;;) {
      const projects = await this.sql.rows<StoredContainer>(
        `SELECT p.id, p.repository_storage AS storage FROM projects p
         WHERE p.pending_delete AND ${condition} ORDER BY p.id LIMIT ${BATCH}`,
        [value],
      );
      for (const project of projects) await this.deleteProject(project);
      if (projects.length < BATCH) return;
    }
  }

  private async deleteProject(project: StoredContainer): Promise<void> {
    const { id } = project;
    const snippets = await this.sql.rows<StoredContainer>(
      'SELECT id, repository_storage AS storage FROM snippets WHERE project_id = $1',
      [id],
    );
    for (const snippet of snippets) await this.discardRepositories('snippet', snippet);
    await this.discardRepositories('project', project);
    await this.dataSource.transaction(async (tx) => {
      await tx.query('DELETE FROM snippets WHERE project_id = $1', [id]);
      await tx.query('DELETE FROM projects WHERE id = $1', [id]);
      const entry = { action: 'project_deleted', targetType: 'Project', targetId: id };
      await this.audit.record(tx, SYSTEM_ACTOR, entry);
    });
    this.logger.log(`Deleted project ${id} with ${snippets.length} snippets`);
  }

  private async discardRepositories(
    container: ContainerKind,
    { id, storage }: StoredContainer,
  ): Promise<void> {
    for (const kind of containerRepositoryKinds[container]) {
      await this.trash.discard({ storage, kind, containerId: id }, `${container}-${id} deleted`);
    }
  }
}
