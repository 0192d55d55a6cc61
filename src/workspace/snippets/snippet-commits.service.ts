import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/viewer.js';
import { Clock } from '../../core/clock.js';
import { ConflictError } from '../../core/errors.js';
import { bareRepositoryExists, createBareRepository } from '../../git/bare-repository.js';
import { ContainersRepository } from '../../git/containers.repository.js';
import { commitFiles, CommitConflictError, type FileChange } from '../../git/git-commit.js';
import { headBranch, listFiles, resolveCommit } from '../../git/git-repository.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import { RepositoryWriter, type ActiveWrite } from '../../git/repository-writer.service.js';
import { SNIPPET_BRANCH } from './snippet.presenter.js';

const ATTEMPTS = 3;

/** Given the paths of the files that are there, what a commit is to change; can refuse. */
type CommitPlan = (present: string[]) => FileChange[];

/** Commits to the repositories of snippets; the row's list of paths follows from the record. */
@Injectable()
export class SnippetCommitsService {
  constructor(
    private readonly writer: RepositoryWriter,
    private readonly clock: Clock,
    private readonly containers: ContainersRepository,
  ) {}

  /**
   * Makes one commit on the snippet's branch. Throws RepositoryReadOnlyError during a move, errors
   * of the plan, 503 when the repository is missing, and 409 after repeated concurrent changes.
   */
  async commit(snippetId: number, author: Viewer, plan: CommitPlan): Promise<void> {
    const request = { kind: 'snippet', containerId: snippetId, userId: author.id } as const;
    await this.writer.write(request, async (open) => {
      await this.prepare(open, snippetId);
      return this.commitWithin(open, author, plan);
    });
  }

  /** Creates the repository before the first commit; never recreates a missing one. */
  private async prepare({ path, storageRoot }: ActiveWrite, snippetId: number): Promise<void> {
    if (await bareRepositoryExists(path)) return;
    await this.containers.assertNotLost({ kind: 'snippet', containerId: snippetId });
    await createBareRepository({ storageRoot, path, defaultBranch: SNIPPET_BRANCH });
  }

  private async commitWithin(
    open: ActiveWrite,
    author: Viewer,
    plan: CommitPlan,
  ): Promise<RefCommand[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return [await this.tryOnce(open, author, plan)];
      } catch (error) {
        if (!(error instanceof CommitConflictError)) throw error;
        open.settle();
        if (attempt === ATTEMPTS) throw new ConflictError('409 Conflict: Resource lock');
      }
    }
  }

  private async tryOnce(open: ActiveWrite, author: Viewer, plan: CommitPlan): Promise<RefCommand> {
    const { path } = open;
    const branch = (await headBranch(path)) ?? SNIPPET_BRANCH;
    const tip = await resolveCommit(path, `refs/heads/${branch}`);
    const present = tip === null ? [] : await listFiles(path, tip);
    const changes = plan(present.map((file) => file.path).sort());
    const { oid, parent } = await commitFiles(path, {
      branch,
      message: tip === null ? 'Initial commit' : 'Update snippet',
      author: { name: author.name, email: author.email, date: this.clock.now() },
      changes,
      confirm: (command) => open.confirm([command]),
    });
    const oldOid = parent ?? '0'.repeat(oid.length);
    return { ref: `refs/heads/${branch}`, oldOid, newOid: oid };
  }
}
