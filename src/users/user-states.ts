import { ConflictError, ForbiddenError } from '../core/errors.js';
import type { User, UserState } from './user.entity.js';

const DORMANT_AFTER_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** States that count as blocked; only `blocked` itself is called so. */
const BLOCKED_STATES: readonly UserState[] = ['blocked', 'banned', 'pending'];

/** Actions of administrators on a user's state. */
export type UserAction =
  'block' | 'unblock' | 'activate' | 'deactivate' | 'ban' | 'unban' | 'approve';

/** The action as the audit trail calls it once it is done. */
export const PAST_TENSE: Record<UserAction, string> = {
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
  /** Administrator of the request. */
  viewerId: number;
  now: Date;
}

/**
 * Returns the state that the action leads to. If the user is in that state already, returns null,
 * or false for unblocking an active user. Throws 403 (409 for approve) if the action is not allowed.
 */
export function nextState(action: UserAction, situation: Situation): UserState | null | false {
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
