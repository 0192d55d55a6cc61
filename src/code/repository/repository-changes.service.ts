import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/viewer.js';
import { ApiError, ConflictError, ForbiddenError } from '../../core/errors.js';
import { createBareRepository } from '../../git/bare-repository.js';
import { headBranch } from '../../git/git-repository.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import { RepositoryReader } from '../../git/reading/repository-reader.service.js';
import type { ReferenceRights } from '../../git/reference-policy.js';
import { ReferenceClashError, ReferenceMovedError } from '../../git/reference-updates.js';
import { type ActiveWrite, RepositoryWriter } from '../../git/repository-writer.service.js';
import { canInProject } from '../../identity/members/abilities.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { OpenChange } from './open-change.js';
import { assertRepositoryEnabled } from './project-repository.service.js';

const ATTEMPTS = 8;
const FIRST_BRANCH = 'main';

/** Repository and user of a change; the caller has checked that the user can push at all. */
export interface CodeChange {
  project: ProjectRow;
  viewer: Viewer;
}

/** Changes the code repositories of projects; events follow from the record. */
@Injectable()
export class RepositoryChanges {
  constructor(
    private readonly writer: RepositoryWriter,
    private readonly reader: RepositoryReader,
  ) {}

  /**
   * The work moves refs by the change that it is given and answers how; it is done again when
   * others moved them first. Throws 403 for a project that takes no code, RepositoryReadOnlyError
   * during a move, 409 when others keep moving the refs, and what the work throws.
   */
  async run(
    change: CodeChange,
    work: (open: OpenChange) => Promise<readonly RefCommand[]>,
  ): Promise<void> {
    assertTakesCode(change.project);
    const { id: containerId } = change.project;
    const request = { kind: 'project', containerId, userId: change.viewer.id } as const;
    await this.writer.write(request, async (begun) => {
      await this.prepare(change.project, begun);
      const open = new OpenChange(begun, await rightsIn(change, begun.path));
      return attempt(begun, () => work(open));
    });
  }

  /**
   * Creates the repository before the first push. Throws 503 instead of recreating one that is
   * missing, or when its storage is unavailable.
   */
  private async prepare(project: ProjectRow, { path, storageRoot }: ActiveWrite): Promise<void> {
    const found = await this.reader.open({ kind: 'project', containerId: project.id });
    if (found !== null) return;
    const defaultBranch = project.defaultBranch ?? FIRST_BRANCH;
    await createBareRepository({ storageRoot, path, defaultBranch });
  }
}

/** 403 for everyone while the repository is turned off, and in an archived project. */
export function assertTakesCode(project: ProjectRow): void {
  assertRepositoryEnabled(project);
  if (project.archived) throw new ForbiddenError();
}

async function attempt(
  write: ActiveWrite,
  work: () => Promise<readonly RefCommand[]>,
): Promise<readonly RefCommand[]> {
  for (let count = 1; ; count += 1) {
    try {
      return await work();
    } catch (error) {
      const isClash = error instanceof ReferenceClashError;
      if (!isClash && !(error instanceof ReferenceMovedError)) throw error;
      write.settle();
      if (isClash) throw clashRefusal();
      if (count === ATTEMPTS) throw new ConflictError('409 Conflict: Resource lock');
    }
  }
}

function clashRefusal(): ApiError {
  return new ApiError(400, {
    message: 'The name clashes with another one: one of them would be a folder of the other',
  });
}

async function rightsIn({ project, viewer }: CodeChange, path: string): Promise<ReferenceRights> {
  return {
    protectedBranch: project.defaultBranch ?? (await headBranch(path)),
    canPushProtected: canInProject('push_protected', { ...project, viewer }),
  };
}
