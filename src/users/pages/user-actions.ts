import type { UserDetails } from '../user.presenter.js';
import type { UserAction } from '../user-states.js';

/** Button for a change of a user's state. */
export interface UserActionButton {
  action: UserAction;
  label: string;
  /** Confirmation question; null = no confirmation. */
  question: string | null;
  /** Told when it is done. */
  done: string;
}

const ENDS = 'Sessions, tokens and Git access stop working at once.';

const BUTTONS: Record<UserAction, Omit<UserActionButton, 'action'>> = {
  approve: { label: 'Approve', question: null, done: 'User approved.' },
  block: { label: 'Block', question: `Block this user? ${ENDS}`, done: 'User blocked.' },
  unblock: { label: 'Unblock', question: null, done: 'User unblocked.' },
  deactivate: {
    label: 'Deactivate',
    question: 'Deactivate this user? Only users who did nothing for 90 days can be.',
    done: 'User deactivated.',
  },
  activate: { label: 'Activate', question: null, done: 'User activated.' },
  ban: { label: 'Ban', question: `Ban this user? ${ENDS}`, done: 'User banned.' },
  unban: { label: 'Lift ban', question: null, done: 'Ban lifted.' },
};

/** Returns true if the word is a user action. */
export function isUserAction(word: string): word is UserAction {
  return Object.hasOwn(BUTTONS, word);
}

/** The button of a change of state. */
export function buttonOf(action: UserAction): UserActionButton {
  return { action, ...BUTTONS[action] };
}

/** Returns the actions on a user; administrators cannot lock themselves out. */
export function actionsFor(
  user: Pick<UserDetails, 'id' | 'state' | 'userType'>,
  viewerId: number | undefined,
): UserActionButton[] {
  if (user.userType === 'internal' || user.id === viewerId) return [];
  const names: Record<UserDetails['state'], UserAction[]> = {
    active: ['block', 'deactivate', 'ban'],
    pending: ['approve'],
    blocked: ['unblock'],
    banned: ['unban'],
    deactivated: ['activate', 'block'],
  };
  return names[user.state].map(buttonOf);
}
