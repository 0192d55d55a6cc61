import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor, type AuditEntry } from '../../core/audit/audit.service.js';
import { ConflictError, ForbiddenError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES, type DeleteContainerJob } from '../../core/durable-work/queues.js';
import { InternalUsersRepository, type InternalUser } from './internal-users.repository.js';
import { NamespacesRepository } from './namespaces.repository.js';
import { UserDeletionsRepository, type HiddenContainer } from './user-deletions.repository.js';
import { User, type UserState } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** User to delete, and the preconditions. */
interface UserDeletion {
  id: number;
  preconditions: Preconditions;
  /** Refuses users in another state (a rejection is for those who wait for approval). */
  onlyState?: UserState;
  /** Also deletes the user's contributions and the groups without another owner. */
  isHard?: boolean;
}

/**
 * Deletes users: the user is gone with the commit, username and email are free immediately.
 * Projects of the user's namespace are handed to the ghost user as deleted and a worker removes
 * them; contributions go to the ghost user, or are deleted with a hard deletion; the worker erases
 * the user's events.
 */
@Injectable()
export class UserDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersRepository,
    private readonly audit: AuditLog,
    private readonly namespaces: NamespacesRepository,
    private readonly internalUsers: InternalUsersRepository,
    private readonly deletions: UserDeletionsRepository,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Throws 404 for an unknown user, 412 when it changed since the client looked, 409 for the only
   * active administrator, for the only owner of a group unless it is hard, and while a repository
   * to be deleted is being moved.
   */
  async delete(deletion: UserDeletion, actor: AuditActor): Promise<void> {
    const jobs = await this.dataSource.transaction((tx) => this.remove(tx, deletion, actor));
    for (const job of jobs) this.jobs.enqueue(QUEUES.deletions, job);
  }

  private async remove(
    tx: EntityManager,
    { id, preconditions, onlyState, isHard = false }: UserDeletion,
    actor: AuditActor,
  ): Promise<DeleteContainerJob[]> {
    // Before the user's row, which those who add groups to the tree hold after it.
    if (isHard) await this.namespaces.lockTreeToReshape(tx);
    const user = await this.users.lock(tx, id);
    preconditions.check(user.updatedAt);
    if (user.userType === 'internal') throw new ForbiddenError('Internal users cannot be removed');
    if (onlyState !== undefined && user.state !== onlyState) {
      throw new ConflictError('User does not have a pending request');
    }
    if (await this.users.isLastAdministrator(tx, user)) {
      throw new ConflictError(
        'The only active administrator cannot be deleted. Make another user an administrator first.',
      );
    }
    const groupIds =
      user.userType === 'human' ? await this.deletions.lockSolelyOwnedGroups(tx, id) : [];
    if (groupIds.length > 0 && !isHard) {
      throw new ConflictError('User cannot be removed while is the sole-owner of a group');
    }
    const ghost = await this.internalUsers.ensureGhost(tx);
    const projectIds = await this.handOverProjects(tx, id, ghost);
    const work = { userId: id, groupIds };
    const destroyed = isHard ? await this.deleteContributions(tx, ghost, work) : [];
    await this.internalUsers.assignToGhost(tx, ghost, [id]);
    await this.audit.recordAll(tx, actor, await this.endingMemberships(tx, id));
    // Before the deletion, so that administrators who delete themselves are named.
    await this.audit.record(tx, actor, {
      action: 'user_deleted',
      targetType: 'User',
      targetId: id,
      details: {
        username: user.username,
        project_ids: projectIds,
        ...(isHard && { hard_delete: true, group_ids: groupIds }),
      },
    });
    await tx.delete(User, { id });
    return [
      ...projectIds.map((projectId) => ({ kind: 'project', id: projectId }) as const),
      ...destroyed,
    ];
  }

  /** Hides the user's own projects. Throws ConflictError while one of them is being moved. */
  private async handOverProjects(
    tx: EntityManager,
    userId: number,
    ghost: InternalUser,
  ): Promise<number[]> {
    const projects = await this.deletions.handOverProjects(tx, userId, ghost);
    assertNoneMoves(projects, 'project');
    return projects.map(({ id }) => id);
  }

  /**
   * Deletes a user's contributions and the groups without another owner; returns the jobs left to
   * the worker. Throws ConflictError while a repository of these is being moved.
   */
  private async deleteContributions(
    tx: EntityManager,
    ghost: InternalUser,
    { userId, groupIds }: { userId: number; groupIds: readonly number[] },
  ): Promise<DeleteContainerJob[]> {
    for (const id of groupIds) await this.namespaces.hideGroup(tx, id);
    const snippets = await this.deletions.deleteContributions(tx, userId, ghost);
    assertNoneMoves(snippets, 'snippet');
    return [
      ...groupIds.map((id) => ({ kind: 'group', id }) as const),
      ...snippets.map(({ id }) => ({ kind: 'snippet', id }) as const),
    ];
  }

  /** Returns the audit entries of groups and projects in which the user's membership ends. */
  private async endingMemberships(tx: EntityManager, userId: number): Promise<AuditEntry[]> {
    const rows = await this.deletions.findMemberships(tx, userId);
    return rows.map(({ entityType: type, entityId: id, accessLevel }) => ({
      action: 'member_removed',
      targetType: 'User',
      targetId: userId,
      entity: { type, id },
      details: { access_level: { from: accessLevel, to: null } },
    }));
  }
}

function assertNoneMoves(hidden: readonly HiddenContainer[], kind: 'project' | 'snippet'): void {
  if (!hidden.some(({ moving }) => moving)) return;
  throw new ConflictError(
    `Couldn't remove the user. A ${kind} repository storage move is in progress. Try again when it's complete.`,
  );
}
