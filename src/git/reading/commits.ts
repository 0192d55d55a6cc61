import { GitProcessError } from '../git-process.js';
import { isObjectId } from '../reference-name.js';
import {
  COMMIT_FORMAT,
  commitBounds,
  type CommitRecord,
  FieldCutter,
  parseCommits,
} from './commit-records.js';
import { isPlainPath, withoutOuterSlashes } from './contents.js';
import { type GitAnswer, readGit, readGitCached, runGitCached } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

export type { CommitRecord } from './commit-records.js';

/** Which commits a list holds, newest first. */
export interface CommitSelection {
  /** Object id to begin at; nothing to begin at with `all` only. */
  revision?: string;
  /** Object ids; what they reach is left out. */
  exclude?: readonly string[];
  /** Only commits that change this file or folder. */
  path?: string;
  /** Bounds of the commit date, inclusive. */
  since?: Date;
  until?: Date;
  /** Text in `Name <address>` of the author, in any case. */
  author?: string;
  firstParent?: boolean;
  /** Everything that branches and tags reach. */
  all?: boolean;
  order?: 'default' | 'topo';
  skip: number;
  limit: number;
}

const LOG = ['log', '-z', COMMIT_FORMAT, '--no-mailmap', '--no-color', '--no-show-signature'];
/** Git counts in 32 bits. */
const MAX_SKIP = 2 ** 31 - 1;
const EARLIEST = Date.UTC(1970, 0, 2);
const LATEST = Date.UTC(2099, 0, 1);

/** Lists commits by one git process; request one more than shown to detect whether more follow. */
export async function listCommits(
  repository: OpenRepository,
  selection: CommitSelection,
): Promise<CommitRecord[]> {
  const { limit, skip, order } = selection;
  const selected = selectionOf(selection);
  // Git fails on larger numbers, which would look like an internal error.
  if (selected === null || limit < 1 || skip > MAX_SKIP) return [];
  const bounds = [`--skip=${skip}`, `--max-count=${limit}`];
  const args = [...LOG, ...bounds, ...(order === 'topo' ? ['--topo-order'] : []), ...selected];
  const shorten = new FieldCutter(commitBounds(limit)).take;
  return parseCommits(await readerOf(selection)(repository, args, { shorten }));
}

/** Of a longer push only so many of the newest commits are read. */
export const NEWEST_COMMITS = 100;

/** Returns the newest commits that a branch gains by a move; fewer than NEWEST_COMMITS are all. */
export function newestCommits(
  repository: OpenRepository,
  { from, to }: { from: string | null; to: string },
): Promise<CommitRecord[]> {
  const exclude = from === null ? [] : [from];
  return listCommits(repository, { revision: to, exclude, skip: 0, limit: NEWEST_COMMITS });
}

/** Counts the commits of a list regardless of the page, up to `max`. */
export async function countListed(
  repository: OpenRepository,
  selection: CommitSelection,
  max: number,
): Promise<number> {
  const selected = selectionOf(selection);
  if (selected === null) return 0;
  const args = ['rev-list', '--count', `--max-count=${max}`, ...selected];
  return Number(await readerOf(selection)(repository, args));
}

/** Returns the arguments that select the commits of a list, or null when none can match. */
function selectionOf(selection: CommitSelection): string[] | null {
  const { revision, exclude = [], until } = selection;
  const path = withoutOuterSlashes(selection.path ?? '');
  // Git fails on paths outside the repository, which would look like an internal error.
  if (!isPlainPath(path) || (until?.getTime() ?? LATEST) < EARLIEST) return null;
  const revisions = revision === undefined ? [] : [revision];
  [...revisions, ...exclude].forEach(assertObjectId);
  return [
    ...filtersOf(selection),
    ...(selection.all === true ? ['--branches', '--tags'] : []),
    ...revisions,
    ...exclude.map((oid) => `^${oid}`),
    '--',
    ...(path === '' ? [] : [path]),
  ];
}

/** Selections by commit ID alone are cached: their result never changes. */
function readerOf({ all }: CommitSelection): typeof readGit {
  return all === true ? readGit : readGitCached;
}

/** A commit by its whole object id; null when there is none. */
export async function readCommit(
  repository: OpenRepository,
  oid: string,
): Promise<CommitRecord | null> {
  return (await readCommits(repository, [oid])).get(oid) ?? null;
}

