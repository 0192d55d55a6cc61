import { Logger } from '@nestjs/common';
import { StringDecoder } from 'node:string_decoder';
import { LRUCache } from 'lru-cache';
import { countCacheRequest } from '../../core/metrics/metrics-registry.js';
import { GitProcessError } from '../git-process.js';
import { isObjectId } from '../reference-name.js';
import type { TreeEntry } from './contents.js';
import { ReadingLimitError, streamGit } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

/** Commits that are compared with their parents, and how long that takes at most. */
const MAX_WALKED = 5_000;
const TIME_LIMIT_MS = 500;

/** Walks that were cut short are tried again after this, those without any result sooner. */
const RETRY_MS = 600_000;
const RETRY_SOON_MS = 30_000;

/**
 * Comparing trees alone takes a tenth of the time of `log`. Each line of the input is a commit and
 * one of its parents, and has a header in the output even if nothing changed.
 */
const COMPARE = 'diff-tree --stdin --root --always --raw -z --no-abbrev --no-renames'.split(' ');

/** The newest commits that changed a folder and its entries, as far as they were found. */
export interface LastCommits {
  /** IDs by the name of the entry. */
  ofEntries: ReadonlyMap<string, string>;
  /** ID of the newest commit that changed anything in the folder. */
  ofFolder: string | null;
}

/** Results by repository, commit and folder, which never change once they are complete. */
const recent = new LRUCache<string, LastCommits>({
  maxSize: 16 * 1024 * 1024,
  maxEntrySize: 2 * 1024 * 1024,
  sizeCalculation: ({ ofEntries }, key) => 2 * key.length + 200 * (ofEntries.size + 1),
});

const logger = new Logger('LastCommits');

/**
 * Finds the newest commits that changed a folder ('' = the root) of a commit and its entries, as
 * `git log -1` does, by walking a bounded part of the history. What git refuses is not found.
 */
export async function lastCommits(
  repository: OpenRepository,
  { oid, path, entries }: { oid: string; path: string; entries: readonly TreeEntry[] },
  timeLimitMs = TIME_LIMIT_MS,
): Promise<LastCommits> {
  const key = [repository.path, oid, path].join('\0');
  const known = recent.get(key);
  countCacheRequest('git_last_commits', known !== undefined);
  if (known !== undefined) return known;
  const walk = new Walk({ oid, path }, entries);
  const isComplete = await walkHistory(repository, walk, timeLimitMs).catch((error: unknown) => {
    if (!(error instanceof ReadingLimitError || error instanceof GitProcessError)) throw error;
    const line = `Last commits of ${repository.path} are not all known: ${error.message}`;
    if (error instanceof GitProcessError) logger.warn(line);
    return false;
  });
  const { found } = walk;
  const ttl = found.ofFolder === null ? RETRY_SOON_MS : RETRY_MS;
  recent.set(key, found, isComplete ? {} : { ttl });
  return found;
}

/** Returns true unless the history or its comparison was too long. */
async function walkHistory(
  repository: OpenRepository,
  walk: Walk,
  timeLimitMs: number,
): Promise<boolean> {
  const end = performance.now() + timeLimitMs;
  const lines: Buffer[] = [];
  const args = ['rev-list', '--parents', `--max-count=${MAX_WALKED}`, walk.folder.oid];
  await streamGit(repository, { args, timeLimitMs, take: (chunk) => lines.push(chunk) > 0 });
  const input = walk.begin(Buffer.concat(lines).toString('latin1'));
  const { path } = walk.folder;
  await streamGit(repository, {
    args: [...COMPARE, ...(path === '' ? [] : ['-r']), '--', ...(path === '' ? [] : [path])],
    input,
    timeLimitMs: Math.max(1, end - performance.now()),
    take: (chunk) => walk.take(chunk),
  });
  walk.finishComparison();
  return walk.isOver;
}

/** The folder itself among the names of its entries. */
const FOLDER = '';

/** A commit compared with one of its parents; null where it has none. */
interface Comparison {
  commit: string;
  parent: string | null;
  isLast: boolean;
}

