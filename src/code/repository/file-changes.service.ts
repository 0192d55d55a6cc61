import { Injectable } from '@nestjs/common';
import { ApiError, InvalidParamsError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { listCommits } from '../../git/reading/commits.js';
import { BRANCH_PREFIX } from '../../git/reference-name.js';
import { resolveCommit } from '../../git/git-repository.js';
import { treePathProblem } from '../../git/tree-path.js';
import { CommitCreation, type WantedCommit } from './commit-creation.service.js';
import type { ChangeFileDto, DeleteFileDto } from './file.dto.js';
import { decodeContent, StaleFileError } from './file-actions.js';
import { ProjectRepository } from './project-repository.service.js';
import { assertTakesCode, type CodeChange } from './repository-changes.service.js';
import { singleFileCommit } from './wanted-commits.js';

/** A change of the file at a path, tied to conditions. */
export interface FileChangeRequest extends CodeChange {
  path: string;
  preconditions: Preconditions;
}

const STALE_UPDATE =
  'You are attempting to update a file that has changed since you started editing it.';
const STALE_DELETION = 'You are attempting to delete a file that has been previously updated.';

/** Changes of single files, each a commit. */
@Injectable()
export class FileChanges {
  constructor(
    private readonly commits: CommitCreation,
    private readonly repositories: ProjectRepository,
  ) {}

  /** Throws 400 for a file that is there already, and as `CommitCreation.create`. */
  async create(request: FileChangeRequest, dto: ChangeFileDto): Promise<void> {
    await this.commit(request, contentCommit(request, dto, 'create'), STALE_UPDATE);
  }

  /** Throws 400 for a file that is not there or has changed since `last_commit_id`, 412. */
  async update(request: FileChangeRequest, dto: ChangeFileDto): Promise<void> {
    await this.commit(request, contentCommit(request, dto, 'update'), STALE_UPDATE);
  }

  /** As `update`. */
  async delete(request: FileChangeRequest, dto: DeleteFileDto): Promise<void> {
    assertFilePath(request.path);
    const { viewer, path } = request;
    const action = { kind: 'delete', path, content: null, isProgram: null } as const;
    await this.commit(request, singleFileCommit(dto, viewer, action), STALE_DELETION);
  }

  private async commit(
    request: FileChangeRequest,
    wanted: WantedCommit,
    staleText: string,
  ): Promise<void> {
    if (request.preconditions.areGiven) await this.checkTime(request, wanted.branch);
    try {
      await this.commits.create(request, wanted);
    } catch (error) {
      if (!(error instanceof StaleFileError)) throw error;
      throw new ApiError(400, { message: staleText });
    }
  }

  /** 412 when the last commit that changed the file is later than the condition allows. */
  private async checkTime(request: FileChangeRequest, branch: string): Promise<void> {
    const { project, path, preconditions } = request;
    assertTakesCode(project);
    const commits = await this.repositories.read(project, async (repository) => {
      const revision = await resolveCommit(repository.path, BRANCH_PREFIX + branch);
      return revision === null
        ? []
        : listCommits(repository, { revision, path, skip: 0, limit: 1 });
    });
    const [last] = commits;
    if (last !== undefined) preconditions.check(last.committedDate);
  }
}

function contentCommit(
  { viewer, path }: FileChangeRequest,
  dto: ChangeFileDto,
  kind: 'create' | 'update',
): WantedCommit {
  assertFilePath(path);
  const content = decodeContent(dto.content, dto.encoding, 'content');
  const isProgram = dto.execute_filemode ?? null;
  return singleFileCommit(dto, viewer, { kind, path, content, isProgram });
}

function assertFilePath(path: string): void {
  if (treePathProblem(path) === null) return;
  throw new InvalidParamsError(['file_path should be a valid file path']);
}
