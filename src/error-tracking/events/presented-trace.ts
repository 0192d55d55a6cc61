/** Stack frame. */
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
   * Source lines around it, with their numbers.
   * @example [[16, "let sum = 0;"], [17, "for (const { price } of cart.items) {"]]
   */
  context: [number, string][];
  /**
   * Local variables, as strings.
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
  /** Outermost frame first, the failing one last. */
  frames: PresentedFrame[];
}

/** Thread of the program. */
export interface PresentedThread {
  id: string | null;
  name: string | null;
  crashed: boolean;
  current: boolean;
  /** Stack trace of the crashed thread, if no exception has frames. */
  frames: PresentedFrame[];
}

/** Stack frame in the format of version 4. */
export interface PresentedStackEntry {
  /** @example 17 */
  lineNo: number | null;
  /** @example 9 */
  colNo: number | null;
  /**
   * Source lines around it, with their numbers and without blank ones.
   * @example [[17, "for (const { price } of cart.items) {"]]
   */
  context: [number, string][];
  /** @example /srv/shop/dist/cart.js */
  filename: string | null;
  abs_path: string | null;
  /** @example sumOf */
  function: string | null;
}

/** Stack trace of an error's newest event. */
export interface PresentedStackTrace {
  error_id: number;
  /** @example 9ec79c33ec9942ab8353589fcb2e04dc */
  event_id: string;
  date_received: Date;
  /** Outermost frame first, the failing one last; empty if there are none. */
  stack_trace_entries: PresentedStackEntry[];
}
