import type { ErrorLevel } from '../error-values.js';

/** A stored event of an error. */
export interface PresentedErrorEvent {
  /**
   * The id that SDKs show, as 32 hex digits.
   * @example 9ec79c33ec9942ab8353589fcb2e04dc
   */
  event_id: string;
  error_id: number;
  /** @example TypeError: Cannot read properties of undefined (reading 'total') */
  title: string;
  /** When it happened, by the clock of the program, put right. */
  date: Date;
  date_received: Date;
  level: ErrorLevel;
  /** @example production */
  environment: string;
  /** @example shop@1.4.0 */
  release: string | null;
  /**
   * What names the person whom it happened to: id, username, email or address.
   * @example maria@example.com
   */
  user: string | null;
}

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
  /** Whether it is the program's own code, not that of a library. */
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

/** How an exception came to be reported. */
export interface PresentedMechanism {
  /** @example onuncaughtexception */
  type: string | null;
  /** Whether the program caught it; null when that is not known. */
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

/** What happened before. */
export interface PresentedBreadcrumb {
  date: Date | null;
  /** @example http */
  type: string | null;
  /** @example fetch */
  category: string | null;
  level: string | null;
  message: string | null;
  data: Record<string, string>;
}

/** Whom it happened to. */
export interface PresentedEventUser {
  id: string | null;
  username: string | null;
  email: string | null;
  ip_address: string | null;
  /** What else the program said of the person. */
  other: Record<string, string>;
}

/** A name and its value, where names may come more than once. */
export interface PresentedEventField {
  /** @example theme */
  name: string;
  /** @example dark */
  value: string;
}

/** The HTTP request during which it happened. */
export interface PresentedEventRequest {
  /** @example GET */
  method: string | null;
  /** @example https://shop.example.com/cart */
  url: string | null;
  query: PresentedEventField[];
  headers: PresentedEventField[];
  cookies: PresentedEventField[];
  /** The body as text. */
  data: string | null;
  env: Record<string, string>;
}

/** The library that sent an event. */
export interface PresentedSdk {
  /** @example sentry.javascript.node */
  name: string;
  /** @example 10.78.0 */
  version: string | null;
}

/** All that is known of an event; values of free fields are texts, objects as JSON. */
export interface PresentedEventDetails extends PresentedErrorEvent {
  /** What the program wrote; null when there are only exceptions. */
  message: string | null;
  /** @example node */
  platform: string;
  logger: string | null;
  dist: string | null;
  server_name: string | null;
  /** @example GET /cart */
  transaction: string | null;
  sdk: PresentedSdk | null;
  /** The cause first, what was thrown last. */
  exceptions: PresentedException[];
  /** The one that failed first. */
  threads: PresentedThread[];
  /** The oldest first. */
  breadcrumbs: PresentedBreadcrumb[];
  /** Those that the program set. */
  tags: PresentedEventField[];
  /** Whom it happened to, with all that the program said. */
  user_details: PresentedEventUser | null;
  request: PresentedEventRequest | null;
  /**
   * What is known of the surroundings.
   * @example {"runtime": {"name": "node", "version": "v24.21.0"}}
   */
  contexts: Record<string, Record<string, string>>;
  extra: Record<string, string>;
  /**
   * Packages of the program with their versions.
   * @example {"express": "5.2.1"}
   */
  modules: Record<string, string>;
  /** Whether parts were left out because there was too much of them. */
  truncated: boolean;
  /** Whether what the program sent cannot be read any more; most of the rest is empty then. */
  damaged: boolean;
}

/** One event of an error among its neighbours. */
export interface PresentedEventOfError extends PresentedEventDetails {
  /** Id of the event that came before it. */
  previous_event_id: string | null;
  /** Id of the event that came after it. */
  next_event_id: string | null;
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
