import { hash } from 'node:crypto';
import { displayPath, eachInSlices, nativePath, readSmallFile } from './file-io.js';
import { damagedSource } from './move-error.js';
import { listTree, readHead, readOptional } from './repository-inventory.js';

/** All references of one repository, hidden ones included, as they are stored. */
export interface RepositoryReferences {
  /** Content of HEAD: `ref: refs/heads/main`, or an object id. */
  head: string;
  direct: Map<string, StoredReference>;
  /** Name → name of the reference it stands for. */
  symbolic: Map<string, string>;
  /** Traits of packed-refs that still hold although loose references were merged in. */
  traits: Set<string>;
}

const HEX = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
const SYMBOLIC = 'ref:';

/**
 * Reads HEAD, packed-refs and every loose reference without help of git.
 *
 * Loose wins over packed (gitrepository-layout(5)). A reference that is neither an
 * object id nor symbolic throws MoveError: git would skip it, and the move would lose it.
 */
export async function readReferences(repositoryPath: string): Promise<RepositoryReferences> {
  // Loose before packed: a concurrent pack-refs moves references in that direction only.
  const loose = await readLoose(repositoryPath);
  const packed = parsePackedRefs(readOptional(`${repositoryPath}/packed-refs`).toString('latin1'));
  const head = parseHead(readHead(repositoryPath).toString('latin1'));
  const direct = new Map(packed.references.map((reference) => [reference.name, reference]));
  for (const name of loose.symbolic.keys()) direct.delete(name);
  for (const reference of loose.direct) {
    const { name, oid } = reference;
    if (direct.get(name)?.oid === oid) continue;
    direct.set(name, reference);
    packed.traits.delete('fully-peeled');
    if (name.startsWith('refs/tags/')) packed.traits.delete('peeled');
  }
  return { head, direct, symbolic: loose.symbolic, traits: packed.traits };
}

interface LooseReferences {
  direct: StoredReference[];
  symbolic: Map<string, string>;
}

async function readLoose(root: string): Promise<LooseReferences> {
  const loose: LooseReferences = { direct: [], symbolic: new Map() };
  const { files } = await listTree(root, 'refs');
  await eachInSlices(files, ({ path: name }) => {
    if (!isReferenceName(name)) throw damagedSource(`${displayPath(name)} has a broken name`);
    const content = readSmallFile(nativePath(root, name)).toString('latin1');
    const oid = objectIdAtStart(content);
    if (oid === null) loose.symbolic.set(name, parseSymbolic(name, content));
    else loose.direct.push({ name, oid });
  });
  return loose;
}

/** An id can be followed by white space and then by anything (refs/files-backend of git). */
function objectIdAtStart(content: string): string | null {
  const length = content.charCodeAt(64) > 0x20 || content.length < 64 ? 40 : 64;
  const isComplete = content.length === length || /\s/.test(content.charAt(length));
  const oid = content.slice(0, length);
  return isComplete && HEX.test(oid) ? oid : null;
}

function parseSymbolic(name: string, content: string): string {
  const target = content.startsWith(SYMBOLIC) ? content.slice(SYMBOLIC.length).trim() : '';
  if (!isReferenceName(target)) {
    throw damagedSource(`reference ${displayPath(name)} is broken`);
  }
  return target;
}

function parseHead(content: string): string {
  return objectIdAtStart(content) ?? `ref: ${parseSymbolic('HEAD', content)}`;
}

/** The object HEAD or a symbolic reference ends at; undefined while the branch is unborn. */
function resolveReference(references: RepositoryReferences, name: string): string | undefined {
  let current = name;
  // Git gives up after five links too (SYMREF_MAXDEPTH).
  for (let depth = 0; depth <= 5; depth += 1) {
    const next = references.symbolic.get(current);
    if (next === undefined) return references.direct.get(current)?.oid;
    current = next;
  }
  return undefined;
}

/** Returns the output of `git show-ref --head`: every reference with its final object. */
export function resolvedReferences(references: RepositoryReferences): ResolvedReference[] {
  const names = [...references.direct.keys(), ...references.symbolic.keys()];
  const resolved = names.map((name) => ({ name, oid: resolveReference(references, name) }));
  resolved.push({ name: 'HEAD', oid: resolveHead(references) });
  return resolved.filter((entry): entry is ResolvedReference => entry.oid !== undefined);
}

function resolveHead(references: RepositoryReferences): string | undefined {
  const { head } = references;
  return head.startsWith('ref: ') ? resolveReference(references, head.slice(5)) : head;
}

