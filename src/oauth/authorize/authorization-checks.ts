import {
  CHALLENGE_MALFORMED,
  CHALLENGE_METHOD,
  CHALLENGE_REQUIRED,
  invalidRedirectUri,
  invalidRequest,
  invalidScope,
  missing,
  REQUEST_NOT_SUPPORTED,
  REQUEST_URI_NOT_SUPPORTED,
  UNKNOWN_CLIENT,
  UNSUPPORTED_RESPONSE_MODE,
  UNSUPPORTED_RESPONSE_TYPE,
  type AuthorizationError,
} from './authorization-errors.js';
import { RESPONSE_MODES, type AskedAuthorization } from './authorization-request.js';
import { scopeRefusal } from '../scope-refusal.js';
import { isRegistered } from './redirect-uri.js';

/** Condition of an authorization request, and the error if it fails. */
interface Check {
  holds(asked: AskedAuthorization): boolean;
  error: AuthorizationError | ((asked: AskedAuthorization) => AuthorizationError);
}

/** Base64url and the other characters of RFC 7636 §4.2. */
const CHALLENGE = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Checks that must pass before `redirect_uri` can be trusted: failures are shown on an error page
 * and never redirected (RFC 6749 §4.1.2.1, RFC 9700 §4.11.2).
 */
export const PAGE_CHECKS: readonly Check[] = [
  {
    holds: ({ params }) => !params.isRepeated('client_id') && !params.isRepeated('redirect_uri'),
    error: invalidRequest('A parameter is given more than once.'),
  },
  { holds: ({ params }) => params.get('client_id') !== undefined, error: missing('client_id') },
  { holds: ({ application }) => application !== null, error: UNKNOWN_CLIENT },
  {
    holds: ({ params, application }) =>
      application !== null && isRegistered(params.get('redirect_uri') ?? '', application),
    error: ({ params, application }) =>
      invalidRedirectUri(application?.name ?? '', params.get('redirect_uri')),
  },
];

/** Checks whose failures are sent to the redirect URI; the first failure counts. */
export const REDIRECTED_CHECKS: readonly Check[] = [
  {
    holds: ({ params }) => !params.hasRepeated(),
    error: invalidRequest('A parameter is given more than once.'),
  },
  {
    holds: ({ params }) => !params.hasTooLong(),
    error: invalidRequest('A parameter is too long.'),
  },
  // OpenID Connect Core §6: providers that support neither must return these errors.
  { holds: ({ params }) => params.get('request') === undefined, error: REQUEST_NOT_SUPPORTED },
  {
    holds: ({ params }) => params.get('request_uri') === undefined,
    error: REQUEST_URI_NOT_SUPPORTED,
  },
  {
    holds: ({ params }) => params.get('response_type') !== undefined,
    error: missing('response_type'),
  },
  {
    holds: ({ params }) => params.get('response_type') === 'code',
    error: UNSUPPORTED_RESPONSE_TYPE,
  },
  {
    holds: ({ params }) =>
      (RESPONSE_MODES as readonly string[]).includes(params.get('response_mode') ?? 'query'),
    error: UNSUPPORTED_RESPONSE_MODE,
  },
  {
    holds: ({ scopes }) => scopes !== null,
    error: ({ params, application }) =>
      invalidScope(scopeRefusal(params.words('scope'), application?.scopes ?? [])),
  },
  {
    // Proves that a client without a secret is the one that started the flow (RFC 9700 §2.1.1).
    holds: ({ params, application }) =>
      params.get('code_challenge') !== undefined ||
      (application?.confidential === true && params.get('code_challenge_method') === undefined),
    error: CHALLENGE_REQUIRED,
  },
  {
    holds: ({ params }) =>
      params.get('code_challenge') === undefined || params.get('code_challenge_method') === 'S256',
    error: CHALLENGE_METHOD,
  },
  {
    holds: ({ params }) => CHALLENGE.test(params.get('code_challenge') ?? 'x'.repeat(43)),
    error: CHALLENGE_MALFORMED,
  },
  {
    holds: ({ params }) =>
      !params.words('prompt').includes('none') || params.words('prompt').length === 1,
    error: invalidRequest('The prompt none cannot be combined with others.'),
  },
  {
    holds: ({ params }) => /^\d{1,10}$/.test(params.get('max_age') ?? '0'),
    error: invalidRequest('The max_age must be a number of seconds.'),
  },
];

/** The error of the first check that does not hold, or null. */
export function firstFailure(
  checks: readonly Check[],
  asked: AskedAuthorization,
): AuthorizationError | null {
  const error = checks.find(({ holds }) => !holds(asked))?.error ?? null;
  return typeof error === 'function' ? error(asked) : error;
}
