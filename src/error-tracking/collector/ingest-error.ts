import { toUnavailableError, ApiError } from '../../core/errors.js';
import { UnreadableEvent } from '../parsing/read-event.js';

interface RefusalOptions {
  /** Details for SDK developers. */
  causes?: readonly string[];
  headers?: Record<string, string>;
}

const BACK_OFF_SECONDS = '30';
const MAX_REASON_LENGTH = 200;

/**
 * A refusal as SDKs and their tools read it: `detail` repeats the message, and so does the header
 * `X-Sentry-Error`.
 */
export class IngestError extends ApiError {
  constructor(status: number, message: string, { causes = [], headers = {} }: RefusalOptions = {}) {
    const body = { message, detail: message, causes: [...causes] };
    super(status, body, { headers: { ...headers, 'X-Sentry-Error': headerText(message) } });
  }
}

/** 400 for a body that is not what it should be. */
export function unreadable(reason: string, causes: readonly string[] = []): IngestError {
  return new IngestError(400, `400 Bad request - ${reason}`, { causes });
}

/** 400 for a request that names no key, or no readable one. */
export function noCredentials(): IngestError {
  return unreadable('Failed to parse sentry request');
}

/** 413 for anything above the size limit. */
export function tooLarge(what: string): IngestError {
  return new IngestError(413, '413 Request Entity Too Large', { causes: [what] });
}

/** 404 after which SDKs with a deleted DSN pause for a while. */
export function notFound(message: '404 Not Found' | '404 Project Not Found'): IngestError {
  return new IngestError(404, message, { headers: { 'X-Sentry-Rate-Limits': '60::key' } });
}

/**
 * 429 while the process is overloaded, or the database is unavailable. Never 503: SDKs slow down
 * only on 429.
 */
export function overloaded(): IngestError {
  return new IngestError(429, '429 Too Many Requests', {
    causes: ['the server is overloaded'],
    headers: {
      'Retry-After': BACK_OFF_SECONDS,
      'X-Sentry-Rate-Limits': `${BACK_OFF_SECONDS}:error;default;transaction:project:backpressure`,
    },
  });
}

/** The refusal that an error means to an SDK; null for an error of ours. */
export function refusalOf(error: unknown): IngestError | null {
  if (error instanceof IngestError) return error;
  if (error instanceof UnreadableEvent) return unreadable(error.message);
  const known = error instanceof ApiError ? error : toUnavailableError(error);
  if (known === null) return null;
  if (known.status === 503) return overloaded();
  const { message } = known.body;
  const text = typeof message === 'string' ? message : `${known.status} Refused`;
  return new IngestError(known.status, text, { headers: known.headers });
}

/** Header values are ASCII of one line (RFC 9110 §5.5). */
function headerText(message: string): string {
  return message.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_REASON_LENGTH);
}
