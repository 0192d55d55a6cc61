import type { EventDetails } from './event-details.js';
import type { ExceptionDetails, FrameDetails } from './trace-details.js';

/**
 * The exceptions of an event as a text to be copied: what was thrown first, its causes below, in
 * each stack the newest call first. Empty when the event has neither exceptions nor a stack.
 */
export function traceText({
  exceptions,
  threads,
}: Pick<EventDetails, 'exceptions' | 'threads'>): string {
  const thrown = exceptions.toReversed();
  const texts = thrown.map((one, index) => `${index > 0 ? 'Caused by: ' : ''}${textOf(one)}`);
  if (exceptions.some(({ frames }) => frames.length > 0)) return texts.join('\n');
  const stacks = threads.slice(0, 1).map(({ frames }) => stackText(frames));
  return [...texts, ...stacks].filter((text) => text !== '').join('\n');
}

/** `TypeError: x is undefined`; for an exception without either, its module. */
export function exceptionTitle({ type, value, module }: ExceptionDetails): string {
  const parts = [type, value].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? (module ?? 'Unnamed exception') : parts.join(': ');
}

/** `src/shop.ts:12:5`; null when neither file nor module is known. */
export function framePageContext(frame: FrameDetails): string | null {
  const { filename, absPath, module, line, column } = frame;
  const file = filename ?? absPath ?? module;
  if (file === null) return null;
  if (line === null) return file;
  return column === null ? `${file}:${line}` : `${file}:${line}:${column}`;
}

function textOf(exception: ExceptionDetails): string {
  const title = exceptionTitle(exception);
  return exception.frames.length === 0 ? title : `${title}\n${stackText(exception.frames)}`;
}

function stackText(frames: readonly FrameDetails[]): string {
  const lines = frames.toReversed().map((frame) => {
    const place = framePageContext(frame);
    const name = frame.function ?? '(anonymous)';
    return place === null ? `    at ${name}` : `    at ${name} (${place})`;
  });
  return lines.join('\n');
}
