import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  type GitObject,
  inflateStream,
  type ObjectType,
  UnusualRepositoryError,
} from './loose-object.js';
import type { IndexEntry, PackIndex } from './pack-index.js';

const TYPES: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFS_DELTA = 6;
const REF_DELTA = 7;
const TRAILER = 20;

/** Something in the pack does not fit: an object id, or the part of the file. */
export class PackDamage extends Error {}

interface RawEntry {
  type: number;
  data: Buffer;
  base: number | null;
}

/**
 * Reads every object of a small pack and checks it against the index: position, CRC,
 * declared size, object id. Broken entries make `objects()` throw a PackDamage.
 */
export class PackReader {
  private readonly raw = new Map<number, RawEntry>();
  private readonly offsets: Map<string, number>;
  private readonly whole = new Map<number, GitObject>();
  private inflatedBytes = 0;

  constructor(
    private readonly pack: Buffer,
    private readonly index: PackIndex,
    private readonly maxInflated: number,
  ) {
    this.offsets = new Map(index.entries.map((entry) => [entry.oid, entry.offset]));
  }

  /** Yields the objects in pack order. */
  *objects(): Generator<GitObject & { oid: string }> {
    this.checkHeader();
    const { entries } = this.index;
    for (const [position, entry] of entries.entries()) {
      const end = entries[position + 1]?.offset ?? this.pack.length - TRAILER;
      this.raw.set(entry.offset, this.readEntry(entry, end));
    }
    for (const entry of entries) {
      const object = this.resolve(entry);
      const header = `${object.type} ${object.data.length}\0`;
      const oid = createHash('sha1').update(header).update(object.data).digest('hex');
      if (oid !== entry.oid) throw new PackDamage(entry.oid);
      yield { ...object, oid };
    }
  }

  private checkHeader(): void {
    const { pack, index } = this;
    const isPack = pack.length >= 12 + TRAILER && pack.toString('latin1', 0, 4) === 'PACK';
    const first = index.entries[0]?.offset ?? pack.length - TRAILER;
    const isWhole = isPack && pack.readUInt32BE(8) === index.entries.length && first === 12;
    if (!isWhole) throw new PackDamage('header');
    if (pack.readUInt32BE(4) !== 2) throw new UnusualRepositoryError('pack of another version');
    const trailer = pack.toString('hex', pack.length - TRAILER);
    if (trailer !== index.packChecksum) throw new PackDamage('index of another pack');
  }

  private readEntry(entry: IndexEntry, end: number): RawEntry {
    const bytes = this.pack.subarray(entry.offset, end);
    if (crc32(bytes) !== entry.crc) throw new PackDamage(entry.oid);
    const head = readEntryHead(bytes);
    const base = this.baseOffset(entry, bytes, head);
    const start = base?.end ?? head.end;
    this.account(head.size);
    const inflated = inflateStream(bytes.subarray(start), head.size + 1);
    if (inflated === null || inflated === 'too-big') throw new PackDamage(entry.oid);
    const isExact =
      inflated.data.length === head.size && inflated.consumed === bytes.length - start;
    if (!isExact) throw new PackDamage(entry.oid);
    return { type: head.type, data: inflated.data, base: base?.offset ?? null };
  }

  private baseOffset(
    entry: IndexEntry,
    bytes: Buffer,
    head: EntryHead,
  ): { offset: number; end: number } | null {
    if (head.type === REF_DELTA) {
      const offset = this.offsets.get(bytes.toString('hex', head.end, head.end + 20));
      if (offset === undefined) throw new PackDamage(entry.oid);
      return { offset, end: head.end + 20 };
    }
    if (head.type !== OFS_DELTA) return null;
    const distance = readDistance(bytes, head.end);
    return { offset: entry.offset - distance.value, end: distance.end };
  }

  /** Walks down to an object that is whole, then applies the deltas upwards: any depth. */
  private resolve(entry: IndexEntry): GitObject {
    const chain: number[] = [];
    let offset = entry.offset;
    while (!this.whole.has(offset)) {
      const raw = this.raw.get(offset);
      if (raw === undefined || chain.length > this.raw.size) throw new PackDamage(entry.oid);
      if (raw.base === null) this.keepWhole(entry, offset, raw);
      else {
        chain.push(offset);
        offset = raw.base;
      }
    }
    for (const delta of chain.reverse()) {
      this.expand(entry, delta, offset);
      offset = delta;
    }
    return this.wholeAt(entry, offset);
  }