/** Several commits by one git process; ids that are no commits are missing in the answer. */
export async function readCommits(
  repository: OpenRepository,
  oids: readonly string[],
): Promise<Map<string, CommitRecord>> {
  const wanted = [...new Set(oids)].filter(isObjectId);
  if (wanted.length === 0) return new Map();
  const args = [...LOG, '--no-walk=unsorted', '--stdin'];
  const { code, stdout } = await runGitCached(repository, args, {
    input: `${wanted.join('\n')}\n`,
    shorten: new FieldCutter(commitBounds(wanted.length)).take,
  });
  if (code === 0) {
    const commits = parseCommits(stdout.toString('utf8'));
    return new Map(commits.map((commit) => [commit.id, commit]));
  }
  // One id that is no object fails the whole run.
  const present = await presentObjects(repository, wanted);
  return present.length === wanted.length ? new Map() : readCommits(repository, present);
}

/**
 * Returns commits by at least seven digits of their ids. Other objects and what is ambiguous are
 * missing in the answer; so are branches that are called like an id.
 */
export async function findCommits(
  repository: OpenRepository,
  beginnings: readonly string[],
): Promise<Map<string, CommitRecord>> {
  const args = ['cat-file', '--batch-check=%(objectname)'];
  const input = beginnings.map((beginning) => `${beginning}^{commit}\n`).join('');
  const lines = (await readGit(repository, args, { input })).split('\n');
  const named = beginnings.flatMap((beginning, at): [string, string][] => {
    const oid = lines[at] ?? '';
    return isObjectId(oid) && oid.startsWith(beginning) ? [[beginning, oid]] : [];
  });
  const commits = await readCommits(
    repository,
    named.map(([, oid]) => oid),
  );
  return new Map(
    named.flatMap(([beginning, oid]): [string, CommitRecord][] => {
      const commit = commits.get(oid);
      return commit === undefined ? [] : [[beginning, commit]];
    }),
  );
}

async function presentObjects(
  repository: OpenRepository,
  oids: readonly string[],
): Promise<string[]> {
  const args = ['cat-file', '--batch-check=%(objectname)'];
  const output = await readGit(repository, args, { input: `${oids.join('\n')}\n` });
  return output.split('\n').filter(isObjectId);
}

/** Returns the number of commits that `include` reaches and `exclude` does not, up to `max`. */
export async function countCommits(
  repository: OpenRepository,
  { include, exclude }: { include: readonly string[]; exclude: readonly string[] },
  max?: number,
): Promise<number> {
  if (include.length === 0) return 0;
  [...include, ...exclude].forEach(assertObjectId);
  const bound = max === undefined ? [] : [`--max-count=${max}`];
  const input = [...include, ...exclude.map((oid) => `^${oid}`)].join('\n');
  const args = ['rev-list', '--count', ...bound, '--stdin'];
  return Number(await readGitCached(repository, args, { input: `${input}\n` }));
}

function filtersOf({ since, until, author, firstParent }: CommitSelection): string[] {
  const filters: string[] = [];
  if (firstParent === true) filters.push('--first-parent');
  if (since !== undefined) filters.push(`--since=${dateArgument(since)}`);
  if (until !== undefined) filters.push(`--until=${dateArgument(until)}`);
  // Line ends would make several patterns of one.
  const name = author?.replace(/[\r\n\0]/g, ' ') ?? '';
  if (name !== '') filters.push('--fixed-strings', '--regexp-ignore-case', `--author=${name}`);
  return filters;
}

/** Git guesses at dates it cannot represent, such as "now"; they are brought into its range. */
function dateArgument(date: Date): string {
  return new Date(Math.min(Math.max(date.getTime(), EARLIEST), LATEST)).toISOString();
}

function assertObjectId(text: string): void {
  if (!isObjectId(text)) throw new RangeError(`Not an object id: ${text}`);
}

/** The best common ancestor of commits, given by object id; null when they have none. */
export async function mergeBase(
  repository: OpenRepository,
  oids: readonly string[],
): Promise<string | null> {
  const answer = await askMergeBase(repository, oids);
  return answer.code === 0 ? answer.stdout.toString('ascii').trim() : null;
}

/** Returns true if `descendant` contains `ancestor`; a commit contains itself. */
export async function isAncestor(
  repository: OpenRepository,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (ancestor === descendant) return true;
  return (await askMergeBase(repository, ['--is-ancestor', ancestor, descendant])).code === 0;
}

/** Exit code 1 is the answer "no". */
async function askMergeBase(
  repository: OpenRepository,
  args: readonly string[],
): Promise<GitAnswer> {
  const answer = await runGitCached(repository, ['merge-base', ...args]);
  if (answer.code <= 1) return answer;
  throw new GitProcessError(`git merge-base exited with ${answer.code}: ${answer.stderr}`);
}
