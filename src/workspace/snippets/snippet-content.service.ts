import type { Readable } from 'node:stream';
import { isUtf8 } from 'node:buffer';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { ConflictError, NotFoundError } from '../../core/errors.js';
import { sendContent } from '../../core/http/http-response.js';
import { ContainersRepository } from '../../git/containers.repository.js';
import { commitFiles, CommitConflictError, type FileChange } from '../../git/git-commit.js';
import {
  headBranch,
  listFiles,
  resolveCommit,
  bareRepositoryExists,
  createBareRepository,
  openBlob,
} from '../../git/git-repository.js';
import type { RefCommand } from '../../git/reference-updates.js';
import { BRANCH_PREFIX, isValidReferenceName } from '../../git/reference-name.js';
import { RepositoryWriter, type ActiveWrite } from '../../git/repository-writer.service.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { SNIPPET_BRANCH } from './snippet.presenter.js';
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
