import { join } from 'node:path';
import { replaceFile } from './durable-file.js';
import { ObjectWriter, type Signature } from './git-objects.js';
import { type GitObject, ObjectReader } from './object-reader.js';
import { BRANCH_PREFIX, isValidBranchName } from './reference-name.js';
import { ReferenceMovedError, updateReferences, type RefCommand } from './reference-updates.js';
import {
  assertSafeTreePath,
  isFile,
  TreeClashError,
  TreeEdit,
  type TreeItem,
} from './tree-edit.js';

/** Change of a commit to the branch's files; `content` null removes, `previousPath` renames. */
export interface FileChange {
  path: string;
  content?: string | null;
  previousPath?: string;
}

interface CommitRequest {
  branch: string;
  message: string;
  author: Signature;
  changes: readonly FileChange[];
  /** Called before the branch moves; throwing keeps it from moving. */
  confirm?(command: RefCommand): Promise<void>;
}

/** The branch moved while a commit was made, or a changed file is not there. */
export class CommitConflictError extends Error {}

export const FILE_MODE = '100644';

/**
 * Makes one commit on a branch without a work tree and moves the branch to it; returns the commit's
 * id. Throws CommitConflictError. Only under a write lease.
 */
export async function commitFiles(
  repository: string,
  request: CommitRequest,
): Promise<{ oid: string; parent: string | null }> {
  const { changes, ...commit } = request;
  try {
    const { command, parent } = await commitToBranch(repository, {
      ...commit,
      edit: (draft) => applyChanges(draft, changes),
    });
    return { oid: command.newOid, parent };
  } catch (error) {
    if (!(error instanceof ReferenceMovedError)) throw error;
    throw new CommitConflictError(`${request.branch} has changed in the meantime`);
  }
}

/**
 * Writes the first commit of a repository that is not visible yet (see `createBareRepository`,
 * fill) without a git process.
 */
export async function writeFirstCommit(
  repository: string,
  request: CommitRequest,
): Promise<{ oid: string; paths: string[] }> {
  const { branch, changes, author, message } = request;
  if (!isValidBranchName(branch)) throw new RangeError(`Bad branch: ${branch}`);
  const writer = new ObjectWriter(repository);
  const reader = new ObjectReader(repository);
  const tree = new TreeEdit(reader, null);
  await applyChanges({ tree, writer, reader }, changes);
  const root = await tree.write(writer);
  const oid = writer.addCommit({ tree: root, parents: [], author, message });
  await writer.flush();
  await replaceFile(join(repository, BRANCH_PREFIX, branch), `${oid}\n`);
  return { oid, paths: changes.map(({ path }) => path).sort() };
}

/** Files that wait for their place: another one is there until a later change. */
type Waiting = Map<string, TreeItem>;

/** A file can come to where another one is until a later change: what clashes is tried again. */
async function applyChanges(draft: CommitDraft, changes: readonly FileChange[]): Promise<void> {
  const waiting: Waiting = new Map();
  for (const change of changes) {
    const item = await takeOut(draft, change, waiting);
    if (item === null) continue;
    try {
      await draft.tree.put(change.path, item);
      waiting.delete(change.path);
    } catch (error) {
      if (!(error instanceof TreeClashError)) throw error;
      waiting.set(change.path, item);
    }
  }
  for (const [path, item] of waiting) await putInTheEnd(draft.tree, path, item);
}

/** Takes away what the change removes; answers what it puts at its path, null = nothing. */
async function takeOut(
  { tree, writer }: CommitDraft,
  { path, content, previousPath }: FileChange,
  waiting: Waiting,
): Promise<TreeItem | null> {
  assertSafeTreePath(path);
  const source = previousPath ?? path;
  const found = waiting.get(source) ?? (await tree.find(source));
  const old = found !== null && isFile(found) ? found : null;
  const leaves = previousPath !== undefined || content === null;
  if (old === null && leaves) {
    throw new CommitConflictError(`The file ${source} does not exist`);
  }
  if (leaves && !waiting.delete(source)) await tree.remove(source);
  if (content === null || content === undefined) return content === null ? null : old;
  return { mode: FILE_MODE, oid: writer.add('blob', Buffer.from(content)) };
}

async function putInTheEnd(tree: TreeEdit, path: string, item: TreeItem): Promise<void> {
  try {
    await tree.put(path, item);
  } catch (error) {
    if (!(error instanceof TreeClashError)) throw error;
    throw new CommitConflictError(error.message);
  }
}

/** A commit that is being made. */
export interface CommitDraft {
  tree: TreeEdit;
  /** Takes the content of files. */
  writer: ObjectWriter;
  reader: ObjectReader;
}

interface BranchCommit {
  branch: string;
  message: string;
  author: Signature;
  /** The author unless given. */
  committer?: Signature;
  /**
   * The commit to go on from, given where the branch is (null = there is none); null = the first
   * one of all. That of the branch unless given. What it throws refuses the commit.
   */
  startFrom?(tip: string | null, reader: ObjectReader): Promise<string | null>;
  /** Changes the files; what it throws refuses the commit. */
  edit(draft: CommitDraft): Promise<void>;
  /** Called before the branch moves; throwing keeps it from moving. */
  confirm?(command: RefCommand): Promise<void>;
}

/**
 * Makes one commit on a branch without a work tree and moves the branch to it; only folders with
 * changes in them are read and written. Throws ReferenceMovedError when the branch moved meanwhile,
 * ReferenceClashError, and what the request throws. Only under a write lease.
 */
export async function commitToBranch(
  repository: string,
  request: BranchCommit,
): Promise<{ command: RefCommand; parent: string | null }> {
  const { branch, message, author, committer } = request;
  if (!isValidBranchName(branch)) throw new RangeError(`Bad branch: ${branch}`);
  const ref = `${BRANCH_PREFIX}${branch}`;
  const reader = new ObjectReader(repository);
  const writer = new ObjectWriter(repository);
  try {
    const tip = await reader.read(ref);
    const start = await startOf(request, tip, reader);
    const tree = new TreeEdit(reader, start === null ? null : treeOf(start));
    await request.edit({ tree, writer, reader });
    const parents = start === null ? [] : [start.oid];
    const root = await tree.write(writer);
    const newOid = writer.addCommit({ tree: root, parents, author, committer, message });
    await writer.flush();
    const command = { ref, oldOid: tip?.oid ?? '0'.repeat(newOid.length), newOid };
    await request.confirm?.(command);
    await updateReferences(repository, [command]);
    return { command, parent: start?.oid ?? null };
  } finally {
    reader.close();
  }
}

/** The id of a commit's root folder. */
export function treeOf({ type, oid, content }: GitObject): string {
  const [, tree] = /^tree ([0-9a-f]+)\n/.exec(content.toString('latin1', 0, 128)) ?? [];
  if (type !== 'commit' || tree === undefined) throw new RangeError(`${oid} is no commit`);
  return tree;
}

async function startOf(
  { startFrom }: BranchCommit,
  tip: GitObject | null,
  reader: ObjectReader,
): Promise<GitObject | null> {
  if (startFrom === undefined) return tip;
  const oid = await startFrom(tip?.oid ?? null, reader);
  if (oid === null) return null;
  const start = oid === tip?.oid ? tip : await reader.read(oid);
  if (start === null) throw new RangeError(`${oid} is not there`);
  return start;
}
