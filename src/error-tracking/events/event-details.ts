import type { ErrorLevel } from '../error-values.js';
import type { StoredEvent } from './stored-event.js';
import type { ExceptionDetails, ThreadDetails } from './trace-details.js';

/** What names something and its value as text; names may come more than once. */
export type TextPair = [name: string, text: string];

/** What happened before. */
export interface BreadcrumbDetails {
  at: Date | null;
  category: string | null;
  type: string | null;
  level: string | null;
  message: string | null;
  data: TextPair[];
}

/** Whom it happened to. */
export interface EventUser {
  id: string | null;
  username: string | null;
  email: string | null;
  ipAddress: string | null;
  other: TextPair[];
}

/** The HTTP request during which it happened. */
export interface EventRequest {
  method: string | null;
  url: string | null;
  query: TextPair[];
  headers: TextPair[];
  cookies: TextPair[];
  /** The body as text; null when there was none. */
  data: string | null;
  env: TextPair[];
}

/** All that is known of one event, whatever its program sent, within bounds. */
export interface EventDetails {
  /** 32 lowercase hex. */
  eventId: string;
  occurredAt: Date;
  receivedAt: Date;
  title: string;
  /** The message that the program wrote; null when there are only exceptions. */
  message: string | null;
  level: ErrorLevel;
  platform: string;
  logger: string | null;
  environment: string;
  release: string | null;
  dist: string | null;
  serverName: string | null;
  transaction: string | null;
  sdk: { name: string; version: string | null } | null;
  /** As sent: the cause first, what was thrown last. */
  exceptions: ExceptionDetails[];
  /** Of programs with several: the crashed one first; frames only where exceptions have none. */
  threads: ThreadDetails[];
  /** The oldest first. */
  breadcrumbs: BreadcrumbDetails[];
  tags: TextPair[];
  user: EventUser | null;
  request: EventRequest | null;
  contexts: { name: string; fields: TextPair[] }[];
  extra: TextPair[];
  /** Packages of the program with their versions. */
  modules: TextPair[];
  /** Whether something was left out because there was too much of it. */
  isCut: boolean;
  /** Whether what the program sent could not be read: then only what is kept beside it is here. */
  isDamaged: boolean;
}
