import type { ErrorLevel } from '../error-values.js';
import type { PresentedException, PresentedThread } from './presented-trace.js';

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
