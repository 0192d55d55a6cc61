import { ApiError } from '../core/errors.js';
import { challengeOf } from '../core/http/oauth-error.js';
import type { GuessLimit } from '../core/rate-limits/brute-force-limiter.service.js';
import { ThrottledError } from '../core/rate-limits/tally.js';
import { throttle } from '../core/rate-limits/named-limits.js';
import { scopeRefusal } from './oauth-scopes.js';

/** Texts that clients show or compare: they are kept byte for byte (RFC 6749 §5.2). */
const DESCRIPTIONS = {
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_request:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  invalid_scope: scopeRefusal([], []),
  invalid_token: 'The access token is invalid',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  unsupported_grant_type:
    'The authorization grant type is not supported by the authorization server.',
} as const;

type OAuthErrorCode = keyof typeof DESCRIPTIONS;

const STATUSES: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  unauthorized_client: 401,
};

interface OAuthErrorOptions {
  description?: string;
  status?: number;
  /** Why exactly, for the log; clients that have proven who they are get it as `error_detail`. */
  detail?: string;
  tellsDetail?: boolean;
  /** True if the client used HTTP Basic, which the response then offers (RFC 6749 §5.2). */
  isBasic?: boolean;
  /** True for unknown credentials, which count as guesses. */
  isGuess?: boolean;
}

/**
 * Error of an OAuth endpoint: `error`, `error_description`, and the same as a challenge; never
 * cached (RFC 6749 §5.2, RFC 6750 §3).
 */
export class OAuthError extends ApiError {
  readonly isGuess: boolean;

  constructor(
    readonly code: OAuthErrorCode,
    options: OAuthErrorOptions = {},
  ) {
    const description = options.description ?? DESCRIPTIONS[code];
    const { detail, tellsDetail = false, isBasic = false } = options;
    super(
      options.status ?? STATUSES[code] ?? 400,
      {
        error: code,
        error_description: description,
        ...(tellsDetail && detail !== undefined && { error_detail: detail }),
      },
      { cause: detail, headers: headersOf(code, description, isBasic) },
    );
    this.isGuess = options.isGuess === true;
  }
}

/**
 * Guesses of secrets, codes and tokens count together with those at the API (RFC 6819 §4.3.5,
 * §4.6.3).
 */
export const OAUTH_GUESSES: GuessLimit = {
  limit: (settings) => throttle(settings, 'unauthenticated_api', 'throttle_failed_authentication'),
  isGuess: (error) => error instanceof OAuthError && error.isGuess,
  refusal: (tally) => new ThrottledError(tally),
};

/** 400 for scopes that the client cannot request; the description names them. */
export function invalidScope(description: string): OAuthError {
  return new OAuthError('invalid_scope', { description });
}

/** 400 for a parameter that has to be there. */
export function missingParameter(name: string): OAuthError {
  return new OAuthError('invalid_request', {
    description: `Missing required parameter: ${name}.`,
  });
}

function headersOf(
  code: OAuthErrorCode,
  description: string,
  isBasic: boolean,
): Record<string, string> {
  const bearer = challengeOf({ error: code, error_description: description });
  return {
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'WWW-Authenticate': isBasic ? `Basic realm="Protected by OAuth 2.0", ${bearer}` : bearer,
  };
}
