import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Semaphore } from '../../core/concurrency.js';
import { NotFoundError } from '../../core/errors.js';
import { sendContent } from '../../core/http/http-response.js';
import { shareOf } from '../../core/process-group.js';
import { openBlobById } from '../../git/git-repository.js';
import { type BlobBeginning, readBlobBounded } from '../../git/reading/contents.js';
import {
  type OpenRepository,
  RepositoryReader,
} from '../../git/reading/repository-reader.service.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { type FileLocation, locateFile } from './files.service.js';
import { orNotFound, ProjectRepository } from './project-repository.service.js';

const SNIFFED = 8_000;
const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';

/** Beginnings of pictures that browsers show and never run; SVG is none of them. */
const PICTURES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** Everything that `safeContentType` answers, without parameters. */
export const SAFE_TYPES = ['text/plain', BYTES, ...PICTURES.map(([type]) => type)];

/**
 * Returns the content type for a file, detected by its first bytes: an image, else text, else a
 * download. Never a type that can run or be styled.
 */
export function safeContentType(beginning: Buffer): string {
  const start = beginning.toString('latin1', 0, 16);
  const picture = PICTURES.find(([, pattern]) => pattern.test(start));
  if (picture !== undefined) return picture[0];
  return beginning.subarray(0, SNIFFED).includes(0) ? BYTES : TEXT;
}

/** Shorter files wait for slow clients in memory, longer ones in a git process. */
const IN_MEMORY = 512 * 1024;
const STREAMS = { capacity: shareOf(24), queue: 24 };
/** A client that takes nothing for this long has gone. */
const IDLE_MS = 60_000;

/** A file as far as it was read. */
interface FoundFile {
  name: string;
  beginning: BlobBeginning;
}

/** Sends files of projects as they are. */
@Injectable()
export class RawFiles {
  private readonly streams = new Semaphore(STREAMS);

  constructor(
    private readonly repositories: ProjectRepository,
    private readonly reader: RepositoryReader,
  ) {}

  /** Sends the file at a location; 404 `Commit` or `File`, 503 when too many long files are sent. */
  async sendFile(project: ProjectRow, location: FileLocation, response: Response): Promise<void> {
    const file = await this.repositories.read(project, async (repository) => {
      const { entry } = await locateFile(repository, location);
      const beginning = await beginningOf(repository, entry.id, 'File');
      return { name: entry.name, beginning };
    });
    await this.send(project, file, response);
  }

  /** Sends a blob by its id; 404 `Blob`, 503 as for files. */
  async sendBlob(project: ProjectRow, id: string, response: Response): Promise<void> {
    const beginning = await this.repositories.read(project, (repository) =>
      beginningOf(repository, id, 'Blob'),
    );
    await this.send(project, { name: id, beginning }, response);
  }

  private async send(
    { id: containerId, visibility }: ProjectRow,
    { name, beginning }: FoundFile,
    response: Response,
  ): Promise<void> {
    const type = safeContentType(beginning.content);
    const file = { name, type, isPrivate: visibility !== VISIBILITY.public };
    if (beginning.isWhole) {
      await sendContent(response, { ...file, content: beginning.content });
      return;
    }
    response.setHeader('Content-Length', String(beginning.size));
    if (response.req.method === 'HEAD') {
      await sendContent(response, { ...file, content: null });
      return;
    }
    await this.streams.run(async () => {
      const repository = await this.reader.open({ kind: 'project', containerId });
      const content =
        repository === null ? null : await openBlobById(repository.path, beginning.oid);
      if (content === null) throw new NotFoundError('File');
      response.setTimeout(IDLE_MS, () => response.destroy());
      await sendContent(response, { ...file, content });
    });
  }
}

async function beginningOf(
  repository: OpenRepository,
  id: string,
  noun: string,
): Promise<BlobBeginning> {
  return orNotFound(await readBlobBounded(repository, id, IN_MEMORY), noun);
}
