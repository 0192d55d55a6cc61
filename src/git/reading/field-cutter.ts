/** How many bytes each field of a record keeps, and all fields together. */
export interface FieldBounds {
  fields: readonly number[];
  /** What is kept of a field when `total` is used up; shorter fields stay whole. */
  floor: number;
  total: number;
}

const END = 0;
/** A character of UTF-8 has at most so many bytes. */
const LONGEST_CHARACTER = 4;
const MARK = Buffer.from('…');

/**
 * Cuts long fields of records whose fields end with NUL, as they come: a message of any size is
 * read without being held. What is cut ends with `…`.
 */
export class FieldCutter {
  private field = 0;
  private kept = 0;
  private isCut = false;
  private total = 0;

  constructor(private readonly bounds: FieldBounds) {}

  /** What is left of the next piece of output. */
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

/** How many bytes of a piece are kept in `room` bytes without breaking a character. */
function fittingLength(bytes: Buffer, room: number): number {
  if (bytes.length <= room - LONGEST_CHARACTER) return bytes.length;
  let at = Math.max(room - LONGEST_CHARACTER, 0);
  while (at < room && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return Math.min(at, bytes.length);
}
