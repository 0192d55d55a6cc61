import type { JsonObject } from './json-values.js';
import {
  type ExceptionFields,
  exceptionsOf,
  failedThread,
  type FrameFields,
  framesOf,
} from './trace-fields.js';

/** An event whose exceptions were read. */
export interface TracedEvent {
  event: JsonObject;
  exceptions: ExceptionFields[];
  /** The calls that led to what was thrown in the end. */
  frames: FrameFields[];
}

/** Reads the exceptions of an event and the calls that led to them. */
export function tracedEvent(event: JsonObject): TracedEvent {
  const exceptions = exceptionsOf(event);
  return { event, exceptions, frames: stackOf(event, exceptions) };
}

/** Returns the outermost exception, which `exceptionsOf` has last. */
export function mainException(exceptions: ExceptionFields[]): ExceptionFields | null {
  return exceptions.at(-1) ?? null;
}

/** The calls that led to an exception: its own, else those of a cause, else of a thread. */
export function stackOf(event: JsonObject, exceptions: ExceptionFields[]): FrameFields[] {
  for (const exception of exceptions.toReversed()) {
    const frames = framesOf(exception);
    if (frames.length > 0) return frames;
  }
  const thread = failedThread(event);
  return thread === null ? [] : framesOf(thread);
}

/** Returns the application frames; all of them when the SDK does not mark them. */
export function ownFrames(frames: FrameFields[]): FrameFields[] {
  const own = frames.filter((frame) => frame.isInApp === true);
  return own.length === 0 || own.length === frames.length ? frames : own;
}
