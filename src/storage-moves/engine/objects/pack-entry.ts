export interface EntryHead {
  type: number;
  /** Size after inflation; of a delta, the size of the delta itself. */
  size: number;
  /** Where the head ends. */
  end: number;
}

/** Reads the type and size at the start of a pack entry (gitformat-pack(5)). */
export function readEntryHead(bytes: Buffer): EntryHead {
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
export function readDistance(bytes: Buffer, start: number): { value: number; end: number } {
  let end = start;
  let byte = bytes[end++] ?? 0;
  let value = byte & 0x7f;
  while (byte >= 0x80) {
    byte = bytes[end++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end };
}
