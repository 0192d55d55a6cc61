import { StringDecoder } from 'node:string_decoder';
import { LRUCache } from 'lru-cache';
import { countCacheRequest } from '../../core/metrics/process-metrics.js';
import { isObjectId } from '../reference-name.js';
import { type CommitRecord, readCommits } from './commits.js';
import type { TreeEntry } from './contents.js';
import { readGitCached, ReadingLimitError, streamGit } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

/** Commits that are compared with their parents, and how long that takes at most. */
const MAX_WALKED = 5_000;
const TIME_LIMIT_MS = 300;
/** Walks that were cut short by the clock are tried again after this. */
const RETRY_MS = 600_000;

/**
 * Compares trees alone, which takes a tenth of the time of `log`. Merges are left out: what they
 * brought in was changed by the commits that they merged.
 */
const COMPARE = ['diff-tree', '--stdin', '--root', '--raw', '-z', '--no-abbrev', '--no-renames'];

/** IDs of the newest commits that changed the entries of a folder, as far as they were found. */
interface Walk {
  /** By the name of the entry. */
  ids: ReadonlyMap<string, string>;
  /** The newest commit that changed anything in the folder. */
  newest: string | null;
}

/** Walks by repository, commit and folder, which never change once they are complete. */
const recent = new LRUCache<string, Walk>({
  maxSize: 4 * 1024 * 1024,
  maxEntrySize: 512 * 1024,
  sizeCalculation: ({ ids }, key) => 2 * key.length + 200 * (ids.size + 1),
});

/** The newest commits that changed a folder and its entries. */
export interface LastCommits {
  /** By the name of the entry; those that were changed too long ago are missing. */
  ofEntries: ReadonlyMap<string, CommitRecord>;
  /** null when it was changed too long ago. */
  ofFolder: CommitRecord | null;
}

/**
 * Finds the newest commits that changed a folder ('' = the root) of a commit and its entries, by
 * walking a bounded part of the history.
 */
export async function lastCommits(
  repository: OpenRepository,
  { oid, path }: { oid: string; path: string },
  entries: readonly TreeEntry[],
): Promise<LastCommits> {
  const walk = await cachedWalk(repository, { oid, path }, entries);
  const { newest } = walk;
  const wanted = [...walk.ids.values(), ...(newest === null ? [] : [newest])];
  const commits = await readCommits(repository, wanted);
  const ofEntries = [...walk.ids].flatMap(([name, id]): [string, CommitRecord][] => {
    const commit = commits.get(id);
    return commit === undefined ? [] : [[name, commit]];
  });
  const ofFolder = newest === null ? null : (commits.get(newest) ?? null);
  return { ofEntries: new Map(ofEntries), ofFolder };
}

async function cachedWalk(
  repository: OpenRepository,
  { oid, path }: { oid: string; path: string },
  entries: readonly TreeEntry[],
): Promise<Walk> {
  const key = [repository.path, oid, path].join('\0');
  const known = recent.get(key);
  countCacheRequest('git_last_commits', known !== undefined);
  if (known !== undefined) return known;
  const reader = new ChangeReader(path, new Set(entries.map(({ name }) => name)));
  const input = await readGitCached(repository, ['rev-list', `--max-count=${MAX_WALKED}`, oid]);
  const isCut = await streamGit(repository, {
    args: [...COMPARE, ...(path === '' ? [] : ['-r']), '--', ...(path === '' ? [] : [path])],
    input,
    timeLimitMs: TIME_LIMIT_MS,
    take: (chunk) => reader.take(chunk),
  }).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ReadingLimitError) return true;
      throw error;
    },
  );
  const walk = { ids: reader.ids, newest: reader.newest };
  // A busy machine can take all of the time before git begins.
  if (!isCut || walk.newest !== null) recent.set(key, walk, isCut ? { ttl: RETRY_MS } : {});
  return walk;
}

/** Reads the output of COMPARE in chunks until each entry has its commit. */
class ChangeReader implements Walk {
  readonly ids = new Map<string, string>();
  newest: string | null = null;
  private readonly decoder = new StringDecoder('utf8');
  private readonly prefix: string;
  private rest = '';
  private commit = '';
  private isPath = false;

  constructor(
    folder: string,
    private readonly missing: Set<string>,
  ) {
    this.prefix = folder === '' ? '' : `${folder}/`;
  }

  /** Returns false once nothing is missing. */
  take(chunk: Buffer): boolean {
    const fields = (this.rest + this.decoder.write(chunk)).split('\0');
    this.rest = fields.pop() ?? '';
    for (const field of fields) this.read(field);
    return this.missing.size > 0;
  }

  /** A path follows each line of modes and IDs, and may look like anything. */
  private read(field: string): void {
    if (this.isPath) this.change(field);
    else if (isObjectId(field)) this.commit = field;
    this.isPath = !this.isPath && field.trimStart().startsWith(':');
  }

  private change(path: string): void {
    this.newest ??= this.commit;
    const [name = ''] = path.slice(this.prefix.length).split('/', 1);
    if (this.missing.delete(name)) this.ids.set(name, this.commit);
  }
}