/**
 * Reads comparisons, children first. Each commit is asked for the names that it may have changed: those
 * that are equal in a parent are asked of that parent, those that differ from all are its own.
 */
class Walk {
  private readonly sought = new Map<string, Set<string>>();
  private readonly ids = new Map<string, string>();
  private comparisons: Comparison[] = [];
  private position = -1;
  private missing: number;
  private readonly changed = new Set<string>();
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';
  private isPath = false;

  constructor(
    readonly folder: { oid: string; path: string },
    entries: readonly TreeEntry[],
  ) {
    const names = new Set([FOLDER, ...entries.map(({ name }) => name)]);
    this.missing = names.size;
    this.sought.set(folder.oid, names);
  }

  get isOver(): boolean {
    return this.missing === 0;
  }

  /** Copies, because the strings at hand are parts of long ones that they would keep. */
  get found(): LastCommits {
    const copy = (text: string): string => Buffer.from(text).toString();
    const ofEntries = new Map([...this.ids].map(([name, id]) => [copy(name), copy(id)]));
    const ofFolder = ofEntries.get(FOLDER) ?? null;
    ofEntries.delete(FOLDER);
    return { ofEntries, ofFolder };
  }

  /** Takes the output of `rev-list --parents` and returns the input of COMPARE. */
  begin(history: string): string {
    const commits = history.split('\n').filter((line) => line !== '');
    this.comparisons = childrenFirst(commits.map((line) => line.split(' '))).flatMap(comparisonsOf);
    const lines = this.comparisons.map(({ commit, parent }) => `${commit} ${parent ?? ''}`.trim());
    return `${lines.join('\n')}\n`;
  }

  /** Takes output of COMPARE; returns false once nothing is missing. */
  take(chunk: Buffer): boolean {
    const fields = (this.rest + this.decoder.write(chunk)).split('\0');
    this.rest = fields.pop() ?? '';
    for (const field of fields) this.read(field);
    return !this.isOver;
  }

  /** Headers are IDs; a path, which may look like anything, follows each line of modes and IDs. */
  private read(field: string): void {
    if (this.isPath) this.change(field);
    else if (isObjectId(field)) this.nextComparison();
    this.isPath = !this.isPath && field.startsWith(':');
  }

  private change(path: string): void {
    const prefix = this.folder.path === '' ? '' : `${this.folder.path}/`;
    const [name = ''] = path.slice(prefix.length).split('/', 1);
    this.changed.add(FOLDER).add(name);
  }

  private nextComparison(): void {
    this.finishComparison();
    this.position += 1;
    this.changed.clear();
  }

  finishComparison(): void {
    const comparison = this.comparisons[this.position];
    const names = this.sought.get(comparison?.commit ?? '');
    if (comparison === undefined || names === undefined) return;
    const { commit, parent, isLast } = comparison;
    if (parent !== null) this.pass(names, parent);
    if (!isLast) return;
    for (const name of names) this.ids.set(name, commit);
    this.missing -= names.size;
    this.sought.delete(commit);
  }

  /** Asks the parent for what is equal there. */
  private pass(names: Set<string>, parent: string): void {
    const equal = [...names].filter((name) => !this.changed.has(name));
    if (equal.length === 0) return;
    for (const name of equal) names.delete(name);
    this.sought.set(parent, new Set([...(this.sought.get(parent) ?? []), ...equal]));
  }
}

function comparisonsOf([commit = '', ...parents]: string[]): Comparison[] {
  const [last = null] = parents.slice(-1);
  const others = parents.slice(0, -1).map((parent) => ({ commit, parent, isLast: false }));
  return [...others, { commit, parent: last, isLast: true }];
}

/** Orders commits, each with its parents, so that none comes before one of its children. */
function childrenFirst(commits: string[][]): string[][] {
  const byId = new Map(commits.map((commit) => [commit[0] ?? '', commit]));
  const children = new Map<string, number>();
  for (const [, ...parents] of commits) {
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const ready = commits.filter(([id = '']) => !children.has(id));
  for (const [, ...parents] of ready) {
    for (const parent of parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const commit = byId.get(parent);
      if (left === 0 && commit !== undefined) ready.push(commit);
    }
  }
  return ready;
}
