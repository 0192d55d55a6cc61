import { setImmediate as nextTurn } from 'node:timers/promises';
import { displayPath } from '../file-io.js';
import { damagedSource } from '../move-error.js';
import { packStem } from '../repository-inventory.js';
import { type RepositoryReferences, resolvedReferences } from '../repository-references.js';
import {
  type GitObject,
  isLooseObject,
  isObjectType,
  looseObjectId,
  type ObjectLink,
  type ObjectType,
  openLooseObject,
  UnusualRepositoryError,
} from './loose-object.js';
import { parsePackIndex } from './pack-index.js';
import { PackDamage, PackReader } from './pack-reader.js';

/** Up to here a repository is checked in memory; starting git would cost more than the check. */
export const SMALL_REPOSITORY_BYTES = 4 * 1024 * 1024;
export const SMALL_REPOSITORY_OBJECTS = 3000;

const MAX_INFLATED = 64 * 1024 * 1024;
const OBJECTS_PER_TURN = 100;

/**
 * Checks all objects of a small repository without a git process: each one's id, size and
 * encoding, pack against index, and that everything the references need is there.
 *
 * Throws MoveError ("Source repository is damaged") with the first finding, and
 * UnusualRepositoryError for a form only git itself can judge.
 */
export async function checkSmallRepository(
  contents: Map<string, Buffer>,
  references: RepositoryReferences,
  signal: AbortSignal,
): Promise<void> {
  const graph = new ObjectGraph();
  let handled = 0;
  for (const [path, content] of contents) {
    for (const { oid, ...object } of openObjects(path, content, contents)) {
      graph.add(oid, object);
      handled += 1;
      if (handled % OBJECTS_PER_TURN > 0) continue;
      await nextTurn();
      signal.throwIfAborted();
    }
  }
  requireReferences(graph, references);
  graph.requireConnected(resolvedReferences(references).map((reference) => reference.oid));
}

function* openObjects(path: string, content: Buffer, contents: Map<string, Buffer>) {
  if (path.endsWith('.promisor')) throw new UnusualRepositoryError('partial clone');
  if (path === 'shallow') throw new UnusualRepositoryError('shallow repository');
  if (isLooseObject(path)) {
    const object = openLooseObject(path, content, SMALL_REPOSITORY_BYTES);
    if (object === 'too-big') throw new UnusualRepositoryError('big loose object');
    yield { oid: looseObjectId(path), ...object };
  }
  if (path.endsWith('.pack')) yield* openPack(path, content, contents);
}

function* openPack(path: string, content: Buffer, contents: Map<string, Buffer>) {
  const index = parsePackIndex(contents.get(`${packStem(path)}.idx`) ?? Buffer.alloc(0));
  if (index === null) throw damagedSource(`broken index of ${path}`);
  try {
    yield* new PackReader(content, index, MAX_INFLATED).objects();
  } catch (error) {
    if (error instanceof PackDamage) throw damagedSource(`${path} (${error.message})`);
    throw error;
  }
}

function requireReferences(graph: ObjectGraph, references: RepositoryReferences): void {
  for (const { name, oid } of resolvedReferences(references)) {
    const type = graph.typeOf(oid);
    if (type === undefined) throw damagedSource(`${displayPath(name)} points at missing ${oid}`);
    const needsCommit = name === 'HEAD' || name.startsWith('refs/heads/');
    if (needsCommit && type !== 'commit') throw damagedSource(`${displayPath(name)} is a ${type}`);
  }
  for (const { name, oid, peeled } of references.direct.values()) {
    if (peeled === undefined || graph.peel(oid) === peeled) continue;
    throw damagedSource(`packed-refs holds a wrong target of ${displayPath(name)}`);
  }
}

interface Node {
  type: ObjectType;
  links: ObjectLink[];
}

/** All objects of a small repository with what they point at; contents are not kept. */
class ObjectGraph {
  private readonly nodes = new Map<string, Node>();

  /** Throws MoveError when the object cannot be read. */
  add(oid: string, object: GitObject): void {
    const links = objectLinks(object);
    if (links === null) throw damagedSource(`broken ${object.type} ${oid}`);
    this.nodes.set(oid, { type: object.type, links });
  }

  /** Follows every link from the given objects; throws MoveError at the first gap. */
  requireConnected(roots: Iterable<string>): void {
    const seen = new Set<string>(roots);
    const open = [...seen];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      for (const link of this.nodes.get(oid)?.links ?? []) {
        this.requireTarget(link);
        if (seen.has(link.oid)) continue;
        seen.add(link.oid);
        open.push(link.oid);
      }
    }
  }

  typeOf(oid: string): ObjectType | undefined {
    return this.nodes.get(oid)?.type;
  }

  /** Returns the final target of a tag; undefined for other objects. */
  peel(oid: string): string | undefined {
    let current = oid;
    while (this.nodes.get(current)?.type === 'tag') {
      current = this.nodes.get(current)?.links[0]?.oid ?? '';
    }
    return current === oid ? undefined : current;
  }

  private requireTarget(link: ObjectLink): void {
    const type = this.typeOf(link.oid);
    if (type === undefined) throw damagedSource(`missing ${link.type} ${link.oid}`);
    if (type !== link.type) throw damagedSource(`${link.oid} is a ${type}, not a ${link.type}`);
  }
}

/**
 * The objects a commit, tree or tag needs (gitformat-pack and git-mktag documents).
 * Null when the object cannot be read; a submodule's commit lives elsewhere and is no link.
 */
function objectLinks(object: GitObject): ObjectLink[] | null {
  if (object.type === 'blob') return [];
  if (object.type === 'tree') return treeLinks(object.data);
  return object.type === 'commit' ? commitLinks(object.data) : tagLinks(object.data);
}

function commitLinks(data: Buffer): ObjectLink[] | null {
  const [first = '', ...lines] = headerLines(data);
  const tree = /^tree ([0-9a-f]{40})$/.exec(first)?.[1];
  if (tree === undefined) return null;
  const links: ObjectLink[] = [{ oid: tree, type: 'tree' }];
  for (const line of lines) {
    const parent = /^parent ([0-9a-f]{40})$/.exec(line)?.[1];
    if (parent === undefined) break;
    links.push({ oid: parent, type: 'commit' });
  }
  return links;
}

function tagLinks(data: Buffer): ObjectLink[] | null {
  const [first = '', second = ''] = headerLines(data);
  const oid = /^object ([0-9a-f]{40})$/.exec(first)?.[1];
  const type = second.startsWith('type ') ? second.slice('type '.length) : '';
  return oid === undefined || !isObjectType(type) ? null : [{ oid, type }];
}

function headerLines(data: Buffer): string[] {
  const end = data.indexOf('\n\n');
  return data.toString('latin1', 0, end === -1 ? data.length : end).split('\n');
}

function treeLinks(data: Buffer): ObjectLink[] | null {
  const links: ObjectLink[] = [];
  let position = 0;
  while (position < data.length) {
    const space = data.indexOf(0x20, position);
    const end = data.indexOf(0, space);
    if (space === -1 || end === -1 || end + 21 > data.length) return null;
    const mode = Number.parseInt(data.toString('latin1', position, space), 8) & 0o170000;
    const oid = data.toString('hex', end + 1, end + 21);
    position = end + 21;
    if (mode === 0o160000) continue;
    links.push({ oid, type: mode === 0o040000 ? 'tree' : 'blob' });
  }
  return links;
}
