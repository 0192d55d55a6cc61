import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor, changesBetween } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { ConflictError, ForbiddenError } from '../../core/errors.js';
import { UserDeletionsRepository } from './user-deletions.repository.js';
import { User, type UserState } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

const DORMANT_AFTER_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** States that count as blocked; only `blocked` itself is called so. */
const BLOCKED_STATES: readonly UserState[] = ['blocked', 'banned', 'pending'];

/** Actions of administrators on a user's state. */
export type UserAction =
  'block' | 'unblock' | 'activate' | 'deactivate' | 'ban' | 'unban' | 'approve';

/** The action as the audit log calls it once it is done. */
const PAST_TENSE: Record<UserAction, string> = {
  block: 'blocked',
  unblock: 'unblocked',
  activate: 'activated',
  deactivate: 'deactivated',
  ban: 'banned',
  unban: 'unbanned',
  approve: 'approved',
};

interface Situation {
  user: Pick<User, 'id' | 'state' | 'userType' | 'lastActivityOn'>;
  /** Administrator of the request; null on the command line. */
  viewerId: number | null;
  now: Date;
}

/**
 * Returns the state that the action leads to. If the user is in that state already, returns null,
 * or false for unblocking an active user. Throws 403 (409 for approve) if the action is not allowed.
 */
function nextState(action: UserAction, situation: Situation): UserState | null | false {
  return RULES[action](situation);
}

const RULES: Record<UserAction, (situation: Situation) => UserState | null | false> = {
  block({ user, viewerId }) {
    if (user.id === viewerId) {
      throw new ForbiddenError('The API initiating user cannot be blocked by the API');
    }
    if (user.userType === 'internal')
      throw new ForbiddenError('An internal user cannot be blocked');
    return BLOCKED_STATES.includes(user.state) ? null : 'blocked';
  },
  unblock({ user }) {
    if (user.state === 'deactivated') {
      throw new ForbiddenError('Deactivated users cannot be unblocked by the API');
    }
    return user.state === 'active' ? false : 'active';
  },
  activate({ user }) {
    if (BLOCKED_STATES.includes(user.state)) {
      throw new ForbiddenError('A blocked user must be unblocked to be activated');
    }
    return 'active';
  },
  deactivate({ user, now }) {
    if (user.state === 'deactivated') return null;
    if (BLOCKED_STATES.includes(user.state)) {
      throw new ForbiddenError('A blocked user must be unblocked to be deactivated');
    }
    if (user.userType === 'internal') {
      throw new ForbiddenError('Internal users cannot be deactivated');
    }
    assertDormant(user.lastActivityOn, now);
    return 'deactivated';
  },
  ban({ user, viewerId }) {
    const mayBan = user.state === 'active' && user.userType !== 'internal' && user.id !== viewerId;
    if (!mayBan) throw new ForbiddenError(`You cannot ban ${user.state} users.`);
    return 'banned';
  },
  unban({ user }) {
    if (user.state !== 'banned') throw new ForbiddenError(`You cannot unban ${user.state} users.`);
    return 'active';
  },
  approve({ user }) {
    if (user.state === 'pending') return 'active';
    throw new ConflictError('The user you are trying to approve is not pending approval');
  },
};

function assertDormant(lastActivityOn: string | null, now: Date): void {
  if (lastActivityOn === null) return;
  const idleDays = (now.getTime() - Date.parse(lastActivityOn)) / DAY_MS;
  if (idleDays >= DORMANT_AFTER_DAYS) return;
  throw new ForbiddenError(
    `The user you are trying to deactivate has been active in the past ${DORMANT_AFTER_DAYS} days and cannot be deactivated`,
  );
}

/** A blocked or banned user must not act through bots; a deactivated account keeps them. */
const ENDS_BOTS: ReadonlySet<UserState> = new Set<UserState>(['blocked', 'banned']);

/** Lets administrators block, deactivate, ban, approve and unlock users. */
@Injectable()
export class UserStateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly deletions: UserDeletionsRepository,
  ) {}

  /**
   * true when the action was done, else what `nextState` answers when there is nothing to do.
   * Throws 404 for an unknown user and what `nextState` throws.
   */
  async act(action: UserAction, id: number, actor: AuditActor): Promise<boolean | null> {
    const now = this.clock.now();
    const viewerId = actor.viewer?.id ?? null;
    return this.dataSource.transaction(async (tx) => {
      // Lock before reading: of two concurrent administrators only one sees the old state.
      const user = await this.users.lock(tx, id);
      const state = nextState(action, { user, viewerId, now });
      if (state === null || state === false) return state;
      if (state === user.state) return true;
      if (await this.users.isLastAdministrator(tx, user)) {
        throw new ForbiddenError('The only active administrator cannot be deactivated or blocked');
      }
      await tx.update(User, { id }, { state, updatedAt: now });
      if (ENDS_BOTS.has(state)) {
        await this.endBotTokens(tx, { userId: id, now }, actor);
      }
      await this.audit.record(tx, actor, {
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
      const user = await this.users.lock(tx, id);
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
    actor: AuditActor,
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
