/** Byte limits for each field of a record and for all fields together. */
export interface FieldBounds {
  fields: readonly number[];
  /** Bytes kept of a field once `total` is used up. */
  floor: number;
  total: number;
}

const END = 0;
/** Maximum bytes of a UTF-8 character. */
const LONGEST_CHARACTER = 4;
const MARK = Buffer.from('…');

/**
 * Truncates long fields of NUL-terminated records while streaming, so that messages of any size are
 * read without being held in memory. Truncated fields end with `…`.
 */
export class FieldCutter {
  private field = 0;
  private kept = 0;
  private isCut = false;
  private total = 0;

  constructor(private readonly bounds: FieldBounds) {}

  /** Returns the next chunk of output with long fields truncated. */
  readonly take = (chunk: Buffer): Buffer => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < chunk.length;) {
      const end = chunk.indexOf(END, at);
      const stop = end === -1 ? chunk.length : end;
      this.keep(chunk.subarray(at, stop), pieces);
      if (end === -1) break;
      this.endField(pieces);
      at = end + 1;
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  };

  private keep(bytes: Buffer, pieces: Buffer[]): void {
    if (this.isCut) return;
    const { fields, floor, total } = this.bounds;
    const bound = fields[this.field % fields.length] ?? floor;
    const limit = this.total >= total ? Math.min(bound, floor) : bound;
    const fitting = fittingLength(bytes, limit - this.kept);
    this.kept += fitting;
    this.total += fitting;
    if (fitting > 0) pieces.push(bytes.subarray(0, fitting));
    this.isCut = fitting < bytes.length;
    if (this.isCut) pieces.push(MARK);
  }

  private endField(pieces: Buffer[]): void {
    pieces.push(Buffer.of(END));
    this.field += 1;
    this.kept = 0;
    this.isCut = false;
  }
}

/** Returns how many bytes fit into `room` without splitting a character. */
function fittingLength(bytes: Buffer, room: number): number {
  if (bytes.length <= room - LONGEST_CHARACTER) return bytes.length;
  let at = Math.max(room - LONGEST_CHARACTER, 0);
  while (at < room && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return Math.min(at, bytes.length);
}
