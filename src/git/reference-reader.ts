import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitOutput } from './git-process.js';
import { BRANCH_PREFIX, isValidReferenceName } from './reference-name.js';

/** A ref as it is stored. */
export interface StoredReference {
  name: string;
  oid: string;
  /** From packed-refs: the object behind a tag, null = it is no tag; undefined = not known. */
  peeled?: string | null;
}

/** HEAD and refs of a repository, read without a git process. */
interface StoredReferences {
  /** The ref that HEAD names, or null when it holds an object id. */
  headTarget: string | null;
  /** null while the branch that HEAD names does not exist. */
  headOid: string | null;
  /** Those that were wanted, sorted by name in byte order as git sorts them. */
  references: StoredReference[];
}

/** More loose refs than this are read faster by git. */
const MAX_LOOSE = 500;
/** So are more packed refs: parsing them here would hold up everyone else. */
const MAX_PACKED_BYTES = 512 * 1024;
/** Stands for bytes that are not UTF-8: such names are not distinguished here. */
const UNREADABLE = '\ufffd';
const OBJECT_ID = /^[0-9a-f]{40}$/;
const SECTION_OTHER_THAN_CORE = /^[ \t\v\f]*\[(?!core\])/im;
const EXTENSION = /repositoryformatversion\s*=\s*[^0\s]/i;

class NeedsGit extends Error {}

/**
 * Reads the refs whose names begin with one of `prefixes` (all when there is none). null when the
 * repository has anything unusual (own configuration, other formats, symbolic refs beside HEAD,
 * very many loose refs), which requires git. Throws ENOENT when the repository is not there.
 */
export async function readStoredReferences(
  repository: string,
  prefixes: readonly string[],
): Promise<StoredReferences | null> {
  try {
    await assertUsual(repository);
    const head = await readHead(repository);
    // Loose before packed: packing moves refs in that direction only.
    const loose = await readLoose(repository, withTarget(prefixes, head.target));
    const all = await readPacked(repository);
    for (const reference of loose) all.set(reference.name, reference);
    const references = [...all.values()].filter(({ name }) => isWanted(name, prefixes));
    references.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    const headOid = head.oid ?? all.get(head.target ?? '')?.oid ?? null;
    return { headTarget: head.target, headOid, references };
  } catch (error) {
    if (error instanceof NeedsGit) return null;
    throw error;
  }
}

/** HEAD's branch must be read even if it was not requested. */
function withTarget(prefixes: readonly string[], target: string | null): readonly string[] {
  return prefixes.length === 0 || target === null ? prefixes : [...prefixes, target];
}

function isWanted(name: string, prefixes: readonly string[]): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
}

async function assertUsual(repository: string): Promise<void> {
  const config = await readFile(join(repository, 'config'), 'utf8');
  if (SECTION_OTHER_THAN_CORE.test(config) || EXTENSION.test(config)) throw new NeedsGit();
}

async function readHead(
  repository: string,
): Promise<{ target: string | null; oid: string | null }> {
  const text = (await readFile(join(repository, 'HEAD'), 'utf8')).trimEnd();
  if (OBJECT_ID.test(text)) return { target: null, oid: text };
  const [, target] = /^ref: (refs\/.+)$/.exec(text) ?? [];
  if (target === undefined || !isValidReferenceName(target)) throw new NeedsGit();
  return { target, oid: null };
}

async function readLoose(
  repository: string,
  prefixes: readonly string[],
): Promise<StoredReference[]> {
  const names: string[] = [];
  await collectNames(repository, 'refs', { prefixes, names });
  const references = await Promise.all(names.map((name) => readLooseReference(repository, name)));
  return references.filter((reference) => reference !== null);
}

interface Collection {
  /** Only directories that can hold such names are entered; empty = all. */
  prefixes: readonly string[];
  names: string[];
}

async function collectNames(
  repository: string,
  directory: string,
  collection: Collection,
): Promise<void> {
  const { prefixes, names } = collection;
  const entries = await readdir(join(repository, directory), { withFileTypes: true });
  const inner: string[] = [];
  for (const entry of entries) {
    const name = `${directory}/${entry.name}`;
    if (name.includes(UNREADABLE)) throw new NeedsGit();
    if (entry.isDirectory() && mayHold(`${name}/`, prefixes)) inner.push(name);
    else if (entry.isFile() && !name.endsWith('.lock') && mayHold(name, prefixes)) names.push(name);
    else if (entry.isSymbolicLink()) throw new NeedsGit();
  }
  if (names.length > MAX_LOOSE) throw new NeedsGit();
  await Promise.all(inner.map((name) => collectNames(repository, name, collection)));
}

function mayHold(name: string, prefixes: readonly string[]): boolean {
  if (prefixes.length === 0) return true;
  return prefixes.some((prefix) => {
    return name.startsWith(prefix) || (name.endsWith('/') && prefix.startsWith(name));
  });
}

async function readLooseReference(
  repository: string,
  name: string,
): Promise<StoredReference | null> {
  try {
    const oid = (await readFile(join(repository, name), 'latin1')).trimEnd();
    if (!OBJECT_ID.test(oid) || !isValidReferenceName(name)) throw new NeedsGit();
    return { name, oid };
  } catch (error) {
    // Deleted or packed since the directory was read.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readPacked(repository: string): Promise<Map<string, StoredReference>> {
  const references = new Map<string, StoredReference>();
  const text = await readPackedText(repository);
  if (text.length > MAX_PACKED_BYTES || text.includes(UNREADABLE)) throw new NeedsGit();
  const lines = text.split('\n');
  let isFullyPeeled = false;
  let last: StoredReference | undefined;
  for (const line of lines) {
    if (line.startsWith('#')) isFullyPeeled = / fully-peeled /.test(`${line} `);
    else if (line.startsWith('^') && last !== undefined) last.peeled = line.slice(1);
    else if (line !== '') {
      last = parsePacked(line);
      if (isFullyPeeled) last.peeled = null;
      references.set(last.name, last);
    }
  }
  return references;
}

function parsePacked(line: string): StoredReference {
  const oid = line.slice(0, 40);
  const name = line.slice(41);
  if (!OBJECT_ID.test(oid) || line[40] !== ' ' || !isValidReferenceName(name)) throw new NeedsGit();
  return { name, oid };
}

/** Throws ENOENT if a move has taken the repository away, which must not look like one without refs. */
async function readPackedText(repository: string): Promise<string> {
  try {
    return await readFile(join(repository, 'packed-refs'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await access(join(repository, 'HEAD'));
    return '';
  }
}

/** Object ids of those of the refs that exist; as a rule without a git process. */
export async function referenceTips(
  repository: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const wanted = references.filter(isValidReferenceName);
  if (wanted.length === 0) return new Map();
  const stored = await readStoredReferences(repository, wanted);
  const found = stored?.references ?? (await askForReferences(repository, wanted));
  const tips = found.filter(({ name }) => wanted.includes(name));
  return new Map(tips.map(({ name, oid }) => [name, oid]));
}

/** The same for branches, by their short names. */
export async function branchTips(
  repository: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const tips = await referenceTips(
    repository,
    names.map((name) => BRANCH_PREFIX + name),
  );
  return new Map([...tips].map(([ref, oid]) => [ref.slice(BRANCH_PREFIX.length), oid]));
}

async function askForReferences(
  repository: string,
  names: readonly string[],
): Promise<{ name: string; oid: string }[]> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...names];
  const lines = (await gitOutput(args, { cwd: repository })).toString('utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const space = line.indexOf(' ');
      return { oid: line.slice(0, space), name: line.slice(space + 1) };
    });
}
