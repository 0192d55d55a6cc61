import type { RefCommand } from './reference-updates.js';
import {
  BRANCH_PREFIX,
  isObjectId,
  isValidBranchName,
  isZeroOid,
  TAG_PREFIX,
} from './reference-name.js';

/** Rights that decide about a change of a ref, besides write access to the repository. */
export interface ReferenceRights {
  /**
   * Branch with restricted pushes that cannot be rewritten or deleted: the default branch of a
   * project, also before it exists. null = none, as in wikis.
   */
  protectedBranch: string | null;
  /** May push to the protected branch, change and delete tags. */
  canPushProtected: boolean;
}

interface ReferenceChange {
  command: RefCommand;
  rights: ReferenceRights;
  /** Returns true if the new commit contains the old one; only called where it matters. */
  isFastForward(): Promise<boolean>;
}

/** Returns true if a user with push access can push to this branch. */
export function mayPushTo(branch: string, rights: ReferenceRights): boolean {
  return rights.canPushProtected || branch !== rights.protectedBranch;
}

/** Returns the reason to refuse a change of a ref, for every user and interface; null = allowed. */
export async function referenceProblem(change: ReferenceChange): Promise<string | null> {
  const { ref, oldOid } = change.command;
  if (ref.startsWith(TAG_PREFIX)) return tagProblem(change);
  if (!ref.startsWith(BRANCH_PREFIX)) return null;
  const branch = ref.slice(BRANCH_PREFIX.length);
  const unfit = isZeroOid(oldOid) ? newBranchProblem(branch) : null;
  if (unfit !== null) return unfit;
  return branch === change.rights.protectedBranch ? protectedBranchProblem(change) : null;
}

function newBranchProblem(branch: string): string | null {
  if (isObjectId(branch.toLowerCase())) {
    // It would shadow the commit of that id (CVE-2020-13293).
    return 'You cannot create a branch with a SHA-1 or SHA-256 branch name.';
  }
  return isValidBranchName(branch) ? null : 'You cannot create a branch with an invalid name.';
}

async function protectedBranchProblem(change: ReferenceChange): Promise<string | null> {
  const { oldOid, newOid } = change.command;
  if (isZeroOid(newOid)) return 'The default branch of a project cannot be deleted.';
  if (!isZeroOid(oldOid) && !(await change.isFastForward())) {
    return 'You are not allowed to force push code to a protected branch on this project.';
  }
  if (mayPushTo(change.command.ref.slice(BRANCH_PREFIX.length), change.rights)) return null;
  return 'You are not allowed to push code to protected branches on this project.';
}

function tagProblem({ command: { ref, oldOid }, rights }: ReferenceChange): string | null {
  if (isZeroOid(oldOid)) {
    const isOption = ref.startsWith(`${TAG_PREFIX}-`);
    return isOption ? 'You cannot create a tag with an invalid name.' : null;
  }
  if (rights.canPushProtected) return null;
  return 'You are not allowed to change existing tags on this project.';
}