/** The first way in which two sets of references differ, or null when they are equal. */
export function findDifference(
  source: RepositoryReferences,
  copy: RepositoryReferences,
): string | null {
  if (source.head !== copy.head) return `HEAD is ${source.head} there and ${copy.head} here`;
  for (const [name, { oid }] of source.direct) {
    if (copy.direct.get(name)?.oid !== oid) return displayPath(name);
  }
  if (copy.direct.size > source.direct.size) {
    for (const name of copy.direct.keys()) if (!source.direct.has(name)) return displayPath(name);
  }
  for (const name of new Set([...source.symbolic.keys(), ...copy.symbolic.keys()])) {
    if (source.symbolic.get(name) !== copy.symbolic.get(name)) return displayPath(name);
  }
  return null;
}

interface ResolvedReference {
  name: string;
  oid: string;
}

// Unanchored on purpose: this is the checksum other servers of this API compute,
// and they let `refs/remotes/a/refs/heads/b` in.
const COUNTED = /HEAD|(refs\/(heads|tags|keep-around|merge-requests|environments|notes)\/)/;

/**
 * Checksum of a repository's references: the SHA-1 of each line of
 * `git show-ref --head`, all combined by XOR, as 40 hex digits.
 *
 * It does not see HEAD switched between equal branches nor references outside the usual
 * namespaces, so a comparison of the full lists goes with it.
 */
export function referenceChecksum(references: Iterable<ResolvedReference>): string {
  const sum = Buffer.alloc(20);
  for (const { name, oid } of references) {
    const line = `${oid} ${name}`;
    if (!COUNTED.test(line)) continue;
    const digest = hash('sha1', Buffer.from(line, 'latin1'), 'buffer');
    for (let index = 0; index < sum.length; index += 1) {
      sum[index] = (sum[index] ?? 0) ^ (digest[index] ?? 0);
    }
  }
  return sum.toString('hex');
}

/** A reference as it is stored: an object id, or the name of the reference it stands for. */
export interface StoredReference {
  name: string;
  oid: string;
  /** Final target of an annotated tag, if packed-refs contains it. */
  peeled?: string;
}

interface PackedReferences {
  references: StoredReference[];
  /** `sorted`, `peeled`, `fully-peeled` as the header states them. */
  traits: Set<string>;
}

const RECORD = /^([0-9a-f]{40}|[0-9a-f]{64}) (\S.*)$/;
const PEELED = /^\^([0-9a-f]{40}|[0-9a-f]{64})$/;

/** Parses the text of a packed-refs file; a line git would not accept is damage. */
export function parsePackedRefs(text: string): PackedReferences {
  const references: StoredReference[] = [];
  const traits = new Set<string>();
  if (text === '') return { references, traits };
  if (!text.endsWith('\n')) throw damagedSource('packed-refs ends in the middle of a line');
  for (const [index, line] of text.slice(0, -1).split('\n').entries()) {
    const record = RECORD.exec(line);
    const peeled = PEELED.exec(line)?.[1];
    const last = references.at(-1);
    if (record?.[1] && record[2] && isReferenceName(record[2])) {
      references.push({ oid: record[1], name: record[2] });
    } else if (peeled && last && last.peeled === undefined) last.peeled = peeled;
    else if (line.startsWith('#')) readTraits(line, traits);
    else throw damagedSource(`packed-refs is broken in line ${index + 1}`);
  }
  return { references, traits };
}

function readTraits(line: string, traits: Set<string>): void {
  if (!line.startsWith('# pack-refs with:')) return;
  for (const trait of line.slice('# pack-refs with:'.length).trim().split(/\s+/)) traits.add(trait);
}

/**
 * Writes references as one packed-refs file, sorted by the bytes of the name.
 *
 * The traits `peeled` and `fully-peeled` can be claimed only when the target of every tag is known:
 * a reader trusts them instead of looking at the object.
 */
export function formatPackedRefs(references: StoredReference[], traits: Set<string>): string {
  const claimed = ['peeled', 'fully-peeled'].filter((trait) => traits.has(trait));
  let text = `# pack-refs with: ${[...claimed, 'sorted'].join(' ')} \n`;
  for (const reference of [...references].sort(byName)) {
    text += `${reference.oid} ${reference.name}\n`;
    if (reference.peeled) text += `^${reference.peeled}\n`;
  }
  return text;
}

/** Byte order of names, which are latin1 strings: code units compare as bytes do. */
export function byName(a: { name: string }, b: { name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** The rules of git-check-ref-format(1) for a full name. */
export function isReferenceName(name: string): boolean {
  if (!name.startsWith('refs/') || name.endsWith('.') || name.endsWith('/')) return false;
  if (/[^!-~\u0080-\u00ff]|[~^:?*[\\]|\.\.|@\{|\/\//.test(name)) return false;
  return !/(^|\/)\.|\.lock(\/|$)/.test(name);
}
