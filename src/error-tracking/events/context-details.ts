import {
  breadcrumbsOf,
  contextsOf,
  FIELD_LIMITS,
  requestOf,
  userOf,
} from '../parsing/event-fields.js';
import { instantOf } from '../parsing/event-values.js';
import { listOf, type JsonObject } from '../parsing/json-values.js';
import type { Truncator, TextPair } from './truncator.js';

/** Breadcrumb of an event. */
export interface BreadcrumbDetails {
  at: Date | null;
  category: string | null;
  type: string | null;
  level: string | null;
  message: string | null;
  data: TextPair[];
}

/** User affected by an event. */
export interface EventUser {
  id: string | null;
  username: string | null;
  email: string | null;
  ipAddress: string | null;
  other: TextPair[];
}

/** HTTP request of the event. */
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

/** One context of an event, such as `os` or `runtime`. */
export interface ContextDetails {
  name: string;
  fields: TextPair[];
}

const MAX_CONTEXTS = 50;
/** More than are shown, so that it is noticed when there are more. */
const MOST_COOKIES = 1_000;

/** Returns the breadcrumbs, the oldest first. */
export function breadcrumbDetails(event: JsonObject, truncator: Truncator): BreadcrumbDetails[] {
  truncator.expect(listOf(event.breadcrumbs).length, FIELD_LIMITS.breadcrumbs);
  return breadcrumbsOf(event).map((crumb) => ({
    at: instantOf(crumb.timestamp),
    category: truncator.text(crumb.category),
    type: truncator.text(crumb.type),
    level: truncator.text(crumb.level),
    message: truncator.text(crumb.message),
    data: truncator.pairs(crumb.data),
  }));
}

/**
 * Returns the affected user. The sender's IP address, which is kept only if the SDK requests it,
 * replaces `{{auto}}` and a missing IP address.
 */
export function userDetails(
  event: JsonObject,
  truncator: Truncator,
  clientAddress: string | null,
): EventUser | null {
  const user = userOf(event);
  if (user === null && clientAddress === null) return null;
  const sent = user?.ipAddress === '{{auto}}' ? null : truncator.text(user?.ipAddress);
  return {
    id: truncator.text(user?.id),
    username: truncator.text(user?.username),
    email: truncator.text(user?.email),
    ipAddress: sent ?? clientAddress,
    other: truncator.pairs(user?.other),
  };
}

/** HTTP request of the event. */
export function requestDetails(event: JsonObject, truncator: Truncator): EventRequest | null {
  const request = requestOf(event);
  if (request === null) return null;
  return {
    method: truncator.text(request.method),
    url: truncator.text(request.url),
    query: truncator.pairs(queryPairs(request.query)),
    headers: truncator.pairs(request.headers),
    cookies: truncator.pairs(cookiePairs(request.cookies)),
    data: truncator.text(request.data),
    env: truncator.pairs(request.env),
  };
}

/** Returns the contexts by name: `os`, `runtime`, `browser`, … */
export function contextDetails(event: JsonObject, truncator: Truncator): ContextDetails[] {
  return truncator.list(contextsOf(event), MAX_CONTEXTS).map(([name, context]) => ({
    name: truncator.text(name) ?? '',
    fields: truncator.pairs(context),
  }));
}

function queryPairs(query: unknown): unknown {
  return typeof query === 'string' ? [...new URLSearchParams(query)] : query;
}

/** RFC 6265 §4.2.1: `name=value; name=value`. */
function cookiePairs(cookies: unknown): unknown {
  if (typeof cookies !== 'string') return cookies;
  return cookies.split(/; */, MOST_COOKIES).map((cookie) => {
    const [, name = cookie, value = ''] = /^([^=]*)=(.*)$/s.exec(cookie) ?? [];
    return [name, value];
  });
}
