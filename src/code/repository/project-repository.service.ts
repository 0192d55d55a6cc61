import { Injectable } from '@nestjs/common';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import {
  type OpenRepository,
  RepositoryReader,
} from '../../git/reading/repository-reader.service.js';
import { resolveRevision, type Revision, splitRefAndPath } from '../../git/reading/revisions.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';

/** Lists that go further are not counted for the client (API doc, Limits). */
export const COUNTED = 10_000;

/** A page of a list of which the whole length is known. */
export function pageOf<T>(items: T[], offset: number, total: number): Page<T> {
  const hasNext = offset + items.length < total && items.length > 0;
  return { items, hasNext, total: total > COUNTED ? null : total };
}

/** 403 for everyone in a project that has its repository turned off. */
export function assertRepositoryEnabled(project: Pick<ProjectRow, 'repositoryEnabled'>): void {
  if (!project.repositoryEnabled) throw new ForbiddenError();
}

/** Location of a code page: a revision by its requested name, and a path in it. */
export interface Spot {
  ref: string;
  oid: string;
  path: string;
}

/** The code repositories of projects, for reading. */
@Injectable()
export class ProjectRepository {
  constructor(private readonly reader: RepositoryReader) {}

  /**
   * Runs a reading, which must not be nested. Throws 403 when the repository is turned off, 404 when
   * it is gone, 503 as the reader.
   */
  async read<T>(
    project: Pick<ProjectRow, 'id' | 'repositoryEnabled'>,
    work: (repository: OpenRepository) => Promise<T>,
  ): Promise<T> {
    assertRepositoryEnabled(project);
    return this.reader.read({ kind: 'project', containerId: project.id }, work);
  }

  /** The same for pages: 404 also when the repository is turned off. */
  async readForPage<T>(
    project: Pick<ProjectRow, 'id' | 'repositoryEnabled'>,
    work: (repository: OpenRepository) => Promise<T>,
  ): Promise<T> {
    if (!project.repositoryEnabled) throw new NotFoundError();
    return this.read(project, work);
  }

  /** The same at a revision and path, as after `tree/`; 404 when it begins with no revision. */
  readForPageAt<T>(
    project: Pick<ProjectRow, 'id' | 'repositoryEnabled'>,
    address: string,
    work: (repository: OpenRepository, spot: Spot) => Promise<T>,
  ): Promise<T> {
    return this.readForPage(project, async (repository) => {
      const spot = await splitRefAndPath(repository, address === '' ? 'HEAD' : address);
      if (spot === null) throw new NotFoundError();
      return work(repository, spot);
    });
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
