import { isObjectId } from '../reference-name.js';

/** A commit as it is stored, its dates as moments. */
export interface CommitRecord {
  id: string;
  parentIds: string[];
  /** First line of the message, truncated if very long. */
  title: string;
  /** Truncated if very long, and earlier in lists. */
  message: string;
  authorName: string;
  authorEmail: string;
  authoredDate: Date;
  committerName: string;
  committerEmail: string;
  committedDate: Date;
  /** `Key: value` lines at the message's end, in their order. */
  trailers: [string, string][];
}

const PAIR_END = '\x1e';
const KEY_END = '\x1f';
const TRAILERS = '%(trailers:only,unfold,separator=%x1e,key_value_separator=%x1f)';
const FIELDS = ['%H', '%P', '%an', '%ae', '%at', '%cn', '%ce', '%ct', TRAILERS, '%B'];

/** Greatest number of milliseconds that a Date takes. */
const LAST_MOMENT = 8.64e15;

const KIBIBYTE = 1024;
/** Bytes kept in full for a list of commits, which then holds a few megabytes in total. */
const TOTAL = 4 * KIBIBYTE * KIBIBYTE;
const LONGEST_TITLE = 1_000;
const HALF = /[\ud800-\udbff]$/;

/**
 * Returns the byte limits of FIELDS: commits of any size can be pushed. A single commit keeps
 * nearly all of its message.
 */
export function commitBounds(count: number): FieldBounds {
  const message = count === 1 ? 1024 * KIBIBYTE : 64 * KIBIBYTE;
  const [id, parents, name] = [KIBIBYTE, 64 * KIBIBYTE, KIBIBYTE];
  const fields = [id, parents, name, name, id, name, name, id, message, message];
  return { fields, floor: KIBIBYTE, total: TOTAL };
}

/** `--format` of log; with `-z` each field and so each record ends with NUL. */
export const COMMIT_FORMAT = `--format=tformat:${FIELDS.join('%x00')}`;

/** Reads what `log -z` with COMMIT_FORMAT wrote. */
export function parseCommits(output: string): CommitRecord[] {
  const fields = output.split('\0');
  const commits: CommitRecord[] = [];
  for (let at = 0; at + FIELDS.length < fields.length + 1; at += FIELDS.length) {
    const record = fields.slice(at, at + FIELDS.length);
    if (record[0] === '' || record.length < FIELDS.length) break;
    commits.push(toCommit(record));
  }
  return commits;
}

function toCommit(fields: readonly string[]): CommitRecord {
  const [id = '', parents = '', authorName = '', authorEmail = '', authored = ''] = fields;
  const [committerName = '', committerEmail = '', committed = '', trailers = ''] = fields.slice(5);
  const message = fields[9] ?? '';
  return {
    id,
    parentIds: parents.split(' ').filter(isObjectId),
    title: firstLine(message),
    message,
    authorName,
    authorEmail,
    authoredDate: momentOf(authored),
    committerName,
    committerEmail,
    committedDate: momentOf(committed),
    trailers: trailers === '' ? [] : trailers.split(PAIR_END).map(toTrailer),
  };
}

function toTrailer(text: string): [string, string] {
  const end = text.indexOf(KEY_END);
  return end === -1 ? [text.trim(), ''] : [text.slice(0, end).trim(), text.slice(end + 1).trim()];
}

function firstLine(message: string): string {
  const text = message.trimStart();
  const end = text.indexOf('\n');
  const line = (end === -1 ? text : text.slice(0, end)).trim();
  return line.length <= LONGEST_TITLE ? line : line.slice(0, LONGEST_TITLE).replace(HALF, '');
}

/** Anyone can push a commit whose date is no date; it then is the beginning of time. */
export function momentOf(seconds: string): Date {
  const milliseconds = Number(seconds) * 1000;
  return new Date(Math.abs(milliseconds) <= LAST_MOMENT ? milliseconds : 0);
}

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
