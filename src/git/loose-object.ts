import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const decompress = promisify(inflate);
const MAX_TAG_DEPTH = 5;
/** A tag is a few lines; anything larger is not looked into here. */
const MAX_COMPRESSED_BYTES = 64 * 1024;
const MAX_BYTES = 256 * 1024;

/** Object of a ref; `peeled` null = it is no tag. */
export interface PeeledObject {
  peeled: string | null;
}

/**
 * Follows annotated tags to their target, as long as they are loose objects. null when that needs
 * git: an object in a pack, a large one, a chain that is too long.
 */
export async function peelLooseObject(
  repository: string,
  oid: string,
): Promise<PeeledObject | null> {
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
