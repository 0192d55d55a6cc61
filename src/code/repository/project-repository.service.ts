import { Injectable } from '@nestjs/common';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import {
  type OpenRepository,
  RepositoryReader,
} from '../../git/reading/repository-reader.service.js';
import { resolveRevision, type Revision } from '../../git/reading/revisions.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';

/** 403 for everyone in a project that has its repository turned off. */
export function assertRepositoryEnabled(project: Pick<ProjectRow, 'repositoryEnabled'>): void {
  if (!project.repositoryEnabled) throw new ForbiddenError();
}

/** The code repositories of projects, for reading. */
@Injectable()
export class ProjectRepository {
  constructor(private readonly reader: RepositoryReader) {}

  /** Runs a reading; 403 when the repository is turned off, 404 when it is gone, 503 as the reader. */
  async read<T>(
    project: Pick<ProjectRow, 'id' | 'repositoryEnabled'>,
    work: (repository: OpenRepository) => Promise<T>,
  ): Promise<T> {
    assertRepositoryEnabled(project);
    return this.reader.read({ kind: 'project', containerId: project.id }, work);
  }
}

/**
 * Returns the revision of a parameter `ref`; the branch of HEAD by default. Throws 404 `noun` when
 * it does not exist.
 */
export async function revisionOf(
  repository: OpenRepository,
  ref: string | null | undefined,
  noun: string,
): Promise<Revision> {
  const revision = await resolveRevision(repository, ref ? ref : 'HEAD');
  if (revision === null) throw new NotFoundError(noun);
  return revision;
}

/** Returns `found`. Throws 404 `noun` for null. */
export function orNotFound<T>(found: T | null, noun: string): T {
  if (found === null) throw new NotFoundError(noun);
  return found;
}
