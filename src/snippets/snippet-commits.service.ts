import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { ConflictError } from '../core/errors.js';
import { bareRepositoryExists, createBareRepository } from '../git/bare-repository.js';
import { commitFiles, CommitConflictError, type FileChange } from '../git/git-commit.js';
import { headBranch, listFiles, resolveCommit } from '../git/git-repository.js';
import type { RefCommand } from '../git/inflight-write.entity.js';
import { PushRecorder } from '../git/push-recorder.service.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { RepositoryReadOnlyError, WriteLeaseService } from '../git/write-lease.service.js';
import type { WriteLease } from '../git/write-lease.js';
import { SNIPPET_BRANCH } from './snippet.presenter.js';

const ATTEMPTS = 3;

/** Given the paths of the files that are there, what a commit is to change; may refuse. */
export type CommitPlan = (present: string[]) => FileChange[];

/**
 * Commits to the repositories of snippets. Git has the last word about files: the commit comes
 * first, the row's list of paths follows from it. What a process that dies in between leaves open
 * is closed by `DeadWrites` from the lease's row.
 */
@Injectable()
export class SnippetCommitsService {
  constructor(
    private readonly leases: WriteLeaseService,
    private readonly recorder: PushRecorder,
    private readonly storages: StorageRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one commit on the snippet's branch. Throws RepositoryReadOnlyError during a move, what
   * the plan throws, and 409 when others keep changing the branch.
   */
  async commit(snippetId: number, author: Viewer, plan: CommitPlan): Promise<void> {
    const request = { kind: 'snippet', containerId: snippetId, userId: author.id } as const;
    const lease = await this.leases.acquire(request);
    const write = new OpenWrite(lease, this.storages.absolutePath(lease));
    try {
      const commands = await this.write(write, author, plan);
      await this.recorder.record({ ...lease, repositoryPath: write.path }, commands);
      write.isOutcomeKnown = true;
    } finally {
      if (write.isOutcomeKnown) await lease.release();
      else lease.abandon();
    }
  }

  private async write(write: OpenWrite, author: Viewer, plan: CommitPlan): Promise<RefCommand[]> {
    if (!(await bareRepositoryExists(write.path))) await this.createRepository(write);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return [await this.tryOnce(write, author, plan)];
      } catch (error) {
        if (!(error instanceof CommitConflictError)) throw error;
        write.isOutcomeKnown = true;
        if (attempt === ATTEMPTS) throw new ConflictError('409 Conflict: Resource lock');
      }
    }
  }

  private async tryOnce(write: OpenWrite, author: Viewer, plan: CommitPlan): Promise<RefCommand> {
    const { path } = write;
    const branch = (await headBranch(path)) ?? SNIPPET_BRANCH;
    const tip = await resolveCommit(path, `refs/heads/${branch}`);
    const present = tip === null ? [] : await listFiles(path, tip);
    const changes = plan(present.map((file) => file.path).sort());
    const { oid, parent } = await commitFiles(path, {
      branch,
      message: tip === null ? 'Initial commit' : 'Update snippet',
      author: { name: author.name, email: author.email, date: this.clock.now() },
      changes,
      confirm: (command) => write.confirm(command),
    });
    const oldOid = parent ?? '0'.repeat(oid.length);
    return { ref: `refs/heads/${branch}`, oldOid, newOid: oid };
  }

  private async createRepository({ lease, path }: OpenWrite): Promise<void> {
    const storageRoot = this.storages.get(lease.storage).root;
    await createBareRepository({ storageRoot, path, defaultBranch: SNIPPET_BRANCH });
  }
}

/** One write under its lease. Its outcome is open from just before the branch moves. */
class OpenWrite {
  isOutcomeKnown = true;

  constructor(
    readonly lease: WriteLease,
    readonly path: string,
  ) {}

  async confirm(command: RefCommand): Promise<void> {
    if (!(await this.lease.confirm([command]))) throw new RepositoryReadOnlyError();
    this.isOutcomeKnown = false;
  }
}
