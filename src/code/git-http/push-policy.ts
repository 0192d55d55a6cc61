import { runGit } from '../../git/git-process.js';
import { headBranch, listFiles, resolveCommit } from '../../git/git-repository.js';
import { type Quarantine, quarantineEnvironment } from '../../git/hook-channel.js';
import type { RefCommand } from '../../git/reference-updates.js';
import { BRANCH_PREFIX, isZeroOid } from '../../git/reference-name.js';
import { referenceProblem } from '../../git/reference-policy.js';
import { ReadingLimitError, streamGit } from '../../git/reading/read-git.js';
import type { GitTarget } from './git-targets.service.js';

/** A push that waits for consent; its objects are still in quarantine. */
interface PendingPush {
  target: GitTarget;
  /** Where the repository is on disk. */
  path: string;
  commands: readonly RefCommand[];
  quarantine: Quarantine | null;
}

const MAX_SNIPPET_FILES = 10;

/**
 * Refs reserved for the server. refs/replace/ would show other users different content than a
 * commit holds.
 */
const RESERVED_PREFIXES = [
  'merge-requests',
  'keep-around',
  'replace',
  'pipelines',
  'environments',
].map((name) => `refs/${name}/`);

/**
 * Returns the reason to reject a push, or null if it can update its refs. The whole push is
 * rejected with the first reason: clients expect all or nothing from pre-receive.
 *
 * Only the default branch is protected: Maintainers push to it, and it cannot be rewritten or
 * deleted. In an empty project that already applies to the branch of HEAD.
 */
export async function pushProblem(push: PendingPush): Promise<string | null> {
  const { target, path } = push;
  const unfit = namesProblem(push.commands);
  if (unfit !== null) return unfit;
  const protectedBranch = target.defaultBranch ?? (await headBranch(path));
  const check = target.kind === 'snippet' ? snippetProblem : commandProblem;
  for (const command of push.commands) {
    const problem = await check(push, command, protectedBranch);
    if (problem !== null) return problem;
  }
  return objectsProblem(path, push.quarantine);
}

/** Refuses refs that no repository accepts; a ref named twice would also be checked twice. */
function namesProblem(commands: readonly RefCommand[]): string | null {
  if (new Set(commands.map(({ ref }) => ref)).size < commands.length) {
    return 'The push names a reference twice.';
  }
  if (
    commands.some(({ ref }) => RESERVED_PREFIXES.some((prefix) => `${ref}/`.startsWith(prefix)))
  ) {
    return 'You are not allowed to change refs that the server keeps.';
  }
  // Broken UTF-8 was read as this character; it could not be put on record as it is.
  const isUnreadable = commands.some(
    ({ ref, oldOid }) => isZeroOid(oldOid) && ref.includes('\ufffd'),
  );
  return isUnreadable ? 'You cannot create a reference whose name is not UTF-8.' : null;
}

function commandProblem(
  push: PendingPush,
  command: RefCommand,
  defaultBranch: string | null,
): Promise<string | null> {
  const { kind, access } = push.target;
  // Wikis have no protected branches or tags.
  const isProtecting = kind === 'project';
  return referenceProblem({
    command,
    rights: {
      protectedBranch: isProtecting ? defaultBranch : null,
      canPushProtected: access.canPushProtected || !isProtecting,
    },
    isFastForward: () => isFastForward(push, command.oldOid, command.newOid),
  });
}

/** A snippet has one branch with 1 to 10 files and nothing else. */
async function snippetProblem(
  push: PendingPush,
  { oldOid, newOid, ref }: RefCommand,
  branch: string | null,
): Promise<string | null> {
  const isFirst = isZeroOid(oldOid) && (await resolveCommit(push.path, 'HEAD')) === null;
  const isUpdate = ref === `${BRANCH_PREFIX}${branch}` && !isZeroOid(newOid);
  if (!isUpdate || (isZeroOid(oldOid) && !isFirst)) {
    return 'You can not create or delete branches.';
  }
  const files = await listFiles(push.path, newOid, quarantineEnvironment(push.quarantine));
  if (files.length === 0) return 'The repository must contain at least 1 file.';
  if (files.length <= MAX_SNIPPET_FILES) return null;
  return `The repository can contain at most ${MAX_SNIPPET_FILES} file(s).`;
}

async function isFastForward(
  { path, quarantine }: PendingPush,
  ...[oldOid, newOid]: [string, string]
): Promise<boolean> {
  const { code, stderr } = await runGit(['merge-base', '--is-ancestor', oldOid, newOid], {
    cwd: path,
    env: quarantineEnvironment(quarantine),
  });
  if (code > 1) throw new Error(`git merge-base exited with ${code}: ${stderr}`);
  return code === 0;
}

const MAX_BYTES = 1024 * 1024;
const MEBIBYTE_OR_MORE = /^(?:commit|tag) (\d{7,})$/gm;

/**
 * Returns the reason to refuse a push with a commit or tag above 1 MiB, else null: commits hold
 * messages, not files.
 */
async function objectsProblem(path: string, quarantine: Quarantine | null): Promise<string | null> {
  if (quarantine === null) return null;
  const found = await isAbsurdObjectIn(path, quarantine.objectDirectory);
  return found ? 'The push contains a commit or tag larger than 1 MiB.' : null;
}

async function isAbsurdObjectIn(path: string, objectDirectory: string): Promise<boolean> {
  let rest = '';
  const take = (chunk: Buffer): boolean => {
    const text = rest + chunk.toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    const sizes = [...text.slice(0, end).matchAll(MEBIBYTE_OR_MORE)].map(([, size]) =>
      Number(size),
    );
    return sizes.every((size) => size <= MAX_BYTES);
  };
  const format = '--batch-check=%(objecttype) %(objectsize)';
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--buffer', format];
  try {
    // Without alternates, the directory holds only the objects of this push.
    const env = { GIT_OBJECT_DIRECTORY: objectDirectory };
    return !(await streamGit({ path }, { args, env, take }));
  } catch (error) {
    // A push of millions of objects is let through: reads of commits are bounded anyway.
    if (error instanceof ReadingLimitError) return false;
    throw error;
  }
}
