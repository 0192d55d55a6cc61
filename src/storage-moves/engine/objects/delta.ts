/**
 * Applies a git delta (gitformat-pack(5), "Deltified representation") to its base.
 * Null when the delta does not fit the base or its own declared sizes.
 */
export function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer | null {
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
export function deltaResultSize(delta: Buffer): number {
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
