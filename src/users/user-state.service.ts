import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AuthContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';
import { AuditTrail } from '../core/audit/audit.service.js';
import { changesBetween } from '../core/audit/changes.js';
import { Clock } from '../core/clock.js';
import { NotFoundError } from '../core/errors.js';
import { endTokensOfBotsMadeBy } from './bot-tokens.js';
import { nextState, PAST_TENSE, type UserAction } from './user-states.js';
import { User, type UserState } from './user.entity.js';

/** Who was shut out must not go on as a bot; an inactive account only sleeps. */
const ENDS_BOTS: ReadonlySet<UserState> = new Set<UserState>(['blocked', 'banned']);

/** Lets administrators block, deactivate, ban and approve users. */
@Injectable()
export class UserStateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /**
   * true when the action was done, else what `nextState` answers when there is nothing to do.
   * Throws 404 for an unknown user and what `nextState` throws.
   */
  async act(action: UserAction, id: number, auth: AuthContext): Promise<boolean | null> {
    const now = this.clock.now();
    const askerId = (auth.viewer as Viewer).id;
    return this.dataSource.transaction(async (tx) => {
      // Lock before looking: of two administrators at once only one sees the old state.
      const user = await tx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (user === null) throw new NotFoundError('User');
      const state = nextState(action, { user, askerId, now });
      if (state === null || state === false) return state;
      if (state === user.state) return true;
      await tx.update(User, { id }, { state, updatedAt: now });
      if (ENDS_BOTS.has(state)) {
        await endTokensOfBotsMadeBy(tx, { userId: id, now }, { audit: this.audit, actor: auth });
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
}
