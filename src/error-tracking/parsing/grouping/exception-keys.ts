import { mainException, ownFrames, type TracedEvent } from '../event-stack.js';
import type { ExceptionFields, FrameFields } from '../trace-fields.js';
import { type FrameKey, frameKey } from './frame-key.js';
import { messageShape } from './varying-parts.js';

/** Keys that events of one error have in common, by application frames and by all frames. */
export interface GroupingKeys {
  app: readonly string[];
  system: readonly string[];
}

/**
 * Returns the grouping keys of an exception: its type, the types of its causes and its frames; its
 * message only if there are no frames. Null when the event has no exception with a usable key.
 */
export function exceptionKeys(
  { exceptions, frames }: TracedEvent,
  platform: string,
): GroupingKeys | null {
  const main = mainException(exceptions);
  if (main === null) return null;
  if (frames.length === 0 && main.type === null && main.value === null) return null;
  const keyOf = (calls: FrameFields[]): string[] => [
    'exception',
    ...typesOf(exceptions, main),
    ...callsOf(calls, main, platform),
  ];
  const own = ownFrames(frames);
  const system = keyOf(frames);
  return { app: own === frames ? system : keyOf(own), system };
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

function callsOf(frames: FrameFields[], main: ExceptionFields, platform: string): string[] {
  const keys = frames.flatMap((frame) => frameKey(frame, platform) ?? []);
  const texts = keys.map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]);
  return keys.some(isExact) ? texts : [...texts, messageShape(main.value ?? '')];
}

function isExact(key: FrameKey): boolean {
  return key.isExact;
}
