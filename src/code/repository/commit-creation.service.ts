import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { ApiError } from '../../core/errors.js';
import { commitToBranch } from '../../git/branch-commit.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import type { ObjectReader } from '../../git/object-reader.js';
import { BRANCH_PREFIX, isObjectId, isValidBranchName } from '../../git/reference-name.js';
import { applyActions, type FileAction } from './file-actions.js';
import type { OpenChange } from './open-change.js';
import { type CodeChange, RepositoryChanges } from './repository-changes.service.js';

/** Commit to create. */
export interface WantedCommit {
  branch: string;
  message: string;
  /** Author of the commit; the committer is the viewer. */
  author: { name: string; email: string };
  actions: readonly FileAction[];
  /** Where a new branch begins; at most one of these. */
  startBranch?: string;
  startSha?: string;
  /** Resets an existing branch to the start. */
  force?: boolean;
}

/** Commits to projects. */
@Injectable()
export class CommitCreation {
  constructor(
    private readonly changes: RepositoryChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a commit, which can be the first one of its branch or repository; returns its ID.
   * Throws 400 with the messages of v4, 403 for a branch that the user cannot push to, and as
   * `RepositoryChanges.run`.
   */
  async create(change: CodeChange, wanted: WantedCommit): Promise<string> {
    if (!isValidBranchName(wanted.branch)) throw refusal('Branch name is invalid');
    let oid = '';
    await this.changes.run(change, async (open) => {
      const command = await this.commit(open, change, wanted);
      oid = command.newOid;
      return [command];
    });
    return oid;
  }

  private async commit(
    open: OpenChange,
    { viewer }: CodeChange,
    wanted: WantedCommit,
  ): Promise<RefCommand> {
    const { branch, message, author, actions } = wanted;
    open.assertMayPushTo(branch);
    const date = this.clock.now();
    const made = await commitToBranch(open.path, {
      branch,
      message,
      author: { ...author, date },
      committer: { name: viewer.name, email: viewer.email, date },
      startFrom: (tip, reader) => startOf(open, wanted, { tip, reader }),
      edit: (draft) => applyActions(draft, actions),
      confirm: (command) => open.confirm([command]),
    });
    return made.command;
  }
}

/** The commit to go on from; null = the first one of an empty repository. */
async function startOf(
  open: OpenChange,
  { branch, startBranch = branch, startSha, force = false }: WantedCommit,
  { tip, reader }: { tip: string | null; reader: ObjectReader },
): Promise<string | null> {
  const isElsewhere = startSha !== undefined || startBranch !== branch;
  if (!isElsewhere && tip !== null) return tip;
  if (isElsewhere && tip !== null && !force) {
    throw refusal(
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    );
  }
  if (tip === null && (await open.hasNoBranches())) return null;
  return startSha === undefined ? tipOf(reader, startBranch) : commitOf(reader, startSha);
}

async function tipOf(reader: ObjectReader, branch: string): Promise<string> {
  const found = isValidBranchName(branch) ? await reader.read(BRANCH_PREFIX + branch) : null;
  if (found === null) throw refusal('You can only create or edit files when you are on a branch');
  return found.oid;
}

async function commitOf(reader: ObjectReader, sha: string): Promise<string> {
  if (!isObjectId(sha)) throw refusal(`Invalid start_sha '${sha}'`);
  const found = await reader.read(`${sha}^{commit}`);
  if (found === null) throw refusal(`Cannot find start_sha '${sha}'`);
  return found.oid;
}

function refusal(message: string): ApiError {
  return new ApiError(400, { message });
}
