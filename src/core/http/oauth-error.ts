import type { ApiError } from '../errors.js';
import { HttpResponse } from './http-response.js';

/** Endpoint whose errors are repeated in a challenge. */
const TOKEN_ENDPOINT = '/oauth/token';

interface ProtocolError {
  error: string;
  error_description: string;
}

/**
 * Returns an error in the format of OAuth (RFC 6749 §5.2): without an error code of the protocol
 * `invalid_request`, for internal errors `server_error`, and for temporary ones
 * `temporarily_unavailable` (§4.1.2.1). Never cached (§5.1).
 */
export function toOAuthError({ status, body, headers }: ApiError, path: string): HttpResponse {
  const never = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
  const json = { 'Content-Type': 'application/json' };
  if (isOfProtocol(body['error']))
    return new HttpResponse(status, body, { ...never, ...headers, ...json });
  const error: ProtocolError = {
    error: errorOf(status),
    error_description: descriptionOf(body),
  };
  const challenge = path === TOKEN_ENDPOINT && { 'WWW-Authenticate': challengeOf(error) };
  return new HttpResponse(status, error, { ...never, ...challenge, ...headers, ...json });
}

/** The error as the attributes of a Bearer challenge (RFC 6750 §3). */
export function challengeOf({ error, error_description }: ProtocolError): string {
  return `Bearer realm="Protected by OAuth 2.0", error="${error}", error_description="${error_description}"`;
}

function errorOf(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

function isOfProtocol(error: unknown): boolean {
  return typeof error === 'string' && /^[a-z_]+$/.test(error);
}

/** Returns the description without characters that RFC 6749 forbids. */
function descriptionOf({ message, error }: ApiError['body']): string {
  const texts = [message, nestedError(message), error];
  const text =
    texts.find((one): one is string => typeof one === 'string') ?? 'The request is refused';
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
}

/** The text of a limit or a spam check (API doc, Errors 7). */
function nestedError(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return undefined;
  return 'error' in message ? message.error : undefined;
}
