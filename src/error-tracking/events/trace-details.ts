import { listOf, objectOf, type JsonObject } from '../parsing/json-values.js';
import {
  exceptionsOf,
  failedThread,
  framesOf,
  linesAround,
  threadsOf,
  TRACE_LIMITS,
  variablesOf,
  type FrameFields,
  type Traced,
} from '../parsing/trace-fields.js';
import type { Truncator, TextPair } from './truncator.js';

/** A call on the stack of an exception. */
export interface FrameDetails {
  filename: string | null;
  absPath: string | null;
  function: string | null;
  module: string | null;
  line: number | null;
  column: number | null;
  /** True for application code, false for library code. */
  isInApp: boolean;
  /** Source lines with their numbers, in order; empty when the program sent none. */
  context: [line: number, text: string][];
  /** The one of `context` at which it happened; null when there is no context. */
  failingLine: number | null;
  /** Local variables by name, their values as text. */
  variables: TextPair[];
}

/** Mechanism by which an exception was reported. */
export interface MechanismDetails {
  type: string | null;
  /** null if the program did not report it. */
  isHandled: boolean | null;
}

/** One exception of an event. */
export interface ExceptionDetails {
  /** null for what has no type: a message with a stack. */
  type: string | null;
  value: string | null;
  module: string | null;
  mechanism: MechanismDetails | null;
  /** As sent: the outermost call first, the one that failed last. */
  frames: FrameDetails[];
}

/** Thread of the program. */
export interface ThreadDetails {
  id: string | null;
  name: string | null;
  isCrashed: boolean;
  isCurrent: boolean;
  /** As sent: the outermost call first, the last one last. */
  frames: FrameDetails[];
}

/** Frames that all exceptions of an event have together, at most. */
const MAX_FRAMES = 1_000;
const MAX_LINE = 1_000;
const MAX_VARIABLE = 2_000;

/** The exceptions of an event as sent: the cause first, what was thrown last. */
export function exceptionDetails(event: JsonObject, truncator: Truncator): ExceptionDetails[] {
  truncator.expect(listOf(event.exception).length, TRACE_LIMITS.exceptions);
  let room = MAX_FRAMES;
  const lastFirst = exceptionsOf(event).reverse();
  return lastFirst
    .map((exception) => {
      const frames = frameDetails(exception, truncator, room);
      room -= frames.length;
      return {
        type: truncator.text(exception.type),
        value: truncator.text(exception.value),
        module: truncator.text(exception.module),
        mechanism: exception.mechanism && {
          type: truncator.text(exception.mechanism.type),
          isHandled: exception.mechanism.isHandled,
        },
        frames,
      };
    })
    .reverse();
}

/** The threads of an event, the one that failed first and with its frames when they are wanted. */
export function threadDetails(
  event: JsonObject,
  truncator: Truncator,
  wantsFrames: boolean,
): ThreadDetails[] {
  truncator.expect(listOf(event.threads).length, TRACE_LIMITS.threads);
  const failed = failedThread(event)?.raw;
  const failedFirst = threadsOf(event).sort(
    (one, other) => Number(other.raw === failed) - Number(one.raw === failed),
  );
  return failedFirst.map((thread) => ({
    id: truncator.text(thread.id),
    name: truncator.text(thread.name),
    isCrashed: thread.isCrashed,
    isCurrent: thread.isCurrent,
    frames: wantsFrames && thread.raw === failed ? frameDetails(thread, truncator, MAX_FRAMES) : [],
  }));
}

function frameDetails(traced: Traced, truncator: Truncator, room: number): FrameDetails[] {
  truncator.expect(framesSent(traced), Math.min(TRACE_LIMITS.frames, room));
  const frames = framesOf(traced);
  const saysWhoseCode = frames.some(({ isInApp }) => isInApp !== null);
  return frames
    .slice(Math.max(0, frames.length - room))
    .map((frame) => frameDetail(frame, truncator, saysWhoseCode ? frame.isInApp === true : true));
}

function framesSent({ raw }: Traced): number {
  const frames = objectOf(raw.stacktrace)?.frames;
  return Array.isArray(frames) ? frames.length : 0;
}

function frameDetail(frame: FrameFields, truncator: Truncator, isInApp: boolean): FrameDetails {
  return {
    filename: truncator.text(frame.filename),
    absPath: truncator.text(frame.absPath),
    function: truncator.text(frame.function),
    module: truncator.text(frame.module ?? frame.package),
    line: frame.line,
    column: frame.column,
    isInApp,
    ...contextOf(frame, truncator),
    variables: truncator.pairs(variablesOf(frame), MAX_VARIABLE),
  };
}

/** Source lines; where the number of the failing line is unknown, the first shown one is 1. */
function contextOf(
  frame: FrameFields,
  truncator: Truncator,
): Pick<FrameDetails, 'context' | 'failingLine'> {
  const { before, after } = linesAround(frame);
  if (frame.contextLine === null && before.length + after.length === 0) {
    return { context: [], failingLine: null };
  }
  const lines = [...before, frame.contextLine ?? '', ...after];
  const first = frame.line === null ? 1 : frame.line - before.length;
  return {
    context: lines.map((text, index) => [first + index, truncator.text(text, MAX_LINE) ?? '']),
    failingLine: first + before.length,
  };
}

/**
 * The frames on which an event happened, the outermost call first: of what was thrown last among
 * the exceptions with frames, else of the thread that failed.
 */
export function failedFrames({
  exceptions,
  threads,
}: {
  exceptions: readonly ExceptionDetails[];
  threads: readonly ThreadDetails[];
}): FrameDetails[] {
  const thrown = exceptions.findLast(({ frames }) => frames.length > 0);
  return thrown?.frames ?? threads[0]?.frames ?? [];
}
