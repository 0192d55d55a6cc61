import { messageOf } from './event-fields.js';
import { mainException, ownFrames, type TracedEvent } from './event-stack.js';
import { cutText, type JsonObject, textOf } from './json-values.js';
import type { FrameFields } from './trace-fields.js';

/** Longest texts of an error, in characters. */
const LABEL_LIMITS = {
  type: 128,
  value: 1_024,
  culprit: 200,
  title: 255,
  searchText: 2_048,
} as const;

/** Title of an error. */
export interface EventLabels {
  type: string | null;
  value: string | null;
  culprit: string;
  title: string;
}

/**
 * Type, value, place and title of an event. `origin` names the place when neither a transaction
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

/** Names of functions and modules by which an error is found, with its type, value and place. */
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
  const place = transaction === '' ? placeOf(ownFrames(frames).at(-1)) : transaction;
  return cutText(place === '' ? origin : place, LABEL_LIMITS.culprit);
}

function placeOf(frame: FrameFields | undefined): string {
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
