import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { ConflictError, ForbiddenError, NotFoundError } from '../core/errors.js';
import type { Preconditions } from '../core/preconditions.js';
import { QUEUES, type DeleteContainerJob } from '../core/queue/queues.js';
import { endingMemberships } from './ending-memberships.js';
import { ghostUser, leaveWorkToGhost, type Ghost } from './ghost-user.js';
import { destroyWork } from './hard-deletion.js';
import { lockTreeToReshape } from './tree-lock.js';
import { User, type UserState } from './user.entity.js';

/** Whom to delete, and under which conditions. */
interface UserDeletion {
  id: number;
  preconditions: Preconditions;
  /** Refuses users in another state (a rejection is for those who wait for approval). */
  onlyState?: UserState;
  /** Also deletes the user's contributions and the groups without another owner. */
  isHard?: boolean;
}

/**
 * Deletes users: the person is gone with the commit, username and address are free at once.
 * Projects of the person's namespace are handed to the ghost user as deleted and a worker removes
 * them; what the person wrote stays, written by the ghost user, or goes with a hard deletion; the
 * worker erases the person's events.
 */
@Injectable()
export class UserDeletionService {
  private readonly logger = new Logger(UserDeletionService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    @InjectQueue(QUEUES.deletions) private readonly deletions: Queue<DeleteContainerJob>,
  ) {}

  /**
   * Throws 404 for an unknown user, 412 when it changed since the client looked, 409 for the only
   * owner of a group unless it is hard, and while a repository that is to go is being moved.
   */
  async delete(deletion: UserDeletion, actor: AuditActor): Promise<void> {
    const jobs = await this.dataSource.transaction((tx) => this.remove(tx, deletion, actor));
    for (const job of jobs) {
      // Only a wake-up, so nobody waits for Redis: the worker also looks for such rows by itself.
      this.deletions.add('delete-container', job).catch((error: unknown) => {
        this.logger.warn(`Deletion of ${job.kind} ${job.id} waits for the sweep: ${String(error)}`);
      });
    }
  }

  private async remove(
    tx: EntityManager,
    { id, preconditions, onlyState, isHard = false }: UserDeletion,
    actor: AuditActor,
  ): Promise<DeleteContainerJob[]> {
    // Before the user's row, which those who add groups to the tree hold after it.
    if (isHard) await lockTreeToReshape(tx);
    const user = await tx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (user === null) throw new NotFoundError('User');
    preconditions.check(user.updatedAt);
    if (user.userType === 'internal') throw new ForbiddenError('Internal users cannot be removed');
    if (onlyState !== undefined && user.state !== onlyState) {
      throw new ConflictError('User does not have a pending request');
    }
    const groupIds = user.userType === 'human' ? await groupsLeftAlone(tx, id) : [];
    if (groupIds.length > 0 && !isHard) {
      throw new ConflictError('User cannot be removed while is the sole-owner of a group');
    }
    const ghost = await ghostUser(tx);
    const projectIds = await handOverProjects(tx, id, ghost);
    const work = { userId: id, groupIds };
    const destroyed = isHard ? await destroyWork(tx, ghost, work) : [];
    await leaveWorkToGhost(tx, ghost, [id]);
    await this.audit.recordAll(tx, actor, await endingMemberships(tx, id));
    // Before the deletion: people who delete themselves are named, too.
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
}

/**
 * Groups without another owner. Locks them first, so that two owners deleted at once do not each
 * rely on the other.
 */
async function groupsLeftAlone(tx: EntityManager, userId: number): Promise<number[]> {
  await tx.query(
    `SELECT n.id FROM namespaces n JOIN members m ON m.namespace_id = n.id
     WHERE m.user_id = $1 AND m.access_level = 50 ORDER BY n.id FOR NO KEY UPDATE OF n`,
    [userId],
  );
  const alone = await tx.query<{ id: number }[]>(
    `SELECT g.id FROM members m
     JOIN namespaces n ON n.id = m.namespace_id JOIN groups g ON g.id = n.id
     WHERE m.user_id = $1 AND m.access_level = 50 AND NOT g.pending_delete AND NOT EXISTS (
       SELECT 1 FROM members o JOIN users u ON u.id = o.user_id AND u.user_type <> 'project_bot'
       WHERE o.namespace_id = ANY(n.traversal_ids) AND o.user_id <> $1 AND o.access_level = 50
         AND o.expires_at IS NULL)
     ORDER BY g.id`,
    [userId],
  );
  return alone.map(({ id }) => id);
}

/** Marks the projects as deleted and gives them names that are in nobody's way. */
async function handOverProjects(
  tx: EntityManager,
  userId: number,
  ghost: Ghost,
): Promise<number[]> {
  await tx.query('SELECT id FROM namespaces WHERE owner_id = $1 FOR UPDATE', [userId]);
  const [projects] = await tx.query<[{ id: number; moving: boolean }[], number]>(
    `UPDATE projects p
     SET pending_delete = true, namespace_id = $2, name = 'deleted-' || p.id,
         path = 'deleted-' || p.id, updated_at = now()
     FROM namespaces n WHERE n.id = p.namespace_id AND n.owner_id = $1
     RETURNING p.id, p.repository_read_only AS moving`,
    [userId, ghost.namespaceId],
  );
  if (projects.some(({ moving }) => moving)) {
    throw new ConflictError(
      "Couldn't remove the user. A project repository storage move is in progress. Try again when it's complete.",
    );
  }
  return projects.map(({ id }) => id);
}
