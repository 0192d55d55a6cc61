import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { ApiError, ConflictError, ForbiddenError } from '../../core/errors.js';
import { gitOutput } from '../../git/git-process.js';
import { headBranch, createBareRepository } from '../../git/git-repository.js';
import { isAncestor } from '../../git/reading/commits.js';
import {
  type OpenRepository,
  RepositoryReader,
} from '../../git/reading/repository-reader.service.js';
import { BRANCH_PREFIX } from '../../git/reference-name.js';
import { mayPushTo, referenceProblem, type ReferenceRights } from '../../git/reference-policy.js';
import {
  ReferenceClashError,
  ReferenceMovedError,
  updateReferences,
  type RefCommand,
} from '../../git/reference-updates.js';
import { type ActiveWrite, RepositoryWriter } from '../../git/repository-writer.service.js';
import { canInProject } from '../../identity/members/abilities.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { assertRepositoryEnabled } from './project-repository.service.js';

/** A repository while it is changed, and what its changer can do with refs. */
export class OpenChange implements OpenRepository {
  readonly path: string;

  constructor(
    private readonly write: ActiveWrite,
    readonly rights: ReferenceRights,
  ) {
    this.path = write.path;
  }

  /** Tests for a repository without any commits on branches. */
  async hasNoBranches(): Promise<boolean> {
    const args = ['for-each-ref', '--count=1', '--format=%(refname)', BRANCH_PREFIX];
    return (await gitOutput(args, { cwd: this.path })).length === 0;
  }

  /** 403 for a protected branch of which the changer is no keeper. */
  assertMayPushTo(branch: string): void {
    if (mayPushTo(branch, this.rights)) return;
    throw new ForbiddenError('You are not allowed to push into this branch');
  }

  /** Throws 403 for a ref update that is forbidden in general, or for the user. */
  async assertAllowed(command: RefCommand): Promise<void> {
    const problem = await referenceProblem({
      command,
      rights: this.rights,
      isFastForward: () => isAncestor(this, command.oldOid, command.newOid),
    });
    if (problem !== null) throw new ForbiddenError(problem);
  }

  /** The last word before refs move. Throws 403, RepositoryReadOnlyError. */
  async confirm(commands: readonly RefCommand[]): Promise<void> {
    for (const command of commands) await this.assertAllowed(command);
    await this.write.confirm(commands);
  }

  /** Moves refs after `confirm`; returns its commands. Throws as `updateReferences` does. */
  async move(...commands: RefCommand[]): Promise<readonly RefCommand[]> {
    await this.confirm(commands);
    await updateReferences(this.path, commands);
    return commands;
  }
}

const ATTEMPTS = 8;
const FIRST_BRANCH = 'main';

/** Repository and user of a change; the caller has checked that the user can push at all. */
export interface CodeChange {
  project: ProjectRow;
  viewer: Viewer;
}

/** Writes to the code repositories of projects; events follow from the record. */
@Injectable()
export class ProjectRepositoryWriter {
  constructor(
    private readonly writer: RepositoryWriter,
    private readonly reader: RepositoryReader,
  ) {}

  /**
   * The work moves refs by the change that it is given and answers how; it is done again when
   * others moved them first. Throws 403 for a project that takes no code, RepositoryReadOnlyError
   * during a move, 409 when others keep moving the refs, and what the work throws.
   */
  async write(
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
