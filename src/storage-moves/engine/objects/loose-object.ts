import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflate, inflateSync } from 'node:zlib';
import { READ_FLAGS } from '../file-io.js';
import { damagedSource, errorCode } from '../move-error.js';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  type: ObjectType;
  data: Buffer;
}

/** An object id found inside another object, with the type it must have. */
export interface ObjectLink {
  oid: string;
  type: ObjectType;
}

/** The in-process check cannot judge this repository; git has to. */
export class UnusualRepositoryError extends Error {}

/** Returns true for git's object types. */
export function isObjectType(text: string): text is ObjectType {
  return text === 'commit' || text === 'tree' || text === 'blob' || text === 'tag';
}

interface Inflated {
  data: Buffer;
  /** Bytes of input the zlib stream took; what follows belongs to someone else. */
  consumed: number;
}

/** Inflates one zlib stream at the start of the input; null when it is broken. */
export function inflateStream(input: Buffer, maxBytes: number): Inflated | 'too-big' | null {
  try {
    const options = { info: true, maxOutputLength: Math.max(1, maxBytes) };
    // With `info` the result is this object; the type declarations only have the plain form.
    const result = inflateSync(input, options) as unknown as InflateInfo;
    return { data: result.buffer, consumed: result.engine.bytesWritten };
  } catch (error) {
    return errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too-big' : null;
  }
}

interface InflateInfo {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/** Returns true if the path, relative to the objects folder, is that of a loose object. */
export function isLooseObject(path: string): boolean {
  return /^objects\/[0-9a-f]{2}\//.test(path);
}

/** `objects/ab/cdef…` → `abcdef…` */
export function looseObjectId(path: string): string {
  return path.slice('objects/'.length).replace('/', '');
}

/**
 * Opens one loose object held in memory and checks its size and its id.
 * Throws MoveError when anything is wrong; `too-big` when it inflates above the limit.
 */
export function openLooseObject(
  path: string,
  content: Buffer,
  maxBytes: number,
): GitObject | 'too-big' {
  const oid = looseObjectId(path);
  const inflated = inflateStream(content, maxBytes);
  if (inflated === 'too-big') return 'too-big';
  if (inflated === null || inflated.consumed !== content.length) throw corrupt(oid);
  const { data } = inflated;
  const end = data.indexOf(0);
  const [type = '', size] = data.toString('latin1', 0, Math.max(0, end)).split(' ');
  if (!isObjectType(type) || size !== String(data.length - end - 1)) throw corrupt(oid);
  if (createHash(algorithmOf(oid)).update(data).digest('hex') !== oid) throw corrupt(oid);
  return { type, data: data.subarray(end + 1) };
}

/** The same check for an object too big for memory: its id proves header, size and content. */
export async function checkBigLooseObject(
  file: string | Buffer,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const oid = looseObjectId(path);
  const hash = createHash(algorithmOf(oid));
  const inflate = createInflate();
  const handle = await open(file, READ_FLAGS);
  const { size } = await handle.stat();
  try {
    // The stream closes the handle, also when the signal ends it.
    await pipeline(handle.createReadStream(), inflate, hash, { signal });
  } catch (error) {
    if (errorCode(error).startsWith('Z_')) throw corrupt(oid);
    throw error;
  }
  if (inflate.bytesWritten !== size || hash.digest('hex') !== oid) throw corrupt(oid);
}

function algorithmOf(oid: string): 'sha1' | 'sha256' {
  return oid.length === 64 ? 'sha256' : 'sha1';
}

function corrupt(oid: string): Error {
  return damagedSource(`corrupt loose object ${oid}`);
}
