import { join } from 'node:path';
import { replaceFile } from './durable-file.js';
import { type Signature, type TreeFile, writeCommit, writeFile, writeTree } from './git-objects.js';
import { GitProcessError, runGit } from './git-process.js';
import { listFiles, type Reference, resolveCommit } from './git-repository.js';
import type { RefCommand } from './inflight-write.entity.js';
import { BRANCH_PREFIX, isValidBranchName } from './reference-name.js';
import { assertSafeTreePath } from './tree-path.js';

/** What a commit does to the branch's files; `content` null removes, `previousPath` renames. */
export interface FileChange {
  path: string;
  content?: string | null;
  previousPath?: string;
}

export interface CommitRequest {
  branch: string;
  message: string;
  author: Signature;
  changes: readonly FileChange[];
  /** Told what is about to happen before the branch moves; throwing keeps it from moving. */
  confirm?(command: RefCommand): Promise<void>;
}

/** The branch moved while a commit was made, or a changed file is not there. */
export class CommitConflictError extends Error {}

/**
 * Makes one commit on a branch without a work tree and moves the branch to it; answers the
 * commit's id and the files it holds. Throws CommitConflictError. Only under a write lease.
 */
export async function commitFiles(
  repository: string,
  request: CommitRequest,
): Promise<{ oid: string; parent: string | null; paths: string[] }> {
  if (!isValidBranchName(request.branch)) throw new RangeError(`Bad branch: ${request.branch}`);
  const reference = `${BRANCH_PREFIX}${request.branch}`;
  const parent = await resolveCommit(repository, reference);
  const present = parent === null ? [] : await listFiles(repository, parent);
  const files = await applyChanges(repository, present, request.changes);
  const tree = await writeTree(repository, files);
  const parents = parent === null ? [] : [parent];
  const { author, message } = request;
  const oid = await writeCommit(repository, { tree, parents, author, message });
  const oldOid = parent ?? '0'.repeat(oid.length);
  await request.confirm?.({ ref: reference, oldOid, newOid: oid });
  await moveReference(repository, { name: reference, oid }, oldOid);
  return { oid, parent, paths: files.map(({ path }) => path).sort() };
}

/**
 * First commit of a repository that nobody else can see yet (see `createBareRepository`, fill):
 * no git process at all.
 */
export async function writeFirstCommit(
  repository: string,
  request: CommitRequest,
): Promise<{ oid: string; paths: string[] }> {
  const files = await applyChanges(repository, [], request.changes);
  const tree = await writeTree(repository, files);
  const { author, message } = request;
  const oid = await writeCommit(repository, { tree, parents: [], author, message });
  if (!isValidBranchName(request.branch)) throw new RangeError(`Bad branch: ${request.branch}`);
  await replaceFile(join(repository, BRANCH_PREFIX, request.branch), `${oid}\n`);
  return { oid, paths: files.map(({ path }) => path).sort() };
}

async function applyChanges(
  repository: string,
  present: readonly TreeFile[],
  changes: readonly FileChange[],
): Promise<TreeFile[]> {
  const files = new Map(present.map((file) => [file.path, file]));
  for (const { path, content, previousPath } of changes) {
    assertSafeTreePath(path);
    const source = previousPath ?? path;
    const old = files.get(source);
    if (old === undefined && (previousPath !== undefined || content === null)) {
      throw new CommitConflictError(`The file ${source} does not exist`);
    }
    files.delete(source);
    if (content === null) continue;
    if (content !== undefined) files.set(path, await writeFile(repository, path, content));
    if (content === undefined && old !== undefined) files.set(path, { ...old, path });
  }
  refuseFileAsDirectory(files);
  return [...files.values()];
}

function refuseFileAsDirectory(files: ReadonlyMap<string, TreeFile>): void {
  for (const path of files.keys()) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      if (!files.has(path.slice(0, end))) continue;
      throw new CommitConflictError(`${path.slice(0, end)} is a file and cannot hold ${path}`);
    }
  }
}

async function moveReference(repository: string, to: Reference, oldOid: string): Promise<void> {
  const args = ['update-ref', to.name, to.oid, oldOid];
  const { code, stderr } = await runGit(args, { cwd: repository });
  if (code === 0) return;
  if (stderr.includes('cannot lock ref')) {
    throw new CommitConflictError(`${to.name} has changed in the meantime`);
  }
  throw new GitProcessError(`git update-ref exited with ${code}: ${stderr}`);
}
