import { setImmediate as nextTurn } from 'node:timers/promises';
import { displayPath } from '../file-io.js';
import { damagedSource } from '../move-error.js';
import { packStem } from '../repository-layout.js';
import type { RepositoryReferences } from '../repository-references.js';
import { resolvedReferences } from '../repository-references.js';
import { UnusualRepositoryError } from './git-object.js';
import { isLooseObject, looseObjectId, openLooseObject } from './loose-object.js';
import { ObjectGraph } from './object-graph.js';
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
