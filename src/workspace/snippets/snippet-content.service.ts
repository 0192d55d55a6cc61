import type { Readable } from 'node:stream';
import { isUtf8 } from 'node:buffer';
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

/** Pages offer larger files for download only. */
const MAX_SHOWN_BYTES = 256 * 1024;

/** A file of a snippet for a page. */
export interface ShownFile {
  path: string;
  /** null for a binary or large file. */
  text: string | null;
}

/** Reads files of snippets from their repositories, as streams. */
@Injectable()
export class SnippetContentService {
  constructor(
    private readonly containers: ContainersRepository,
    private readonly storages: StorageRegistry,
  ) {}

  /** Opens the first file at HEAD; throws 404 without files. */
  async openFirst(snippet: SnippetRow): Promise<OpenFile> {
    const [path] = snippet.filePaths;
    if (path === undefined) throw new NotFoundError('File');
    return this.openFile(snippet, 'HEAD', path);
  }

  /** Opens a file at a branch, tag or commit; throws 404 `Reference` or `File`. */
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

  /** Returns the texts of all files, for pages; reads them one after the other. */
  async readTexts(snippet: SnippetRow): Promise<ShownFile[]> {
    const files: ShownFile[] = [];
    for (const path of snippet.filePaths)
      files.push({ path, text: await this.readText(snippet, path) });
    return files;
  }

  private async readText(snippet: SnippetRow, path: string): Promise<string | null> {
    try {
      const { content } = await this.openFile(snippet, 'HEAD', path);
      const bytes = await readBeginning(content, MAX_SHOWN_BYTES + 1);
      const isText = bytes.length <= MAX_SHOWN_BYTES && isUtf8(bytes) && !bytes.includes(0);
      return isText ? bytes.toString('utf8') : null;
    } catch (error) {
      // The row can name a file that a push has just removed.
      if (error instanceof NotFoundError) return null;
      throw error;
    }
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
