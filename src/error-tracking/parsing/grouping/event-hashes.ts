import { hash } from 'node:crypto';
import { messageOf } from '../event-fields.js';
import type { TracedEvent } from '../event-stack.js';
import { cutText, type JsonObject, textOf } from '../json-values.js';
import { exceptionKeys, type GroupingKeys } from './exception-keys.js';
import { messageShape } from './varying-parts.js';

/** Goes into every hash: other rules make other hashes. */
export const GROUPING_VERSION = 1;

const DEFAULT_PART = /^\{\{ ?default ?\}\}$/;
const LONGEST_PART = 1_024;
const MOST_PARTS = 100;

/** Data besides the event for grouping. */
export interface GroupingContext {
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
