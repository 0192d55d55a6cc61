import { Injectable } from '@nestjs/common';
import { ApiError, NotFoundError } from '../../core/errors.js';
import { type Page, sliceOf } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import {
  type CommitRecord,
  type CommitSelection,
  countListed,
  listCommits,
  mergeBase,
  readCommit,
} from '../../git/reading/commits.js';
import {
  diffBetween,
  diffOfCommit,
  type DiffSet,
  type DiffStats,
  statsOfCommits,
} from '../../git/reading/diffs.js';
import { ReadingLimitError } from '../../git/reading/read-git.js';
import { referencesContaining } from '../../git/reading/references.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { resolveRevision } from '../../git/reading/revisions.js';
import { BRANCH_PREFIX, TAG_PREFIX } from '../../git/reference-name.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { ListCommitsDto } from './commit.dto.js';
import type { CommitRefResponse } from './commit.response.js';
import {
  COUNTED,
  orNotFound,
  pageOf,
  ProjectRepository,
  revisionOf,
} from './project-repository.service.js';
import type { CompareDto } from './ref.dto.js';

/** Commit and its changed lines; null = not requested. */
export interface ListedCommit {
  commit: CommitRecord;
  stats: DiffStats | null;
}

const REF_PREFIXES = { branch: BRANCH_PREFIX, tag: TAG_PREFIX } as const;

/** Reads commits and compares revisions. */
@Injectable()
export class CommitsService {
  constructor(private readonly repositories: ProjectRepository) {}

  /**
   * Returns a page of commits, counted up to 10,000 and within the time limit of readings. Throws
   * 404 `Commit` for an unknown `ref_name`.
   */
  list(project: ProjectRow, filters: ListCommitsDto, paging: Paging): Promise<Page<ListedCommit>> {
    return this.repositories.read(project, async (repository) => {
      const start = await startOf(repository, filters);
      if (start === null) return pageOf([], 0, 0);
      const { offset: skip, perPage } = paging;
      const selection = { ...toSelection(filters), ...start, skip, limit: perPage + 1 };
      const { items, hasNext } = sliceOf(await listCommits(repository, selection), perPage);
      const stats =
        filters.with_stats === true ? await statsOfCommits(repository, items) : undefined;
      const listed = items.map((commit) => ({ commit, stats: stats?.get(commit.id) ?? null }));
      const isLast = !hasNext && (items.length > 0 || skip === 0);
      const total = isLast ? skip + items.length : await countUpTo(repository, selection);
      return { items: listed, hasNext, total: total !== null && total > COUNTED ? null : total };
    });
  }

  /** A commit by id, branch or tag; 404 `Commit`. */
  find(project: ProjectRow, sha: string, withStats: boolean): Promise<ListedCommit> {
    return this.repositories.read(project, async (repository) => {
      const commit = await commitOf(repository, sha);
      const stats = withStats ? await statsOfCommits(repository, [commit]) : undefined;
      return { commit, stats: stats?.get(commit.id) ?? null };
    });
  }

  /** Returns the diff of a commit. Throws 404 `Commit`. */
  diff(project: ProjectRow, sha: string): Promise<DiffSet> {
    return this.repositories.read(project, async (repository) =>
      diffOfCommit(repository, await commitOf(repository, sha)),
    );
  }

  /** Branches, then tags, that contain a commit; 404 `Commit`. */
  refs(
    project: ProjectRow,
    sha: string,
    type: 'branch' | 'tag' | 'all',
  ): Promise<CommitRefResponse[]> {
    const types = (['branch', 'tag'] as const).filter((one) => type === 'all' || type === one);
    return this.repositories.read(project, async (repository) => {
      const { oid } = await revisionOf(repository, sha, 'Commit');
      const lists = types.map(async (one) => {
        const names = await referencesContaining(repository, REF_PREFIXES[one], oid);
        return names.map((name) => ({ type: one, name }));
      });
      return (await Promise.all(lists)).flat();
    });
  }

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

async function commitOf(repository: OpenRepository, sha: string): Promise<CommitRecord> {
  const { oid } = await revisionOf(repository, sha, 'Commit');
  return orNotFound(await readCommit(repository, oid), 'Commit');
}

/** Returns null when counting takes too long, as for a path in a long history. */
async function countUpTo(
  repository: OpenRepository,
  selection: CommitSelection,
): Promise<number | null> {
  try {
    return await countListed(repository, selection, COUNTED + 1);
  } catch (error) {
    if (error instanceof ReadingLimitError) return null;
    throw error;
  }
}

/** Where the list begins; null when nothing has been pushed yet and nothing was named. */
async function startOf(
  repository: OpenRepository,
  { all, ref_name }: ListCommitsDto,
): Promise<Pick<CommitSelection, 'all' | 'revision'> | null> {
  if (all === true) return { all };
  if (ref_name) return { revision: (await revisionOf(repository, ref_name, 'Commit')).oid };
  const head = await resolveRevision(repository, 'HEAD');
  return head === null ? null : { revision: head.oid };
}

function toSelection(filters: ListCommitsDto): Partial<CommitSelection> {
  return {
    path: filters.path ?? undefined,
    since: filters.since ?? undefined,
    until: filters.until ?? undefined,
    author: filters.author ?? undefined,
    firstParent: filters.first_parent ?? undefined,
    order: filters.order ?? undefined,
  };
}

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
