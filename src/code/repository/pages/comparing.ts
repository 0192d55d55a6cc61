import { sliceOf, type Slice } from '../../../core/pagination/page.js';
import { type CommitRecord, listCommits } from '../../../git/reading/commits.js';
import { diffBetween, type DiffSet } from '../../../git/reading/diffs.js';
import { mergeBase } from '../../../git/reading/merge-bases.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { resolveRevision } from '../../../git/reading/revisions.js';

/** Commits and changes that one revision has and another one lacks. */
export interface ShownComparison {
  /** The newer revision's commit. */
  oid: string;
  /** Newest first. */
  commits: Slice<CommitRecord>;
  /** Since the last commit that both have; null when they have none in common. */
  diff: DiffSet | null;
}

/** Revisions that are not there, by the name of the field. */
export interface UnknownRevisions {
  unknown: ('from' | 'to')[];
}

const MAX_COMMITS = 100;

/** Reads what `to` has and `from` has not. */
export async function compareRevisions(
  repository: OpenRepository,
  from: string,
  to: string,
): Promise<ShownComparison | UnknownRevisions> {
  const older = await resolveRevision(repository, from);
  const newer = await resolveRevision(repository, to);
  if (older === null || newer === null) {
    const unknown = [
      older === null ? ['from' as const] : [],
      newer === null ? ['to' as const] : [],
    ];
    return { unknown: unknown.flat() };
  }
  const selection = { revision: newer.oid, exclude: [older.oid], skip: 0, limit: MAX_COMMITS + 1 };
  const base = await mergeBase(repository, [older.oid, newer.oid]);
  const commits = await listCommits(repository, selection);
  const diff = base === null ? null : await diffBetween(repository, base, newer.oid);
  return { oid: newer.oid, commits: sliceOf(commits, MAX_COMMITS), diff };
}
