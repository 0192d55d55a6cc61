import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { changesBetween } from '../core/audit/changes.js';
import { Clock } from '../core/clock.js';
import { NotFoundError } from '../core/errors.js';
import { UserDeletionsRepository } from './user-deletions.repository.js';
import { nextState, PAST_TENSE, type UserAction } from './user-states.js';
import { User, type UserState } from './user.entity.js';

/** A blocked or banned user must not act through bots; a deactivated account keeps them. */
const ENDS_BOTS: ReadonlySet<UserState> = new Set<UserState>(['blocked', 'banned']);

/** Lets administrators block, deactivate, ban, approve and unlock users. */
@Injectable()
export class UserStateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly deletions: UserDeletionsRepository,
  ) {}

  /**
   * true when the action was done, else what `nextState` answers when there is nothing to do.
   * Throws 404 for an unknown user and what `nextState` throws.
   */
  async act(action: UserAction, id: number, auth: AuthContext): Promise<boolean | null> {
    const now = this.clock.now();
    const viewerId = (auth.viewer as Viewer).id;
    return this.dataSource.transaction(async (tx) => {
      // Lock before reading: of two concurrent administrators only one sees the old state.
      const user = await tx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (user === null) throw new NotFoundError('User');
      const state = nextState(action, { user, viewerId, now });
      if (state === null || state === false) return state;
      if (state === user.state) return true;
      await tx.update(User, { id }, { state, updatedAt: now });
      if (ENDS_BOTS.has(state)) {
        await this.endBotTokens(tx, { userId: id, now }, auth);
      }
      await this.audit.record(tx, auth, {
        action: `user_${PAST_TENSE[action]}`,
        targetType: 'User',
        targetId: id,
        details: changesBetween<User>(user, { state }),
      });
      return true;
    });
  }

  /** Forgets the wrong passwords; nothing to do when there were none. Throws 404. */
  async unlock(id: number, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const user = await tx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (user === null) throw new NotFoundError('User');
      if (user.lockedAt === null && user.failedAttempts === 0) return;
      await tx.update(User, { id }, { lockedAt: null, failedAttempts: 0 });
      await this.audit.record(tx, actor, {
        action: 'user_unlocked',
        targetType: 'User',
        targetId: id,
        details: { failed_attempts: user.failedAttempts },
      });
    });
  }

  /** Ends the project and group access tokens whose bots the user created. */
  private async endBotTokens(
    tx: EntityManager,
    { userId, now }: { userId: number; now: Date },
    actor: AuthContext,
  ): Promise<void> {
    const ended = await this.deletions.endBotTokens(tx, userId, now);
    const entries = ended.map(({ id, kind, name, userId: botId, projectId, groupId }) => ({
      action: 'access_token_revoked',
      targetType: 'AccessToken',
      targetId: id,
      entity:
        projectId === null
          ? ({ type: 'Group', id: groupId } as const)
          : ({ type: 'Project', id: projectId } as const),
      details: { kind, user_id: botId, name },
    }));
    await this.audit.recordAll(tx, actor, entries);
  }
}
