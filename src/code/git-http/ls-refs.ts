import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { BRANCH_PREFIX } from '../../git/reference-name.js';
import { readStoredReferences, type StoredReference } from '../../git/reference-reader.js';
import { HIDDEN_REFS } from './git-exchange.js';
import { packetLine, readPackets } from './packet-lines.js';

const decompress = promisify(inflate);
const MAX_TAG_DEPTH = 5;
/** A tag is a few lines; anything larger is not looked into here. */
const MAX_COMPRESSED_BYTES = 64 * 1024;
const MAX_BYTES = 256 * 1024;

/** Object of a ref; `peeled` null = it is no tag. */
interface PeeledObject {
  peeled: string | null;
}

/**
 * Follows annotated tags to their target, as long as they are loose objects. null when that needs
 * git: an object in a pack, a large one, a chain that is too long.
 */
async function peelLooseObject(repository: string, oid: string): Promise<PeeledObject | null> {
  let current = oid;
  for (let depth = 0; depth <= MAX_TAG_DEPTH; depth += 1) {
    const object = await readLooseObject(repository, current);
    if (object === null) return null;
    if (!object.startsWith('tag ')) return { peeled: current === oid ? null : current };
    const [, next, type] = /\0object ([0-9a-f]{40})\ntype (\w+)\n/.exec(object) ?? [];
    if (next === undefined) return null;
    if (type !== 'tag') return { peeled: next };
    current = next;
  }
  return null;
}

async function readLooseObject(repository: string, oid: string): Promise<string | null> {
  try {
    const path = join(repository, 'objects', oid.slice(0, 2), oid.slice(2));
    const compressed = await readFile(path);
    if (compressed.length > MAX_COMPRESSED_BYTES) return null;
    const content = await decompress(compressed, { maxOutputLength: MAX_BYTES });
    return content.toString('latin1');
  } catch {
    // Missing, too large or damaged: git reports the reason.
    return null;
  }
}

/** Request `ls-refs` of protocol 2 (gitprotocol-v2(5)). */
interface LsRefsRequest {
  peel: boolean;
  symrefs: boolean;
  unborn: boolean;
  prefixes: string[];
}

const MAX_TAGS_TO_READ = 500;
/** Clients send a handful; each is compared with every ref, which must not hold up the others. */
const MAX_PREFIXES = 50;

/** Reads a request's body; null unless it is one plain `ls-refs` command. */
export function parseLsRefs(body: Buffer): LsRefsRequest | null {
  const lines = readPackets(body);
  if (lines?.[0] !== 'command=ls-refs') return null;
  const delimiter = lines.indexOf(null);
  const capabilities = lines.slice(1, delimiter === -1 ? undefined : delimiter);
  if (
    !capabilities.every((line) => line !== null && /^(?:agent=.*|object-format=sha1)$/.test(line))
  ) {
    return null;
  }
  const request: LsRefsRequest = { peel: false, symrefs: false, unborn: false, prefixes: [] };
  for (const line of delimiter === -1 ? [] : lines.slice(delimiter + 1)) {
    if (line === 'peel' || line === 'symrefs' || line === 'unborn') request[line] = true;
    else if (line?.startsWith('ref-prefix ')) request.prefixes.push(line.slice(11));
    else return null;
  }
  return request.prefixes.length > MAX_PREFIXES ? null : request;
}

/**
 * Answers `ls-refs` as git's upload-pack does, without a process; null when it needs git. A no-op
 * fetch sends nothing else, so this is the cost of polling.
 */
export async function answerLsRefs(
  repository: string,
  request: LsRefsRequest,
): Promise<Buffer | null> {
  const stored = await readStoredReferences(repository, request.prefixes);
  if (stored === null) return null;
  const visible = stored.references.filter(({ name }) => !isHidden(name));
  const peeled = request.peel ? await peelAll(repository, visible) : new Map<string, string>();
  if (peeled === null) return null;
  const lines = headLine(stored, request);
  for (const { name, oid } of visible) {
    const target = peeled.get(name);
    lines.push(`${oid} ${name}${target === undefined ? '' : ` peeled:${target}`}\n`);
  }
  return Buffer.from(`${lines.map(packetLine).join('')}0000`);
}

function headLine(
  { headOid, headTarget }: { headOid: string | null; headTarget: string | null },
  { symrefs, unborn, prefixes }: LsRefsRequest,
): string[] {
  if (prefixes.length > 0 && !prefixes.some((prefix) => 'HEAD'.startsWith(prefix))) return [];
  const isShown = headTarget !== null && symrefs && !isHidden(headTarget);
  const target = isShown ? ` symref-target:${headTarget}` : '';
  if (headOid !== null) return [`${headOid} HEAD${target}\n`];
  return unborn && isShown ? [`unborn HEAD${target}\n`] : [];
}

function isHidden(name: string): boolean {
  return HIDDEN_REFS.some((hidden) => name === hidden || name.startsWith(`${hidden}/`));
}

/** Name → object behind the tag; null when it needs git. Branches are never tags. */
async function peelAll(
  repository: string,
  references: readonly StoredReference[],
): Promise<Map<string, string> | null> {
  const peeled = new Map<string, string>();
  const unknown: StoredReference[] = [];
  for (const reference of references) {
    if (typeof reference.peeled === 'string') peeled.set(reference.name, reference.peeled);
    const isKnown = reference.peeled !== undefined || reference.name.startsWith(BRANCH_PREFIX);
    if (!isKnown) unknown.push(reference);
  }
  if (unknown.length > MAX_TAGS_TO_READ) return null;
  const objects = await Promise.all(unknown.map(({ oid }) => peelLooseObject(repository, oid)));
  for (const [index, object] of objects.entries()) {
    if (object === null) return null;
    const name = unknown[index]?.name;
    if (object.peeled !== null && name !== undefined) peeled.set(name, object.peeled);
  }
  return peeled;
}
