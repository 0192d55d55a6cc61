import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../core/errors.js';
import { parseJsonBody } from '../../core/http/json-body.js';
import type { JsonObject } from './incoming-alert.js';

/** Longest webhook body and longest example of one. */
export const MAX_ALERT_BYTES = 1_048_576;

const BYTE_ORDER_MARK = 0xfeff;

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
/** Matches escapes from left to right; the group captures NUL and lone surrogates. */
const ESCAPES =
  /(?:\\[^u])+|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|((?:\\u0000|\\ud[c-f][\da-f]{2}|\\ud[89ab][\da-f]{2}(?!\\ud[c-f][\da-f]{2})){1,1000})/gi;
const REPLACEMENT = String.raw`\ufffd`;

/**
 * Parses a webhook body: a JSON object in UTF-8 of at most 1 MiB and 100 levels. NUL and lone
 * surrogates, which PostgreSQL cannot store, become U+FFFD: senders such as Alertmanager do not
 * retry rejected alerts. Throws 400 for anything else, always with the same body.
 */
export function parseAlertBody(bytes: Buffer): JsonObject {
  if (bytes.length > MAX_ALERT_BYTES || !isUtf8(bytes)) throw badBody();
  const text = bytes.toString('utf8');
  // RFC 8259 §8.1 lets a reader ignore the mark, which some senders put in front.
  const body = parsed(storable(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody();
  return body as JsonObject;
}

function storable(json: string): string {
  if (!UNSTORABLE.test(json)) return json;
  return json.replace(ESCAPES, (escape, unstorable?: string) =>
    unstorable === undefined ? escape : REPLACEMENT.repeat(unstorable.length / REPLACEMENT.length),
  );
}

function parsed(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    throw error instanceof ApiError ? badBody(error) : error;
  }
}

function badBody(cause?: ApiError): ApiError {
  return new ApiError(400, { message: '400 Bad request' }, { cause });
}
