/** A call on a stack. */
export interface PresentedFrame {
  /** @example /srv/shop/dist/cart.js */
  filename: string | null;
  /** @example /srv/shop/dist/cart.js */
  abs_path: string | null;
  /** @example sumOf */
  function: string | null;
  /** @example cart */
  module: string | null;
  /** @example 17 */
  lineno: number | null;
  /** @example 9 */
  colno: number | null;
  /** True for application code, false for library code. */
  in_app: boolean;
  /**
   * Numbers and texts of the lines of source around it.
   * @example [[16, "let sum = 0;"], [17, "for (const { price } of cart.items) {"]]
   */
  context: [number, string][];
  /**
   * Local variables, as texts.
   * @example {"sum": "0"}
   */
  vars: Record<string, string>;
}

/** Mechanism by which an exception was reported. */
export interface PresentedMechanism {
  /** @example onuncaughtexception */
  type: string | null;
  /** True if the program caught the exception; null if unknown. */
  handled: boolean | null;
}

/** One exception of an event. */
export interface PresentedException {
  /** @example TypeError */
  type: string | null;
  /** @example Cannot read properties of undefined (reading 'total') */
  value: string | null;
  module: string | null;
  mechanism: PresentedMechanism | null;
  /** The outermost call first, the one that failed last. */
  frames: PresentedFrame[];
}

/** A thread of the program. */
export interface PresentedThread {
  id: string | null;
  name: string | null;
  crashed: boolean;
  current: boolean;
  /** Of the one that failed, where no exception has frames. */
  frames: PresentedFrame[];
}

/** A call on a stack, in the form of version 4. */
export interface PresentedStackEntry {
  /** @example 17 */
  lineNo: number | null;
  /** @example 9 */
  colNo: number | null;
  /**
   * Numbers and texts of the lines of source around it, without blank ones.
   * @example [[17, "for (const { price } of cart.items) {"]]
   */
  context: [number, string][];
  /** @example /srv/shop/dist/cart.js */
  filename: string | null;
  abs_path: string | null;
  /** @example sumOf */
  function: string | null;
}

/** The stack of the newest event of an error. */
export interface PresentedStackTrace {
  error_id: number;
  /** @example 9ec79c33ec9942ab8353589fcb2e04dc */
  event_id: string;
  date_received: Date;
  /** The outermost call first, the one that failed last; empty when the program sent none. */
  stack_trace_entries: PresentedStackEntry[];
}
