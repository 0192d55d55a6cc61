import { isObjectId, isValidReferenceName, TAG_PREFIX } from '../reference-name.js';
import { momentOf } from './commit-records.js';
import { type CommitRecord, readCommits } from './commits.js';
import { type FieldBounds, FieldCutter } from './field-cutter.js';
import { readGit } from './read-git.js';
import { pageOf, referenceNames, type ReferenceSelection } from './reference-names.js';
import type { OpenRepository } from './repository-reader.service.js';

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
  const output = await readGit(repository, args, { shorten });
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
  const output = await readGit(repository, ['cat-file', '--batch-check=%(objectname)'], { input });
  const oids = output.split('\n');
  const pairs = tags.map(({ name }, at) => [name, oids[at] ?? ''] as const);
  return new Map(pairs.filter(([, oid]) => isObjectId(oid)));
}
