/** One section of a patch, without its header. */
export interface PatchSection {
  /** Hunks only, from the first `@@` on. */
  text: string;
  additions: number;
  deletions: number;
  isBinary: boolean;
  isTooLarge: boolean;
}

interface PatchBounds {
  files: number;
  bytesPerFile: number;
  bytesInAll: number;
  /** Read bytes after which nothing more is looked at. */
  bytesRead: number;
}

const LINE_END = 0x0a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const SECTION = Buffer.from('diff --git ');
const HUNK = Buffer.from('@@');
const BINARY = Buffer.from('Binary files ');
/** A line longer than this is handed on in pieces. */
const LONGEST_PIECE = 64 * 1024;

interface OpenSection extends Omit<PatchSection, 'text'> {
  chunks: Buffer[];
  size: number;
  isInHunks: boolean;
}

/**
 * Reads a patch as git writes it and keeps of each file only what the bounds allow, so that the
 * size of a change does not matter. Lines of files begin with a space, plus, minus or backslash:
 * a section's header cannot be forged by content.
 */
export class PatchReader {
  /** False when the last section was cut off in its middle. */
  isLastWhole = true;
  private readonly done: OpenSection[] = [];
  private rest: Buffer = Buffer.alloc(0);
  private isWithinLine = false;
  private kept = 0;
  private read = 0;

  constructor(private readonly bounds: PatchBounds) {}

  /** Takes the next piece of output; false = the bounds are reached. */
  take(chunk: Buffer): boolean {
    this.read += chunk.length;
    let data = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (let end = data.indexOf(LINE_END); end !== -1; end = data.indexOf(LINE_END)) {
      if (!this.takePiece(data.subarray(0, end + 1))) return false;
      this.isWithinLine = false;
      data = data.subarray(end + 1);
    }
    if (data.length > LONGEST_PIECE) {
      if (!this.takePiece(data)) return false;
      this.isWithinLine = true;
      data = Buffer.alloc(0);
    }
    this.rest = Buffer.from(data);
    this.isLastWhole = this.read <= this.bounds.bytesRead;
    return this.isLastWhole;
  }

  /** Returns the sections read so far, in the order of the patch. */
  sections(): PatchSection[] {
    return this.done.map(({ chunks, additions, deletions, isBinary, isTooLarge }) => {
      const text = isTooLarge ? '' : Buffer.concat(chunks).toString('utf8');
      return { text, additions, deletions, isBinary, isTooLarge };
    });
  }

  private takePiece(piece: Buffer): boolean {
    if (!this.isWithinLine && startsWith(piece, SECTION)) return this.begin();
    const section = this.done.at(-1);
    if (section === undefined) return true;
    if (!this.isWithinLine) note(section, piece);
    return section.isInHunks ? this.keep(section, piece) : true;
  }

  private begin(): boolean {
    this.isLastWhole = true;
    if (this.done.length >= this.bounds.files) return false;
    const counts = { additions: 0, deletions: 0, size: 0 };
    const flags = { isBinary: false, isTooLarge: false, isInHunks: false };
    this.done.push({ chunks: [], ...counts, ...flags });
    return true;
  }

  private keep(section: OpenSection, piece: Buffer): boolean {
    if (section.isTooLarge) return true;
    section.size += piece.length;
    if (section.size <= this.bounds.bytesPerFile) {
      section.chunks.push(Buffer.from(piece));
      this.kept += piece.length;
      if (this.kept <= this.bounds.bytesInAll) return true;
    }
    this.kept -= section.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    section.chunks = [];
    section.isTooLarge = true;
    return this.kept + section.size <= this.bounds.bytesInAll;
  }
}

function note(section: OpenSection, line: Buffer): void {
  if (startsWith(line, HUNK)) section.isInHunks = true;
  if (!section.isInHunks) {
    section.isBinary ||= startsWith(line, BINARY);
    return;
  }
  if (line[0] === PLUS) section.additions += 1;
  if (line[0] === MINUS) section.deletions += 1;
}

function startsWith(line: Buffer, beginning: Buffer): boolean {
  return line.subarray(0, beginning.length).equals(beginning);
}
