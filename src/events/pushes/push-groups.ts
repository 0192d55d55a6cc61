import type { PushAction, RefType } from '../../activity/event-kinds.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import { BRANCH_PREFIX, isZeroOid, TAG_PREFIX } from '../../git/reference-name.js';

/** Updates of one push that are alike; too many of them share one event. */
export interface PushGroup {
  refType: RefType;
  action: PushAction;
  updates: RefCommand[];
}

/**
 * Groups branches and tags by what happened to them, in the order of the push; other refs leave no
 * events (reference, push rules).
 */
export function groupUpdates(updates: readonly RefCommand[]): PushGroup[] {
  const groups = new Map<string, PushGroup>();
  for (const update of updates) {
    const refType = refTypeOf(update.ref);
    if (refType === null) continue;
    const action = actionOf(update);
    const key = `${refType} ${action}`;
    const group = groups.get(key) ?? { refType, action, updates: [] };
    group.updates.push(update);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A ref without `refs/heads/` or `refs/tags/`. */
export function shortName(ref: string): string {
  const prefix = refTypeOf(ref) === 'tag' ? TAG_PREFIX : BRANCH_PREFIX;
  return ref.slice(prefix.length);
}

function refTypeOf(ref: string): RefType | null {
  if (ref.startsWith(BRANCH_PREFIX)) return 'branch';
  return ref.startsWith(TAG_PREFIX) ? 'tag' : null;
}

function actionOf({ oldOid, newOid }: RefCommand): PushAction {
  if (isZeroOid(newOid)) return 'removed';
  return isZeroOid(oldOid) ? 'created' : 'pushed';
}
