import { UnusualRepositoryError } from './loose-object.js';

export interface IndexEntry {
  oid: string;
  offset: number;
  crc: number;
}

export interface PackIndex {
  /** In the order of the pack. */
  entries: IndexEntry[];
  packChecksum: string;
}

const HEADER = 8;
const FANOUT = 256 * 4;
const ID = 20;

/**
 * Parses a version 2 index (gitformat-pack(5)) of a small pack; null when it is broken.
 * Version 1 and packs above 2 GB are left to git.
 */
export function parsePackIndex(content: Buffer): PackIndex | null {
  if (content.length < HEADER + FANOUT + 2 * ID) return null;
  const isVersion2 = content.readUInt32BE(0) === 0xff744f63 && content.readUInt32BE(4) === 2;
  if (!isVersion2) throw new UnusualRepositoryError('pack index of another version');
  const count = content.readUInt32BE(HEADER + FANOUT - 4);
  if (content.length !== HEADER + FANOUT + count * (ID + 8) + 2 * ID) return null;
  const entries = readEntries(content, count);
  if (!isOrdered(entries) || !fitsFanout(content, entries)) return null;
  entries.sort((a, b) => a.offset - b.offset);
  const packChecksum = content.toString('hex', content.length - 2 * ID, content.length - ID);
  return { entries, packChecksum };
}

function readEntries(content: Buffer, count: number): IndexEntry[] {
  const ids = HEADER + FANOUT;
  const crcs = ids + count * ID;
  const offsets = crcs + count * 4;
  return Array.from({ length: count }, (_, index) => ({
    oid: content.toString('hex', ids + index * ID, ids + (index + 1) * ID),
    crc: content.readUInt32BE(crcs + index * 4),
    offset: content.readUInt32BE(offsets + index * 4),
  }));
}

function isOrdered(entries: IndexEntry[]): boolean {
  return entries.every((entry, index) => entry.oid > (entries[index - 1]?.oid ?? ''));
}

/** Slot n of the fan-out table counts the ids whose first byte is at most n. */
function fitsFanout(content: Buffer, entries: IndexEntry[]): boolean {
  let counted = 0;
  for (let first = 0; first < 256; first += 1) {
    const prefix = first.toString(16).padStart(2, '0');
    while (entries[counted]?.oid.startsWith(prefix)) counted += 1;
    if (content.readUInt32BE(HEADER + first * 4) !== counted) return false;
  }
  return true;
}
