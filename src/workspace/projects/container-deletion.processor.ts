import { Process, Processor } from '@nestjs/bull';
import { Logger } from '@nestjs/common';
import type { Job } from 'bull';
import { DataSource, type EntityManager } from 'typeorm';
import { RunEvery } from '../../core/durable-work/periodic-task.js';
import { JOB_NAMES, QUEUES, type DeleteContainerJob } from '../../core/durable-work/queues.js';
import { AuditLog, SYSTEM_ACTOR } from '../../core/audit/audit.service.js';
import { containerRepositoryKinds, type ContainerKind } from '../../git/repository-path.js';
import { RepositoryTrashService } from '../../git/repository-trash.service.js';
import { ContainerDeletionsRepository, DELETION_BATCH } from './container-deletions.repository.js';
import { Namespace } from '../../identity/users/namespace.entity.js';
import { InternalUsersRepository } from '../../identity/users/internal-users.repository.js';

const OVERDUE_SECONDS = 60;

/**
 * Deletes containers that are marked for it, named by jobs or by a sweep for lost jobs: of each
 * first the repositories, then the row, so that a worker that dies midway leaves a row that still
 * names the rest. Every step can be repeated, also by two workers concurrently.
 */
@Processor(QUEUES.deletions)
export class ContainerDeletionProcessor {
  private readonly logger = new Logger(ContainerDeletionProcessor.name);

  constructor(
    private readonly containers: ContainerDeletionsRepository,
    private readonly dataSource: DataSource,
    private readonly trash: RepositoryTrashService,
    private readonly audit: AuditLog,
    private readonly bots: InternalUsersRepository,
  ) {}

  @Process(JOB_NAMES[QUEUES.deletions])
  handle(job: Job<DeleteContainerJob>): Promise<void> {
    return this.carryOut(job.data);
  }

  /** Deletes containers that have been marked for a minute; one failure stops no other. */
  @RunEvery({ ms: 30_000, failureMessage: 'Looking for lost deletions failed' })
  async sweep(): Promise<void> {
    for (const container of await this.containers.findOverdue(OVERDUE_SECONDS)) {
      try {
        await this.carryOut(container);
      } catch (error) {
        this.logger.error(`Deletion of ${container.kind} ${container.id} failed: ${String(error)}`);
      }
    }
  }

  /** Does nothing for a container that is gone or not marked. */
  async carryOut({ kind, id }: DeleteContainerJob): Promise<void> {
    if (kind === 'project') await this.deleteHiddenProject(id);
    if (kind === 'group') await this.deleteGroup(id);
    if (kind === 'snippet') await this.deleteMarkedSnippet(id);
  }

  private async deleteGroup(id: number): Promise<void> {
    const groups = await this.containers.findHiddenGroups(id);
    if (!groups.includes(id)) return;
    await this.deleteProjectsBelow(id);
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

  private async deleteHiddenProject(id: number): Promise<void> {
    for (const project of await this.containers.findHiddenProject(id)) {
      await this.deleteProject(project);
    }
  }

  private async deleteProjectsBelow(groupId: number): Promise<void> {
    for (;;) {
      const ids = await this.containers.findHiddenProjectsBelow(groupId);
      for (const id of ids) await this.deleteProject(id);
      if (ids.length < DELETION_BATCH) return;
    }
  }

  private async deleteMarkedSnippet(id: number): Promise<void> {
    for (const snippet of await this.containers.findHiddenSnippet(id)) {
      await this.deleteSnippet(snippet);
    }
  }

  private deleteSnippet(id: number): Promise<void> {
    return this.withLocked('snippet', id, async (tx, storage) => {
      await this.discard('snippet', id, storage);
      await this.containers.deleteRow(tx, 'snippet', id);
    });
  }

  private async deleteProject(id: number): Promise<void> {
    for (const snippet of await this.containers.findSnippets(id)) {
      await this.deleteSnippet(snippet);
    }
    await this.withLocked('project', id, async (tx, storage) => {
      await this.discard('project', id, storage);
      await this.bots.deleteBotsOf(tx, 'project', id);
      const entry = { action: 'project_deleted', targetType: 'Project', targetId: id };
      await this.audit.record(tx, SYSTEM_ACTOR, entry);
      await this.containers.deleteRow(tx, 'project', id);
    });
    this.logger.log(`Deleted project ${id}`);
  }

  /**
   * Runs `work` while the container and its moves are locked; skips it if the container was
   * deleted. Throws while a move is active: the deletion is retried later.
   */
  private async withLocked(
    kind: ContainerKind,
    id: number,
    work: (tx: EntityManager, storage: string) => Promise<void>,
  ): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const storage = await this.containers.lockStorage(tx, kind, id);
      if (storage === null) return;
      if (await this.containers.isMoving(tx, kind, id)) {
        throw new Error(`A storage move of ${kind} ${id} is in progress`);
      }
      await work(tx, storage);
    });
  }

  private async discard(container: ContainerKind, id: number, storage: string): Promise<void> {
    await this.trash.discardStaleCopies(container, id, `${container}-${id} deleted`);
    for (const kind of containerRepositoryKinds[container]) {
      await this.trash.discard({ storage, kind, containerId: id }, `${container}-${id} deleted`);
    }
  }
}
