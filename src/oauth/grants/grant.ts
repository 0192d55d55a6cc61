import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { HttpResponse } from '../../core/http/http-response.js';
import type { Client } from '../oauth-applications.repository.js';
import { OAuthError } from '../oauth-errors.js';
import type { OAuthForm } from '../client-authentication.service.js';
import type { OAuthTokenResponse } from '../token-issuer.service.js';

/** Request to POST /oauth/token. */
export interface TokenRequest {
  request: Request;
  form: OAuthForm;
}

/** One way of getting a token. */
export interface Grant {
  /** Returns the token; throws OAuthError. */
  answer(asked: TokenRequest): Promise<HttpResponse<OAuthTokenResponse>>;
}

/** Condition and the error if it fails. */
export type Check<Subject> = readonly [
  holds: (subject: Subject) => boolean,
  refusal: (subject: Subject) => OAuthError,
];

/** Throws the refusal of the first check that does not hold: their order is part of the protocol. */
export function assertAll<Subject>(checks: readonly Check<Subject>[], subject: Subject): void {
  const failed = checks.find(([holds]) => !holds(subject));
  if (failed !== undefined) throw failed[1](subject);
}

/**
 * Returns the challenge of the request's code_verifier, or null without one. Throws when it is
 * malformed.
 */
export function sentChallenge(form: OAuthForm): string | null {
  const verifier = form.text('code_verifier');
  if (verifier === null) return null;
  if (isCodeVerifier(verifier)) return challengeOf(verifier);
  throw new OAuthError('invalid_request', {
    description: 'The code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~',
  });
}

/**
 * `invalid_grant`, always with the same text. Why is for the log, and for an application that has
 * proven by its secret who it is.
 */
export function invalidGrant(detail: string) {
  return ({ client }: { client: Client | null }): OAuthError =>
    new OAuthError('invalid_grant', { detail, tellsDetail: client?.confidential === true });
}

/** Returns the error for a code or token that was never issued. */
export function unknownGrant(detail: string): OAuthError {
  return new OAuthError('invalid_grant', { detail, isGuess: true });
}

/** Returns true if the text has the format of a verifier (RFC 7636 §4.1). */
function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(text);
}

/** The challenge of method S256 that belongs to the verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
