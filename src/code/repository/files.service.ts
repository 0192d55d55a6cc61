import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError, BadRequestError, InvalidParamsError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { resolveCommit } from '../../git/git-repository.js';
import {
  blobDigest,
  blobSize,
  entryAt,
  readBlobBounded,
  type TreeEntry,
} from '../../git/reading/contents.js';
import { listCommits } from '../../git/reading/commits.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { BRANCH_PREFIX } from '../../git/reference-name.js';
import { treePathProblem } from '../../git/tree-edit.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CommitCreation, singleFileCommit, type WantedCommit } from './commit-creation.service.js';
import { decodeContent, StaleFileError } from './file-actions.js';
import type { ChangeFileDto, DeleteFileDto } from './file.dto.js';
import { orNotFound, ProjectRepository, revisionOf } from './project-repository.service.js';
import { assertTakesCode, type CodeChange } from './project-repository-writer.service.js';

/** Path of a file at a revision. */
export interface FileLocation {
  path: string;
  /** Branch, tag or commit; the default branch without one. */
  ref: string | null | undefined;
}

/** A file at a revision, without its content. */
export interface FileFacts {
  entry: TreeEntry;
  ref: string;
  size: number;
  /** SHA-256 in hex. */
  digest: string;
  /** The revision as a commit. */
  commitId: string;
  /** Last commit that changed the file. */
  lastCommitId: string;
}

/** A file with its content. */
export interface WholeFile extends FileFacts {
  content: Buffer;
}

/** Content that goes into JSON; longer files are sent raw only. */
const MAX_CONTENT = 10 * 1024 * 1024;

/** Reads files at a revision, and changes single files by a commit each. */
@Injectable()
export class FilesService {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly commits: CommitCreation,
  ) {}

  /** 404 `Commit` or `File` when one is not there, 400 for a file of more than 10 MiB. */
  read(project: ProjectRow, location: FileLocation): Promise<WholeFile> {
    return this.repositories.read(project, async (repository) => {
      const { entry, oid, ref } = await locateFile(repository, location);
      const [content, lastCommitId] = await Promise.all([
        readContent(repository, entry.id),
        lastChangeOf(repository, oid, entry.path),
      ]);
      const digest = createHash('sha256').update(content).digest('hex');
      const facts = { entry, ref, size: content.length, digest, commitId: oid, lastCommitId };
      return { ...facts, content };
    });
  }

  /** The same without the content, for a file of any size. */
  facts(project: ProjectRow, location: FileLocation): Promise<FileFacts> {
    return this.repositories.read(project, async (repository) => {
      const { entry, oid, ref } = await locateFile(repository, location);
      const [size, digest, lastCommitId] = await Promise.all([
        blobSize(repository, entry.id),
        blobDigest(repository, entry.id),
        lastChangeOf(repository, oid, entry.path),
      ]);
      return { entry, ref, size: size ?? 0, digest, commitId: oid, lastCommitId };
    });
  }

  /** A blob by its id; 404 `Blob`, 400 when it has more than 10 MiB. */
  readBlob(project: ProjectRow, id: string): Promise<Buffer> {
    return this.repositories.read(project, async (repository) => {
      orNotFound(await blobSize(repository, id), 'Blob');
      return readContent(repository, id);
    });
  }

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

/** The file at a location; 404 `Commit` or `File`. */
export async function locateFile(
  repository: OpenRepository,
  { path, ref }: FileLocation,
): Promise<{ entry: TreeEntry; oid: string; ref: string }> {
  const { oid, kind, name } = await revisionOf(repository, ref, 'Commit');
  const entry = await entryAt(repository, oid, path);
  const file = orNotFound(entry?.type === 'blob' ? entry : null, 'File');
  return { entry: file, oid, ref: ref ? ref : kind === 'branch' ? name : 'HEAD' };
}

async function readContent(repository: OpenRepository, id: string): Promise<Buffer> {
  const blob = orNotFound(await readBlobBounded(repository, id, MAX_CONTENT), 'File');
  if (!blob.isWhole) throw new BadRequestError('file is too large, read it raw');
  return blob.content;
}

async function lastChangeOf(
  repository: OpenRepository,
  revision: string,
  path: string,
): Promise<string> {
  const [commit] = await listCommits(repository, { revision, path, skip: 0, limit: 1 });
  return commit?.id ?? revision;
}

/** A change of the file at a path, tied to conditions. */
export interface FileChangeRequest extends CodeChange {
  path: string;
  preconditions: Preconditions;
}

const STALE_UPDATE =
  'You are attempting to update a file that has changed since you started editing it.';
const STALE_DELETION = 'You are attempting to delete a file that has been previously updated.';

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
