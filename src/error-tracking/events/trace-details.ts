/** A call on the stack of an exception. */
export interface FrameDetails {
  filename: string | null;
  absPath: string | null;
  function: string | null;
  module: string | null;
  line: number | null;
  column: number | null;
  /** Whether it is the program's own code, not that of a library. */
  isInApp: boolean;
  /** Source lines with their numbers, in order; empty when the program sent none. */
  context: [line: number, text: string][];
  /** The one of `context` at which it happened; null when that is not known. */
  failingLine: number | null;
  /** Local variables by name, their values as text. */
  variables: [name: string, text: string][];
}

/** How an exception came to be reported. */
export interface MechanismDetails {
  type: string;
  /** null when the program did not say. */
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

/** A thread of the program. */
export interface ThreadDetails {
  id: string | null;
  name: string | null;
  isCrashed: boolean;
  isCurrent: boolean;
  /** As sent: the outermost call first, the last one last. */
  frames: FrameDetails[];
}
