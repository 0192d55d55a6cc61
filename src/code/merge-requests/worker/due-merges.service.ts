import { Injectable, Logger } from '@nestjs/common';
import type { Viewer } from '../../../core/access/auth-context.js';
import { RunEvery, type IsStopping } from '../../../core/durable-work/periodic-task.js';
import { ApiError } from '../../../core/errors.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { QUEUES } from '../../../core/durable-work/queues.js';
import { READ_ONLY_MESSAGE } from '../../../git/write-lease.service.js';
import { ProjectsRepository } from '../../../workspace/projects/projects.repository.js';
import { AutoMergesRepository, type DueMerge } from '../auto-merges.repository.js';
import { assertTakesMergeRequests } from '../merge-request-access.js';
import { MergeRequestMerging } from '../merge-request-merging.service.js';

/** Merges what has waited for its pipeline. */
@Injectable()
export class DueMerges {
  private readonly logger = new Logger(DueMerges.name);

  constructor(
    private readonly autoMerges: AutoMergesRepository,
    private readonly projects: ProjectsRepository,
    private readonly merging: MergeRequestMerging,
  ) {}

  /** Merges every one that is due, in the order of their ids; one that fails keeps no other from its turn. */
  @RunEvery({
    ms: 10_000,
    queue: QUEUES.autoMerges,
    failureMessage: 'Merging what is due failed',
  })
  async run(isStopping: IsStopping): Promise<void> {
    let id = await this.autoMerges.findNextDue(0);
    while (id !== null && !isStopping()) {
      const claimed = id;
      await this.autoMerges
        .runExclusively(claimed, () => this.mergeOne(claimed))
        .catch((error: unknown) => this.later(claimed, error));
      id = await this.autoMerges.findNextDue(claimed);
    }
  }

  /** Checks rights as of now: an auto-merge keeps only its user, commit and message. */
  private async mergeOne(id: number): Promise<void> {
    const due = await this.autoMerges.findDue(id);
    if (due === null) return;
    try {
      await this.merge(due);
    } catch (error) {
      const reason = reasonOf(error, due);
      if (reason === null) throw error;
      const body = `aborted the automatic merge because ${reason}`;
      const note = { authorId: due.viewer.id, body };
      await this.autoMerges.manager.transaction((tx) => this.autoMerges.disable(tx, id, note));
    }
  }

  private async merge({ viewer, projectId, iid, sha, message }: DueMerge): Promise<void> {
    assertActive(viewer);
    const project = await this.projects.findById(projectId, viewer.id);
    // It is being deleted, and its merge requests with it.
    if (project === null) return;
    assertTakesMergeRequests(project);
    const dto = { sha, merge_commit_message: message };
    const context = { viewer, iid, preconditions: NO_PRECONDITIONS };
    await this.merging.merge({ project, dto }, context);
  }

  private later(id: number, error: unknown): void {
    this.logger.warn(`Merge request ${id} is to be merged later: ${String(error)}`);
  }
}

const NO_RIGHT = new ApiError(401, { message: '401 Unauthorized' });

function assertActive({ state, confirmed }: Viewer): void {
  if (state !== 'active' || !confirmed) throw NO_RIGHT;
}

const REASONS: Partial<Record<number, string>> = {
  401: 'the user who enabled it can no longer merge',
  403: 'the project no longer accepts merges',
  404: 'the user who enabled it can no longer access the merge request',
  405: 'the merge request is a draft or no longer open',
};

/** Why it will never be merged, in words; null when a later try can do it. */
function reasonOf(error: unknown, { sha }: DueMerge): string | null {
  if (!(error instanceof ApiError)) return null;
  const { status, body } = error;
  const message = String(body['message']);
  if (status === 422 && message !== READ_ONLY_MESSAGE) return lowerFirst(message);
  if (status === 409 && message.startsWith('SHA does not match')) {
    return `the source branch is no longer at ${sha.slice(0, 8)}`;
  }
  return REASONS[status] ?? null;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