  private keepWhole(entry: IndexEntry, offset: number, raw: RawEntry): void {
    const type = TYPES[raw.type];
    if (type === undefined) throw new PackDamage(entry.oid);
    this.whole.set(offset, { type, data: raw.data });
  }

  private expand(entry: IndexEntry, offset: number, baseOffset: number): void {
    const base = this.wholeAt(entry, baseOffset);
    const delta = this.raw.get(offset)?.data ?? Buffer.alloc(0);
    const size = deltaResultSize(delta);
    this.account(size);
    const data = applyDelta(base.data, delta, size);
    if (data === null) throw new PackDamage(entry.oid);
    this.whole.set(offset, { type: base.type, data });
  }

  private wholeAt(entry: IndexEntry, offset: number): GitObject {
    const object = this.whole.get(offset);
    if (object === undefined) throw new PackDamage(entry.oid);
    return object;
  }

  private account(bytes: number): void {
    this.inflatedBytes += bytes;
    if (this.inflatedBytes > this.maxInflated) {
      throw new UnusualRepositoryError('objects are too big for the in-process check');
    }
  }
}

interface EntryHead {
  type: number;
  /** Size after inflation; of a delta, the size of the delta itself. */
  size: number;
  /** Where the head ends. */
  end: number;
}

/** Reads the type and size at the start of a pack entry (gitformat-pack(5)). */
function readEntryHead(bytes: Buffer): EntryHead {
  let byte = bytes[0] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  let factor = 16;
  let end = 1;
  while (byte >= 0x80) {
    byte = bytes[end++] ?? 0;
    size += (byte & 0x7f) * factor;
    factor *= 128;
  }
  return { type, size, end };
}

/** Reads how far back the base of an offset delta lies. */
function readDistance(bytes: Buffer, start: number): { value: number; end: number } {
  let end = start;
  let byte = bytes[end++] ?? 0;
  let value = byte & 0x7f;
  while (byte >= 0x80) {
    byte = bytes[end++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end };
}

/**
 * Applies a git delta (gitformat-pack(5), "Deltified representation") to its base.
 * Null when the delta does not fit the base or its own declared sizes.
 */
function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer | null {
  const cursor = { position: 0 };
  if (readSize(delta, cursor) !== base.length) return null;
  const size = readSize(delta, cursor);
  if (size > maxBytes) return null;
  const result = Buffer.allocUnsafe(size);
  let filled = 0;
  while (cursor.position < delta.length) {
    const piece = readPiece(base, delta, cursor);
    if (piece === null || filled + piece.length > size) return null;
    filled += piece.copy(result, filled);
  }
  return filled === size ? result : null;
}

/** The size of the result as the delta declares it, read before anything is allocated. */
function deltaResultSize(delta: Buffer): number {
  const cursor = { position: 0 };
  readSize(delta, cursor);
  return readSize(delta, cursor);
}

interface Cursor {
  position: number;
}

function readSize(delta: Buffer, cursor: Cursor): number {
  let size = 0;
  let factor = 1;
  for (;;) {
    const byte = delta[cursor.position++] ?? 0;
    size += (byte & 0x7f) * factor;
    if (byte < 0x80) return size;
    factor *= 128;
  }
}

function readPiece(base: Buffer, delta: Buffer, cursor: Cursor): Buffer | null {
  const command = delta[cursor.position++] ?? 0;
  if (command === 0) return null;
  if (command < 0x80) {
    const start = cursor.position;
    cursor.position += command;
    return cursor.position > delta.length ? null : delta.subarray(start, cursor.position);
  }
  const offset = readNumber(delta, cursor, { mask: command, bytes: 4 });
  const length = readNumber(delta, cursor, { mask: command >> 4, bytes: 3 }) || 0x10000;
  const isInside = cursor.position <= delta.length && offset + length <= base.length;
  return isInside ? base.subarray(offset, offset + length) : null;
}

/** Little-endian, with only those bytes present whose bit is set in the mask. */
function readNumber(delta: Buffer, cursor: Cursor, shape: { mask: number; bytes: number }): number {
  let value = 0;
  for (let index = 0; index < shape.bytes; index += 1) {
    if (shape.mask & (1 << index)) value += (delta[cursor.position++] ?? 0) * 256 ** index;
  }
  return value;
}
