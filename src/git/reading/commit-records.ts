import type { FieldBounds } from './field-cutter.js';
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
