import { Injectable } from '@nestjs/common';
import { ApiError, NotFoundError } from '../../core/errors.js';
import { type CommitRecord, listCommits, readCommit } from '../../git/reading/commits.js';
import { diffBetween, type DiffSet } from '../../git/reading/diffs.js';
import { mergeBase } from '../../git/reading/merge-bases.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { resolveRevision } from '../../git/reading/revisions.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { CompareDto } from './ref.dto.js';
import { orNotFound, ProjectRepository, revisionOf } from './project-repository.service.js';

/** Two revisions beside each other. */
export interface Comparison {
  from: string;
  to: string;
  /** Both name the same commit. */
  isSame: boolean;
  /** Commits that `to` has and `from` lacks, oldest first. */
  commits: CommitRecord[];
  diff: DiffSet;
}

const MAX_COMMITS = 1_000;
const NOTHING: DiffSet = { files: [], isOverflowing: false };

/** Compares revisions of a project. */
@Injectable()
export class Comparisons {
  constructor(private readonly repositories: ProjectRepository) {}

  /** 404 `Ref` when one of the two names nothing. Without common history there is no diff. */
  compare(project: ProjectRow, { from, to, straight }: CompareDto): Promise<Comparison> {
    return this.repositories.read(project, async (repository) => {
      const older = await revisionOf(repository, from, 'Ref');
      const newer = await revisionOf(repository, to, 'Ref');
      const selection = { revision: newer.oid, exclude: [older.oid], skip: 0, limit: MAX_COMMITS };
      const base =
        straight === true ? older.oid : await mergeBase(repository, [older.oid, newer.oid]);
      const [commits, diff] = await Promise.all([
        listCommits(repository, selection),
        base === null ? NOTHING : diffBetween(repository, base, newer.oid),
      ]);
      return { from, to, isSame: older.oid === newer.oid, commits: commits.reverse(), diff };
    });
  }

  /** The last commit that all have in common; 404 `Merge Base`, 400 for refs that are unknown. */
  mergeBase(project: ProjectRow, refs: readonly string[]): Promise<CommitRecord> {
    if (refs.length < 2) throw new ApiError(400, { message: 'Provide at least 2 refs' });
    return this.repositories.read(project, async (repository) => {
      const base = await mergeBase(repository, await resolveAll(repository, refs));
      if (base === null) throw new NotFoundError('Merge Base');
      return orNotFound(await readCommit(repository, base), 'Merge Base');
    });
  }
}

async function resolveAll(repository: OpenRepository, refs: readonly string[]): Promise<string[]> {
  const oids: string[] = [];
  const unknown: string[] = [];
  for (const ref of refs) {
    const revision = await resolveRevision(repository, ref);
    if (revision === null) unknown.push(ref);
    else oids.push(revision.oid);
  }
  if (unknown.length === 0) return oids;
  const noun = unknown.length === 1 ? 'ref' : 'refs';
  throw new ApiError(400, { message: `Could not find ${noun}: ${unknown.join(', ')}` });
}
