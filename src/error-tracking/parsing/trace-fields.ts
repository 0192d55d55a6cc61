import {
  booleanOf,
  compactJson,
  integerOf,
  type JsonObject,
  objectOf,
  objectsIn,
  pairsOf,
  textOf,
  withoutMiddle,
} from './json-values.js';

/** More of them are left out, in the middle: an event of 1 MiB could hold 100,000. */
export const TRACE_LIMITS = { exceptions: 50, threads: 50, frames: 250 } as const;

/** Object with a `stacktrace`: an exception or a thread. */
export interface Traced {
  raw: JsonObject;
}

/** An exception; null for what is absent or of no use. */
export interface ExceptionFields extends Traced {
  type: string | null;
  /** Anything but a text is given as compact JSON. */
  value: string | null;
  module: string | null;
  mechanism: MechanismFields | null;
}

/** Mechanism by which an exception was reported. */
interface MechanismFields {
  type: string | null;
  isHandled: boolean | null;
  /** True if the SDK made up the type. */
  isSynthetic: boolean;
}

/** Stack frame. */
export interface FrameFields {
  filename: string | null;
  absPath: string | null;
  function: string | null;
  module: string | null;
  package: string | null;
  line: number | null;
  column: number | null;
  isInApp: boolean | null;
  contextLine: string | null;
  raw: JsonObject;
}

/** Thread of the program. */
interface ThreadFields extends Traced {
  id: string | null;
  name: string | null;
  isCrashed: boolean;
  isCurrent: boolean;
}

/** Exceptions as sent: the oldest cause first, what was thrown in the end last. */
export function exceptionsOf(event: JsonObject): ExceptionFields[] {
  const sent = objectsIn(event.exception);
  return withoutMiddle(sent, TRACE_LIMITS.exceptions).map((raw) => ({
    type: textOf(raw.type),
    value: textOf(raw.value) ?? compactJson(raw.value),
    module: textOf(raw.module),
    mechanism: mechanismOf(raw.mechanism),
    raw,
  }));
}

function mechanismOf(value: unknown): MechanismFields | null {
  const raw = objectOf(value);
  if (raw === null) return null;
  return {
    type: textOf(raw.type),
    isHandled: booleanOf(raw.handled),
    isSynthetic: raw.synthetic === true,
  };
}

/** Frames of an exception or a thread, the call that failed last. */
export function framesOf({ raw }: Traced): FrameFields[] {
  const stack = objectOf(raw.stacktrace) ?? objectOf(raw.raw_stacktrace);
  if (stack === null || !Array.isArray(stack.frames)) return [];
  return withoutMiddle<unknown>(stack.frames, TRACE_LIMITS.frames).flatMap((value) => {
    const frame = objectOf(value);
    return frame === null ? [] : [frameOf(frame)];
  });
}

function frameOf(raw: JsonObject): FrameFields {
  return {
    filename: textOf(raw.filename),
    absPath: textOf(raw.abs_path),
    // SDKs write this where there is no name.
    function: raw.function === '?' ? null : textOf(raw.function),
    module: textOf(raw.module),
    package: textOf(raw.package),
    line: integerOf(raw.lineno),
    column: integerOf(raw.colno),
    isInApp: booleanOf(raw.in_app),
    contextLine: textOf(raw.context_line),
    raw,
  };
}

/** Lines of source before and after the line of a frame; blank ones are '' so that they count. */
export function linesAround({ raw }: FrameFields): { before: string[]; after: string[] } {
  const lines = (value: unknown): string[] =>
    Array.isArray(value) ? value.map((line) => textOf(line) ?? '') : [];
  return { before: lines(raw.pre_context), after: lines(raw.post_context) };
}

/** Local variables of a frame, as sent. */
export function variablesOf({ raw }: FrameFields): [string, unknown][] {
  return pairsOf(raw.vars);
}

/** Threads of the program as sent. */
export function threadsOf(event: JsonObject): ThreadFields[] {
  const sent = objectsIn(event.threads);
  return withoutMiddle(sent, TRACE_LIMITS.threads).map((raw) => ({
    id: textOf(raw.id),
    name: textOf(raw.name),
    isCrashed: raw.crashed === true,
    isCurrent: raw.current === true,
    raw,
  }));
}

/** The thread that crashed, else the current one; its frames count when no exception has any. */
export function failedThread(event: JsonObject): ThreadFields | null {
  const threads = threadsOf(event);
  return (
    threads.find((thread) => thread.isCrashed) ??
    threads.find((thread) => thread.isCurrent) ??
    (threads.length === 1 ? (threads[0] ?? null) : null)
  );
}

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
function stackOf(event: JsonObject, exceptions: ExceptionFields[]): FrameFields[] {
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
