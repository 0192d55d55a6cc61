import { ObjectWriter, type Signature } from './git-objects.js';
import type { RefCommand } from './inflight-write.entity.js';
import { type GitObject, ObjectReader } from './object-reader.js';
import { BRANCH_PREFIX, isValidBranchName } from './reference-name.js';
import { updateReferences } from './reference-updates.js';
import { TreeEdit } from './tree-edit.js';

/** A commit that is being made. */
export interface CommitDraft {
  tree: TreeEdit;
  /** Takes the content of files. */
  writer: ObjectWriter;
  reader: ObjectReader;
}

export interface BranchCommit {
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
  /** Told what is about to happen before the branch moves; throwing keeps it from moving. */
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
