import {
  breadcrumbsOf,
  contextsOf,
  FIELD_LIMITS,
  requestOf,
  userOf,
} from '../parsing/event-fields.js';
import { listOf, type JsonObject } from '../parsing/json-values.js';
import type { TextBounds, TextPair } from './text-bounds.js';

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

/** What is known of one part of the surroundings, such as `os` or `runtime`. */
export interface ContextDetails {
  name: string;
  fields: TextPair[];
}

const MAX_CONTEXTS = 50;

/** What happened before, the oldest first. */
export function breadcrumbDetails(event: JsonObject, bounds: TextBounds): BreadcrumbDetails[] {
  bounds.expect(listOf(event.breadcrumbs).length, FIELD_LIMITS.breadcrumbs);
  return breadcrumbsOf(event).map((crumb) => ({
    at: timeOf(crumb.timestamp),
    category: bounds.text(crumb.category),
    type: bounds.text(crumb.type),
    level: bounds.text(crumb.level),
    message: bounds.text(crumb.message),
    data: bounds.pairs(crumb.data),
  }));
}

/** Whom it happened to; `{{auto}}` is the address from which the event came, where it is kept. */
export function userDetails(
  event: JsonObject,
  bounds: TextBounds,
  clientAddress: string | null,
): EventUser | null {
  const user = userOf(event);
  if (user === null) return null;
  const { ipAddress } = user;
  return {
    id: bounds.text(user.id),
    username: bounds.text(user.username),
    email: bounds.text(user.email),
    ipAddress: ipAddress === '{{auto}}' ? clientAddress : bounds.text(ipAddress),
    other: bounds.pairs(user.other),
  };
}

/** The HTTP request during which it happened. */
export function requestDetails(event: JsonObject, bounds: TextBounds): EventRequest | null {
  const request = requestOf(event);
  if (request === null) return null;
  return {
    method: bounds.text(request.method),
    url: bounds.text(request.url),
    query: bounds.pairs(queryPairs(request.query)),
    headers: bounds.pairs(request.headers),
    cookies: bounds.pairs(cookiePairs(request.cookies)),
    data: bounds.text(request.data),
    env: bounds.pairs(request.env),
  };
}

/** What is known of the surroundings by name: `os`, `runtime`, `browser`, … */
export function contextDetails(event: JsonObject, bounds: TextBounds): ContextDetails[] {
  return bounds.list(contextsOf(event), MAX_CONTEXTS).map(([name, context]) => ({
    name: bounds.text(name) ?? '',
    fields: bounds.pairs(context),
  }));
}

function queryPairs(query: unknown): unknown {
  return typeof query === 'string' ? [...new URLSearchParams(query)] : query;
}

/** RFC 6265 §4.2.1: `name=value; name=value`. */
function cookiePairs(cookies: unknown): unknown {
  if (typeof cookies !== 'string') return cookies;
  return cookies.split(/; */).map((cookie) => {
    const [, name = cookie, value = ''] = /^([^=]*)=(.*)$/s.exec(cookie) ?? [];
    return [name, value];
  });
}

const SECONDS = /^\d{1,11}(?:\.\d+)?$/;
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** Seconds since 1970, also as text, or a time as RFC 3339 has it, in UTC where it does not say. */
function timeOf(value: unknown): Date | null {
  const isSeconds = typeof value === 'number' || (typeof value === 'string' && SECONDS.test(value));
  if (isSeconds) return validDate(Number(value) * 1000);
  if (typeof value !== 'string') return null;
  return validDate(Date.parse(ZONE.test(value) ? value : `${value}Z`));
}

function validDate(milliseconds: number): Date | null {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date;
}
