import {
  EVENT_ACTIONS,
  EVENT_TARGETS,
  PUSH_ACTIONS,
  type EventAction,
} from '../core/activity/event-kinds.js';
import type { ActionName } from './event.response.js';

/** Reopening has the name of opening, as in v4; only the filter distinguishes them. */
const NAMES: Record<Exclude<EventAction, 'created' | 'updated' | 'pushed'>, ActionName> = {
  closed: 'closed',
  reopened: 'opened',
  commented: 'commented on',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  destroyed: 'destroyed',
  expired: 'removed due to membership expiration from',
  approved: 'approved',
};

const PUSHES: Record<number, ActionName> = {
  [PUSH_ACTIONS.created]: 'pushed new',
  [PUSH_ACTIONS.removed]: 'deleted',
  [PUSH_ACTIONS.pushed]: 'pushed to',
};

const ACTIONS = new Map(
  (Object.keys(EVENT_ACTIONS) as EventAction[]).map((name) => [EVENT_ACTIONS[name], name] as const),
) as ReadonlyMap<number, EventAction>;

interface KeptEvent {
  action: number;
  targetType: number | null;
  pushAction: number | null;
}

/** The verb phrase of an event as it is kept. */
export function actionName({ action, targetType, pushAction }: KeptEvent): ActionName {
  const name = ACTIONS.get(action);
  if (name === undefined) throw new Error(`Unknown action ${action}`);
  if (name === 'pushed') return PUSHES[pushAction ?? PUSH_ACTIONS.pushed] ?? 'pushed to';
  if (name !== 'created' && name !== 'updated') return NAMES[name];
  if (targetType === EVENT_TARGETS.wiki_page) return name;
  return name === 'created' && targetType === EVENT_TARGETS.project ? 'created' : 'opened';
}
