import { hash } from 'node:crypto';
import { BRANCH_PREFIX, isObjectId, isValidReferenceName, TAG_PREFIX } from '../reference-name.js';
import { readStoredReferences } from '../reference-reader.js';
import { type FieldBounds, FieldCutter, momentOf } from './commit-records.js';
import { type CommitRecord, readCommits } from './commits.js';
import { readGit, readGitAtVersion, readGitCached } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

/** By name, by when what they name was made, or by the numbers in the name. */
type ReferenceSort = keyof typeof SORT_KEYS;

/** Which branches or tags a list holds. */
interface ReferenceSelection {
  /** Text in the name; `^x` at its beginning, `x$` at its end; any case. */
  search?: string;
  sort?: ReferenceSort;
  offset?: number;
  limit?: number;
}

const SORT_KEYS = {
  name: 'refname',
  name_desc: '-refname',
  updated_asc: 'creatordate',
  updated_desc: '-creatordate',
  version_asc: 'version:refname',
  version_desc: '-version:refname',
} as const;

/** Short names below a prefix, sorted; by name usually without a git process. */
export async function referenceNames(
  repository: OpenRepository,
  prefix: string,
  { search = '', sort = 'name' }: ReferenceSelection,
): Promise<string[]> {
  const names = await sortedNames(repository, prefix, sort);
  return search === '' ? names : names.filter(matcherOf(search));
}

async function sortedNames(
  repository: OpenRepository,
  prefix: string,
  sort: ReferenceSort,
): Promise<string[]> {
  const isByName = sort === 'name' || sort === 'name_desc';
  const stored = isByName ? await readStoredReferences(repository.path, [prefix]) : null;
  if (stored === null) {
    const args = ['for-each-ref', `--sort=${SORT_KEYS[sort]}`, '--format=%(refname)', prefix];
    const versionOf = versionReader(repository, prefix);
    return shortNames(await readGitAtVersion(repository, args, { versionOf }), prefix);
  }
  const names = stored.references.map(({ name }) => name.slice(prefix.length));
  return sort === 'name' ? names : names.reverse();
}

/** Identifies what the refs below a prefix point to; null where only git can read them. */
function versionReader({ path }: OpenRepository, prefix: string) {
  return async (): Promise<string | null> => {
    const stored = await readStoredReferences(path, [prefix]);
    return stored && hash('sha1', stored.references.map(({ name, oid }) => oid + name).join('\n'));
  };
}

function shortNames(output: string, prefix: string): string[] {
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.slice(prefix.length));
}

function matcherOf(search: string): (name: string) => boolean {
  const text = search.toLowerCase();
  const isStart = text.startsWith('^');
  const isEnd = text.endsWith('$');
  const part = text.slice(isStart ? 1 : 0, isEnd ? -1 : undefined);
  return (name) => {
    const lower = name.toLowerCase();
    if (isStart && isEnd) return lower === part;
    if (isStart) return lower.startsWith(part);
    return isEnd ? lower.endsWith(part) : lower.includes(part);
  };
}

/** Short names of the refs below a prefix whose history has the commit, by name. */
export async function referencesContaining(
  repository: OpenRepository,
  prefix: string,
  oid: string,
): Promise<string[]> {
  const args = ['for-each-ref', `--contains=${oid}`, '--format=%(refname)', prefix];
  return shortNames(await readGit(repository, args), prefix);
}

function pageOf<T>(items: readonly T[], { offset = 0, limit }: ReferenceSelection): T[] {
  return items.slice(offset, limit === undefined ? undefined : offset + limit);
}

export interface BranchRecord {
  name: string;
  commit: CommitRecord;
}

/** A page of branches and how many the selection has in all. */
export async function listBranches(
  repository: OpenRepository,
  selection: ReferenceSelection = {},
): Promise<{ branches: BranchRecord[]; total: number }> {
  const names = await referenceNames(repository, BRANCH_PREFIX, selection);
  const branches = await readBranches(repository, pageOf(names, selection));
  return { branches, total: names.length };
}

/** A branch by its exact name; null when there is none. */
export async function findBranch(
  repository: OpenRepository,
  name: string,
): Promise<BranchRecord | null> {
  if (!isValidReferenceName(`${BRANCH_PREFIX}${name}`)) return null;
  return (await readBranches(repository, [name]))[0] ?? null;
}

/** Those of the named branches whose commits are all in `into`, an object id. */
export async function mergedBranches(
  repository: OpenRepository,
  names: readonly string[],
  into: string,
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const refs = names.map((name) => `${BRANCH_PREFIX}${name}`);
  const args = ['for-each-ref', `--merged=${into}`, '--format=%(refname)', ...refs];
  const lines = (await readGit(repository, args)).split('\n');
  return new Set(lines.map((line) => line.slice(BRANCH_PREFIX.length)));
}

