import { hash } from 'node:crypto';
import { messageOf } from '../event-fields.js';
import {
  type TracedEvent,
  mainException,
  ownFrames,
  type ExceptionFields,
} from '../trace-fields.js';
import { cutText, type JsonObject, textOf } from '../json-values.js';
import { type FrameKey, frameKey } from './frame-key.js';

/** Longer lines differ in nothing that matters. */
const MAX_LENGTH = 1_024;

/**
 * Parts that differ between two messages of one problem, the most specific first. IDs can contain
 * letters or not, amounts a decimal point or not: all of them are numbers. No pattern takes more
 * than linear time per starting position.
 */
const KINDS: readonly [name: string, pattern: string][] = [
  ['email', '[\\w.%+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,4}'],
  ['url', '[a-z][a-z0-9+.-]{1,15}://[^\\s"\'<>()\\[\\]{}]+'],
  ['ip', '(?<![\\w.:])(?:\\d{1,3}\\.){3}\\d{1,3}(?::\\d{1,5})?(?![\\w.])'],
  ['ip', '(?<![\\w:])(?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}(?![\\w:])'],
  ['ip', '(?<![\\w:])(?:[\\da-f]{1,4}:){1,6}(?::[\\da-f]{1,4}){1,6}(?![\\w:])'],
  ['ip', '(?<![\\w:])::(?:[\\da-f]{1,4}:){0,5}[\\da-f]{1,4}(?![\\w:])'],
  ['traceparent', '\\b\\d\\d-[\\da-f]{32}-[\\da-f]{16}-\\d\\d\\b'],
  ['uuid', '\\b[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}\\b'],
  [
    'date',
    '\\b\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?',
  ],
  [
    'date',
    '\\b(?:mon|tue|wed|thu|fri|sat|sun),? (?:\\d{1,2} )?[a-z]{3} \\d{1,4}(?: \\d{4})? \\d\\d:\\d\\d:\\d\\d(?: (?:gmt|utc|[+-]\\d{4}))*(?: \\d{4})?',
  ],
  ['date', '\\b\\d{1,4}[/.]\\d{1,2}[/.]\\d{1,4}\\b'],
  ['date', '\\b\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?\\b'],
  ['number', '\\b0x[\\da-f]+\\b'],
  ['number', '\\b(?=[a-f]{0,127}\\d)(?=\\d{0,127}[a-f])[\\da-f]{7,128}\\b'],
  [
    'duration',
    '\\b\\d+(?:\\.\\d+)? ?(?:ns|us|µs|ms|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)\\b',
  ],
  ['number', '(?<![\\w.])-?\\d+\\.\\d+(?:e[+-]?\\d+)?\\b'],
  ['number', '(?<![a-z\\d_])-?\\d+\\b'],
  ['number', '(?<=[_#])\\d+(?![a-z])'],
  ['quoted', '(?<=[=:] ?)"[^"]*"'],
  ['quoted', "(?<=[=:] ?)'[^']*'"],
  ['bool', '(?<==)(?:true|false)\\b'],
];

const VARYING = new RegExp(KINDS.map(([, pattern]) => `(${pattern})`).join('|'), 'gi');

/**
 * The first line of a message with ids, numbers, times and addresses replaced by their kinds, so
 * that the messages of one problem are the same.
 */
function messageShape(message: string): string {
  const [line = ''] = message
    .trimStart()
    .slice(0, MAX_LENGTH)
    .split(/[\r\n]/, 1);
  const shape = line.replace(VARYING, (_, ...groups: unknown[]) => `<${kindOf(groups)}>`);
  return shape.replace(/\s+/g, ' ').trim();
}

function kindOf(groups: unknown[]): string {
  const at = groups.findIndex((group) => group !== undefined);
  return KINDS[at]?.[0] ?? 'any';
}

/** Part of every hash: other rules produce other hashes. */
export const GROUPING_VERSION = 1;

const DEFAULT_PART = /^\{\{ ?default ?\}\}$/;
const LONGEST_PART = 1_024;
const MOST_PARTS = 100;

/** Data besides the event for grouping. */
interface GroupingContext {
  platform: string;
  logger: string | null;
}

