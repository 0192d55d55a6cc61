import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { NotFoundError } from '../../core/errors.js';
import { sendContent } from '../../core/http/send-content.js';
import { bareRepositoryExists } from '../../git/bare-repository.js';
import { openBlob } from '../../git/blob-stream.js';
import { ContainersRepository } from '../../git/containers.repository.js';
import { resolveCommit } from '../../git/git-repository.js';
import { BRANCH_PREFIX, isValidReferenceName } from '../../git/reference-name.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { SnippetRow } from './snippets.repository.js';

/** One file's content on its way to the client. */
interface OpenFile {
  name: string;
  content: Readable;
  isPrivate: boolean;
}

const LOOKS = 2;

/** Reads files of snippets from their repositories, as streams. */
@Injectable()
export class SnippetContentService {
  constructor(
    private readonly containers: ContainersRepository,
    private readonly storages: StorageRegistry,
  ) {}

  /** The first file as it is now; 404 when there is none. */
  async openFirst(snippet: SnippetRow): Promise<OpenFile> {
    const [path] = snippet.filePaths;
    if (path === undefined) throw new NotFoundError('File');
    return this.openFile(snippet, 'HEAD', path);
  }

  /** A file at a branch, tag or commit; 404 `Reference` or `File` when one is not there. */
  async openFile(
    { id, visibility, projectId }: SnippetRow,
    ref: string,
    path: string,
  ): Promise<OpenFile> {
    const repository = await this.locate(id);
    const commit = repository === null ? null : await resolveName(repository, ref);
    if (repository === null || commit === null) throw new NotFoundError('Reference');
    const content = await openBlob(repository, commit, path);
    if (content === null) throw new NotFoundError('File');
    // The project's visibility also limits its public snippets.
    const isPrivate = visibility !== VISIBILITY.public || projectId !== null;
    return { name: path.slice(path.lastIndexOf('/') + 1), content, isPrivate };
  }

  /** A move can take the repository away between reading where it is and looking there. */
  private async locate(id: number): Promise<string | null> {
    for (let look = 0; look < LOOKS; look += 1) {
      const state = await this.containers.findState('snippet', id);
      if (state === null) return null;
      const address = { storage: state.storage, kind: 'snippet', containerId: id } as const;
      const path = this.storages.absolutePath(address);
      if (await bareRepositoryExists(path)) return path;
    }
    await this.containers.assertNotLost({ kind: 'snippet', containerId: id });
    return null;
  }
}

/** Names only: git's revision language could search messages or walk history. */
async function resolveName(repository: string, ref: string): Promise<string | null> {
  if (!isValidReferenceName(`${BRANCH_PREFIX}${ref}`)) return null;
  return resolveCommit(repository, ref);
}

/** Sends a file as plain text, regardless of its type. */
export function sendRawFile(response: Response, file: OpenFile): Promise<void> {
  return sendContent(response, { ...file, type: 'text/plain; charset=utf-8' });
}

/** Returns the beginning of a stream: at least `bytes` of it, or all there is. Ends the stream. */
export async function readBeginning(stream: Readable, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks);
}
