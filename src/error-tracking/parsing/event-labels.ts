import { hash } from 'node:crypto';
import { messageOf, userOf } from './event-fields.js';
import { mainException, ownFrames, type TracedEvent, type FrameFields } from './trace-fields.js';
import { cutText, type JsonObject, textOf, objectOf } from './json-values.js';
import { FILTERED } from './scrub/card-numbers.js';

/** Longest texts of an error, in characters. */
const LABEL_LIMITS = {
  type: 128,
  value: 1_024,
  culprit: 200,
  title: 255,
  searchText: 2_048,
} as const;

/** Title of an error. */
interface EventLabels {
  type: string | null;
  value: string | null;
  culprit: string;
  title: string;
}

/**
 * Type, value, location and title of an event. `origin` names the location when neither a transaction
 * nor a frame does.
 */
export function labelsOf({ event, exceptions, frames }: TracedEvent, origin: string): EventLabels {
  const main = mainException(exceptions);
  const type = cutOrNull(main?.type ?? null, LABEL_LIMITS.type);
  const text = main?.value ?? messageOf(event)?.text ?? null;
  const value = cutOrNull(text, LABEL_LIMITS.value);
  const title = titleOf(type, value) ?? '<no message>';
  return { type, value, culprit: culpritOf(event, frames, origin), title };
}

/** One line for an event or an error: `Type: value`; null when it has neither. */
export function titleOf(type: string | null, value: string | null): string | null {
  const [line = ''] = (value ?? '').trimStart().split(/[\r\n]/, 1);
  const parts = [type ?? '', line].map(inOneLine).filter((part) => part !== '');
  return parts.length === 0 ? null : cutText(parts.join(': '), LABEL_LIMITS.title);
}

/** Names of functions and modules by which an error is found, with its type, value and location. */
export function searchTextOf({ type, value, culprit }: EventLabels, frames: FrameFields[]): string {
  const texts = new Set([type ?? '', inOneLine(value ?? ''), culprit]);
  // The innermost frames describe the failure best.
  for (const frame of frames.toReversed()) {
    texts.add(frame.function ?? '').add(frame.module ?? frame.filename ?? '');
  }
  texts.delete('');
  return cutText([...texts].join(' ').toLowerCase(), LABEL_LIMITS.searchText);
}

/** The transaction, else the function that failed and its module or file. */
function culpritOf(event: JsonObject, frames: FrameFields[], origin: string): string {
  const transaction = inOneLine(textOf(event.transaction) ?? '');
  const location = transaction === '' ? locationOf(ownFrames(frames).at(-1)) : transaction;
  return cutText(location === '' ? origin : location, LABEL_LIMITS.culprit);
}

function locationOf(frame: FrameFields | undefined): string {
  if (frame === undefined) return '';
  const module = frame.module ?? frame.filename ?? frame.absPath ?? frame.package;
  if (frame.function === null) return inOneLine(module ?? '');
  return inOneLine(module === null ? frame.function : `${frame.function}(${module})`);
}

function cutOrNull(text: string | null, limit: number): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : cutText(trimmed, limit);
}

function inOneLine(text: string): string {
  return text.slice(0, 2_048).replace(/\s+/g, ' ').trim();
}

/** Placeholder of SDKs for the IP address of the connection. */
const AUTO = '{{auto}}';
const LONGEST_LABEL = 255;
const LONGEST_ADDRESS = 64;

/** User affected by an event. */
interface EventPerson {
  /** Display name. */
  label: string | null;
  /** 16 bytes that identify a user within a project. */
  hash: Buffer | null;
  /** `id:7`, the tag by which their events are found. */
  tag: string | null;
  /** Replacement for `{{auto}}`; null if the SDK requests no IP address or none is kept. */
  clientAddress: string | null;
}

/** Data besides the event that identifies a user. */
interface PersonContext {
  projectId: number;
  clientAddress: string;
  keepsAddresses: boolean;
}

/** Returns the affected user, identified by the first of ID, username, email and IP address. */
export function affectedUser(event: JsonObject, context: PersonContext): EventPerson {
  const user = userOf(event);
  const asksForAddress = context.keepsAddresses && wantsAddress(event, user?.ipAddress ?? null);
  const clientAddress = asksForAddress ? cutText(context.clientAddress, LONGEST_ADDRESS) : null;
  const sent = context.keepsAddresses ? (user?.ipAddress ?? AUTO) : null;
  const known: [string, string | null][] = [
    ['id', user?.id ?? null],
    ['username', user?.username ?? null],
    ['email', user?.email ?? null],
    ['ip', sent === AUTO ? clientAddress : sent],
  ];
  const [key, value] = known.find(([, one]) => identifies(one)) ?? ['', null];
  const tag = value === null ? null : `${key}:${value}`;
  return {
    label: labelOf(known),
    hash: tag === null ? null : digest(`${context.projectId}\n${tag}`),
    tag,
    clientAddress,
  };
}

/** By `{{auto}}` for the user's address or, in newer SDKs, by a setting. */
function wantsAddress(event: JsonObject, address: string | null): boolean {
  const settings = objectOf(objectOf(event.sdk)?.settings);
  if (settings?.infer_ip === 'never') return false;
  return address === AUTO || (address === null && settings?.infer_ip === 'auto');
}

/** Email addresses and names are more readable than IDs. */
function labelOf(known: [string, string | null][]): string | null {
  const values = new Map(known);
  for (const key of ['email', 'username', 'id', 'ip']) {
    const value = values.get(key) ?? null;
    if (identifies(value)) return cutText(value.trim(), LONGEST_LABEL);
  }
  return null;
}

function identifies(value: string | null): value is string {
  return value !== null && value.trim() !== '' && value !== FILTERED;
}

function digest(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex').slice(0, 32), 'hex');
}