/**
 * By what an event is grouped, 16 bytes each: of the program's own frames, then of all frames
 * where that differs. An event belongs to the error that has either.
 */
export function eventHashes(traced: TracedEvent, context: GroupingContext): Buffer[] {
  const { app, system } = fingerprinted(traced.event, keysOf(traced, context));
  return [...new Set([digestOf(app), digestOf(system)])].map(bytes);
}

/**
 * Returns the keys, or the program's own fingerprint; `{{ default }}` in it stands for the keys.
 */
function fingerprinted(event: JsonObject, keys: GroupingKeys): GroupingKeys {
  const parts = fingerprintOf(event.fingerprint);
  if (parts.every((part) => DEFAULT_PART.test(part))) return keys;
  const joined = (key: readonly string[]): string[] => [
    'fingerprint',
    ...parts.map((part) => (DEFAULT_PART.test(part) ? digestOf(key) : part)),
  ];
  return { app: joined(keys.app), system: joined(keys.system) };
}

function fingerprintOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.slice(0, MOST_PARTS).flatMap((part) => {
    const text = textOf(part);
    return text === null ? [] : [cutText(text, LONGEST_PART)];
  });
}

function keysOf(traced: TracedEvent, context: GroupingContext): GroupingKeys {
  const thrown = exceptionKeys(traced, context.platform);
  if (thrown !== null) return thrown;
  const key = messageKey(traced.event, context);
  return { app: key, system: key };
}

function messageKey(event: JsonObject, { platform, logger }: GroupingContext): string[] {
  const message = messageOf(event);
  if (message === null) return ['message', platform, '<no message>'];
  const text = message.template ?? messageShape(message.text);
  return ['message', cutText(text, LONGEST_PART), logger ?? ''];
}

function digestOf(key: readonly string[]): string {
  // Lengths, so that no two lists of texts are spelled alike.
  const text = key.map((part) => `${part.length}:${part}`).join('\n');
  return hash('sha256', `${GROUPING_VERSION}\n${text}`, 'hex').slice(0, 32);
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** Keys that events of one error have in common, by application frames and by all frames. */
interface GroupingKeys {
  app: readonly string[];
  system: readonly string[];
}

/**
 * Returns the grouping keys of an exception: its type, the types of its causes and its frames; its
 * message only if there are no frames. Null when the event has no exception with a usable key.
 */
function exceptionKeys({ exceptions, frames }: TracedEvent, platform: string): GroupingKeys | null {
  const main = mainException(exceptions);
  if (main === null) return null;
  if (frames.length === 0 && main.type === null && main.value === null) return null;
  const types = typesOf(exceptions, main);
  const calls = frames.map((frame) => frameKey(frame, platform));
  const keyOf = (keys: (FrameKey | null)[]): string[] => [
    'exception',
    ...types,
    ...callsOf(keys, main),
  ];
  const system = keyOf(calls);
  if (ownFrames(frames) === frames) return { app: system, system };
  return { app: keyOf(calls.filter((_, at) => frames[at]?.isInApp === true)), system };
}

/** Ignores a type that the SDK made up; without any, the message counts. */
function typesOf(exceptions: ExceptionFields[], main: ExceptionFields): string[] {
  const causes = exceptions.filter((one) => one !== main && one.type !== null);
  const types = causes.map(({ type }) => typeName(type));
  const own = main.mechanism?.isSynthetic === true && main.type !== null ? '' : typeName(main.type);
  const name = own === '' && main.type === null ? messageShape(main.value ?? '') : own;
  return [name, ...types.filter((type, at) => type !== types[at - 1])];
}

/** Anonymous classes are named after the file and the place in which they stand. */
function typeName(type: string | null): string {
  return (type ?? '').replace(/@anonymous.*$/s, '@anonymous').replace(/\$\d+$/, '');
}

function callsOf(keys: (FrameKey | null)[], main: ExceptionFields): string[] {
  const texts: string[] = [];
  let isExact = false;
  for (const key of keys) {
    if (key === null) continue;
    isExact ||= key.isExact;
    if (key.text !== texts.at(-1)) texts.push(key.text);
  }
  return isExact ? texts : [...texts, messageShape(main.value ?? '')];
}
