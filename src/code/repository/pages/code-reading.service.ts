import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import {
  type OpenRepository,
  RepositoryReader,
} from '../../../git/reading/repository-reader.service.js';
import { splitRefAndPath } from '../../../git/reading/revisions.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';

/** Location of a code page: a revision by its requested name, and a path in it. */
export interface Spot {
  ref: string;
  oid: string;
  path: string;
}

/** Reads repositories of projects for their pages. */
@Injectable()
export class CodeReading {
  constructor(private readonly reader: RepositoryReader) {}

  /** 404 when the repository is turned off or gone, 503 as the reader; must not be nested. */
  read<T>(
    { id, repositoryEnabled }: Pick<ProjectRow, 'id' | 'repositoryEnabled'>,
    work: (repository: OpenRepository) => Promise<T>,
  ): Promise<T> {
    if (!repositoryEnabled) throw new NotFoundError();
    return this.reader.read({ kind: 'project', containerId: id }, work);
  }

  /** The same for what stands behind `tree/` and the like; 404 when it begins with no revision. */
  readAt<T>(
    project: Pick<ProjectRow, 'id' | 'repositoryEnabled'>,
    address: string,
    work: (repository: OpenRepository, spot: Spot) => Promise<T>,
  ): Promise<T> {
    return this.read(project, async (repository) => {
      const spot = await splitRefAndPath(repository, address === '' ? 'HEAD' : address);
      if (spot === null) throw new NotFoundError();
      return work(repository, spot);
    });
  }
}
