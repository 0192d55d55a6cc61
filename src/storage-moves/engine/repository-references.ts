import { displayPath, eachInSlices, nativePath, readSmallFile } from './file-io.js';
import { damagedSource } from './move-error.js';
import type { StoredReference } from './packed-refs.js';
import { isReferenceName, parsePackedRefs } from './packed-refs.js';
import type { ResolvedReference } from './reference-checksum.js';
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

/** An id may be followed by white space and then by anything (refs/files-backend of git). */
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

/** What `git show-ref --head` prints: every reference with the object it ends at. */
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
