import type { ErrorLevel } from '../error-values.js';

/** A stored event of an error. */
export interface ErrorEventResponse {
  /**
   * ID that SDKs report, as 32 hex digits.
   * @example 9ec79c33ec9942ab8353589fcb2e04dc
   */
  event_id: string;
  error_id: number;
  /** @example TypeError: Cannot read properties of undefined (reading 'total') */
  title: string;
  /** Time of the event by the program's clock, corrected. */
  date: Date;
  date_received: Date;
  level: ErrorLevel;
  /** @example production */
  environment: string;
  /** @example shop@1.4.0 */
  release: string | null;
  /**
   * Display name of the affected user: ID, username, email or IP address.
   * @example maria@example.com
   */
  user: string | null;
}

/** Breadcrumb of an event. */
export interface BreadcrumbResponse {
  date: Date | null;
  /** @example http */
  type: string | null;
  /** @example fetch */
  category: string | null;
  level: string | null;
  message: string | null;
  data: Record<string, string>;
}

/** User affected by an event. */
export interface EventUserResponse {
  id: string | null;
  username: string | null;
  email: string | null;
  ip_address: string | null;
  /** Other attributes of the user. */
  other: Record<string, string>;
}

/** Name and value; names can occur more than once. */
export interface EventFieldResponse {
  /** @example theme */
  name: string;
  /** @example dark */
  value: string;
}

/** HTTP request of the event. */
export interface EventRequestResponse {
  /** @example GET */
  method: string | null;
  /** @example https://shop.example.com/cart */
  url: string | null;
  query: EventFieldResponse[];
  headers: EventFieldResponse[];
  cookies: EventFieldResponse[];
  /** The body as text. */
  data: string | null;
  env: Record<string, string>;
}

/** SDK that sent an event. */
interface SdkResponse {
  /** @example sentry.javascript.node */
  name: string;
  /** @example 10.78.0 */
  version: string | null;
}

/** Details of an event; values of free fields are strings, objects as JSON. */
export interface EventDetailsResponse extends ErrorEventResponse {
  /** Log message; null if the event has exceptions only. */
  message: string | null;
  /** @example node */
  platform: string;
  logger: string | null;
  dist: string | null;
  server_name: string | null;
  /** @example GET /cart */
  transaction: string | null;
  sdk: SdkResponse | null;
  /** Chain of exceptions, the root cause first. */
  exceptions: ExceptionResponse[];
  /** The crashed thread first. */
  threads: ThreadResponse[];
  /** Breadcrumbs, oldest first. */
  breadcrumbs: BreadcrumbResponse[];
  /** Tags set by the program. */
  tags: EventFieldResponse[];
  /** Affected user, with all reported attributes. */
  user_details: EventUserResponse | null;
  request: EventRequestResponse | null;
  /**
   * Contexts of the event.
   * @example {"runtime": {"name": "node", "version": "v24.21.0"}}
   */
  contexts: Record<string, Record<string, string>>;
  extra: Record<string, string>;
  /**
   * Modules of the program with their versions.
   * @example {"express": "5.2.1"}
   */
  modules: Record<string, string>;
  /** True if parts were left out because of their size. */
  truncated: boolean;
  /** True if the payload is unreadable; most other fields are empty then. */
  damaged: boolean;
}

/** Event of an error with links to its neighbors. */
export interface EventOfErrorResponse extends EventDetailsResponse {
  /** ID of the previous event. */
  previous_event_id: string | null;
  /** ID of the next event. */
  next_event_id: string | null;
}

/** Stack frame. */
export interface FrameResponse {
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
interface MechanismResponse {
  /** @example onuncaughtexception */
  type: string | null;
  /** True if the program caught the exception; null if unknown. */
  handled: boolean | null;
}

/** One exception of an event. */
export interface ExceptionResponse {
  /** @example TypeError */
  type: string | null;
  /** @example Cannot read properties of undefined (reading 'total') */
  value: string | null;
  module: string | null;
  mechanism: MechanismResponse | null;
  /** Outermost frame first, the failing one last. */
  frames: FrameResponse[];
}

/** Thread of the program. */
export interface ThreadResponse {
  id: string | null;
  name: string | null;
  crashed: boolean;
  current: boolean;
  /** Stack trace of the crashed thread, if no exception has frames. */
  frames: FrameResponse[];
}

/** Stack frame in the format of version 4. */
export interface StackEntryResponse {
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
export interface StackTraceResponse {
  error_id: number;
  /** @example 9ec79c33ec9942ab8353589fcb2e04dc */
  event_id: string;
  date_received: Date;
  /** Outermost frame first, the failing one last; empty if there are none. */
  stack_trace_entries: StackEntryResponse[];
}
