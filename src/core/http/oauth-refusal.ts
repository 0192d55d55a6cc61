import type { ApiError } from '../errors.js';
import { Answer } from './answer.js';

/**
 * A refusal as OAuth clients read it (RFC 6749 §5.2): one that names no error of the protocol is
 * `invalid_request`, a fault of ours `server_error`. Never kept by anybody (§5.1).
 */
export function oauthRefusal({ status, body, headers }: ApiError): Answer {
  const answer = isOfProtocol(body['error'])
    ? body
    : {
        error: status >= 500 ? 'server_error' : 'invalid_request',
        error_description: descriptionOf(body),
      };
  return new Answer(status, answer, {
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    ...headers,
    'Content-Type': 'application/json',
  });
}

function isOfProtocol(error: unknown): boolean {
  return typeof error === 'string' && /^[a-z_]+$/.test(error);
}

/** Without the characters that a description must not have. */
function descriptionOf({ message, error }: ApiError['body']): string {
  const text = [message, error].find((one) => typeof one === 'string') ?? 'The request is refused';
  return String(text).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
}
