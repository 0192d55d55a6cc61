import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BadRequestError } from '../../core/errors.js';
import { blobDigest, blobSize, readBlobBounded } from '../../git/reading/blobs.js';
import { listCommits } from '../../git/reading/commits.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { entryAt, type TreeEntry } from '../../git/reading/trees.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { orNotFound, ProjectRepository, revisionOf } from './project-repository.service.js';

/** Where a file is looked for. */
export interface FilePageContext {
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

/** Reads files of projects at a revision. */
@Injectable()
export class FilesReader {
  constructor(private readonly repositories: ProjectRepository) {}

  /** 404 `Commit` or `File` when one is not there, 400 for a file of more than 10 MiB. */
  read(project: ProjectRow, place: FilePageContext): Promise<WholeFile> {
    return this.repositories.read(project, async (repository) => {
      const { entry, oid, ref } = await locateFile(repository, place);
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
  facts(project: ProjectRow, place: FilePageContext): Promise<FileFacts> {
    return this.repositories.read(project, async (repository) => {
      const { entry, oid, ref } = await locateFile(repository, place);
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
}

/** The file at a place; 404 `Commit` or `File`. */
export async function locateFile(
  repository: OpenRepository,
  { path, ref }: FilePageContext,
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