/** In the order of the names; those that are gone are missing. */
async function readBranches(
  repository: OpenRepository,
  names: readonly string[],
): Promise<BranchRecord[]> {
  if (names.length === 0) return [];
  const oids = await branchTips(repository, names);
  const commits = await readCommits(repository, oids);
  return names.flatMap((name, at) => {
    const commit = commits.get(oids[at] ?? '');
    return commit === undefined ? [] : [{ name, commit }];
  });
}

/** In the order of the names, without a git process in the usual case. */
async function branchTips(repository: OpenRepository, names: readonly string[]): Promise<string[]> {
  const refs = names.map((name) => `${BRANCH_PREFIX}${name}`);
  const stored = await readStoredReferences(repository.path, refs);
  const oids = new Map(stored?.references.map(({ name, oid }) => [name, oid]));
  if (stored !== null) return refs.map((ref) => oids.get(ref) ?? '');
  const input = refs.map((ref) => `${ref}\n`).join('');
  const args = ['cat-file', '--batch-check=%(objectname)'];
  return (await readGit(repository, args, { input })).split('\n');
}

export interface TagRecord {
  name: string;
  /** Object id that the tag names: of the tag object when it is annotated. */
  target: string;
  /** Of an annotated tag; null otherwise. */
  message: string | null;
  taggedDate: Date | null;
  /** null if the target is not a commit. */
  commit: CommitRecord | null;
}

const FIELDS = ['%(refname)', '%(objectname)', '%(objecttype)', '%(taggerdate:unix)'];
const FORMAT = `${[...FIELDS, '%(contents)'].join('%00')}%00`;

const HEAD = 4 * 1024;
/** Byte limits of a tag's fields: its message, like a commit's, can have any length. */
const BOUNDS: FieldBounds = {
  fields: [HEAD, HEAD, HEAD, HEAD, 64 * 1024],
  floor: HEAD,
  total: 4 * 1024 * 1024,
};

/** A page of tags and how many the selection has in all. */
export async function listTags(
  repository: OpenRepository,
  selection: ReferenceSelection = {},
): Promise<{ tags: TagRecord[]; total: number }> {
  const names = await referenceNames(repository, TAG_PREFIX, selection);
  const tags = await readTags(repository, pageOf(names, selection));
  return { tags, total: names.length };
}

/** A tag by its exact name; null when there is none. */
export async function findTag(repository: OpenRepository, name: string): Promise<TagRecord | null> {
  if (!isValidReferenceName(`${TAG_PREFIX}${name}`)) return null;
  return (await readTags(repository, [name]))[0] ?? null;
}

/** In the order of the names; those that are gone are missing. */
async function readTags(
  repository: OpenRepository,
  names: readonly string[],
): Promise<TagRecord[]> {
  if (names.length === 0) return [];
  const refs = names.map((name) => `${TAG_PREFIX}${name}`);
  const args = ['for-each-ref', `--format=${FORMAT}`, ...refs];
  const shorten = new FieldCutter(BOUNDS).take;
  const versionOf = versionReader(repository, TAG_PREFIX);
  const output = await readGitAtVersion(repository, args, { shorten, versionOf });
  const found = new Map(parseTags(output).map((tag) => [tag.name, tag]));
  const targets = await peel(repository, [...found.values()]);
  const commits = await readCommits(repository, [...targets.values()]);
  return names.flatMap((name) => {
    const tag = found.get(name);
    if (tag === undefined) return [];
    return [{ ...tag, commit: commits.get(targets.get(name) ?? '') ?? null }];
  });
}

type TagHead = Omit<TagRecord, 'commit'>;

function parseTags(output: string): TagHead[] {
  const fields = output.split('\0');
  const tags: TagHead[] = [];
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const [ref = '', target = '', type, date = '', contents = ''] = fields.slice(at, at + 5);
    const isAnnotated = type === 'tag';
    tags.push({
      // Git ends each record with a line end, which is in front of the next one's first field.
      name: ref.replace(/^\n/, '').slice(TAG_PREFIX.length),
      target,
      message: isAnnotated ? contents.trimEnd() : null,
      taggedDate: isAnnotated && date !== '' ? momentOf(date) : null,
    });
  }
  return tags;
}

/** Commit ids by tag name, through however many tags of tags. */
async function peel(
  repository: OpenRepository,
  tags: readonly TagHead[],
): Promise<Map<string, string>> {
  if (tags.every(({ message }) => message === null)) {
    return new Map(tags.map(({ name, target }) => [name, target]));
  }
  const input = tags.map(({ target }) => `${target}^{commit}\n`).join('');
  const args = ['cat-file', '--batch-check=%(objectname)'];
  const output = await readGitCached(repository, args, { input });
  const oids = output.split('\n');
  const pairs = tags.map(({ name }, at) => [name, oids[at] ?? ''] as const);
  return new Map(pairs.filter(([, oid]) => isObjectId(oid)));
}
