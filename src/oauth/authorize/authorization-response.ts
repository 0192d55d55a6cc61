import type { ReturnAddress } from './authorization-request.js';

/** Authorization error according to RFC 6749 §4.1.2.1, for the application or the user. */
export interface AuthorizationError {
  error: string;
  description: string;
  /** Of the page, for refusals that must not be sent to the application. */
  status: number;
  /** True if the user cannot authorize it; otherwise it is an error of the application. */
  isPersonal?: true;
  /** The requested redirect URI and its application, for the error page only. */
  mismatch?: { applicationName: string; redirectUri: string };
}

function refusal(error: string, description: string, status = 400): AuthorizationError {
  return { error, description, status };
}

/** `Missing required parameter: <name>.` */
export function missing(name: string): AuthorizationError {
  return refusal('invalid_request', `Missing required parameter: ${name}.`);
}

/** `<text>` as invalid_request. */
export function invalidRequest(text: string): AuthorizationError {
  return refusal('invalid_request', text);
}

export const UNKNOWN_CLIENT = refusal(
  'invalid_client',
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  401,
);
/** Missing redirect URI, or one that is not registered. */
export function invalidRedirectUri(applicationName: string, redirectUri = ''): AuthorizationError {
  const text = "The requested redirect uri is malformed or doesn't match client redirect URI.";
  const mismatch = { applicationName, redirectUri };
  return { ...refusal('invalid_redirect_uri', text), mismatch };
}
export const UNSUPPORTED_RESPONSE_TYPE = refusal(
  'unsupported_response_type',
  'The authorization server does not support this response type.',
);
export const UNSUPPORTED_RESPONSE_MODE = refusal(
  'unsupported_response_mode',
  'The authorization server does not support this response mode.',
);
/** `invalid_scope` with a description from `oauth-scopes.ts`. */
export function invalidScope(description: string): AuthorizationError {
  return refusal('invalid_scope', description);
}

export const CHALLENGE_REQUIRED = refusal('invalid_request', 'Code challenge is required.');
export const CHALLENGE_MALFORMED = refusal('invalid_request', 'Code challenge is malformed.');
export const CHALLENGE_METHOD = refusal(
  'invalid_code_challenge_method',
  'The code_challenge_method must be S256.',
);
export const REQUEST_NOT_SUPPORTED = refusal(
  'request_not_supported',
  'The authorization server does not support the request parameter.',
);
export const REQUEST_URI_NOT_SUPPORTED = refusal(
  'request_uri_not_supported',
  'The authorization server does not support the request_uri parameter.',
);
export const ACCESS_DENIED = refusal(
  'access_denied',
  'The resource owner or authorization server denied the request.',
);
export const LOGIN_REQUIRED = refusal(
  'login_required',
  'The authorization server requires end-user authentication.',
);
export const CONSENT_REQUIRED = refusal(
  'consent_required',
  'The authorization server requires end-user consent.',
);

function personal(error: string, description: string, status: number): AuthorizationError {
  return { error, description, status, isPersonal: true };
}

/** Errors of the user, not of the application: shown only to the user. */
export const UNCONFIRMED_EMAIL = personal(
  'unconfirmed_email',
  'Confirm your email address before you authorize applications.',
  403,
);
export const POWERFUL_SCOPES = personal(
  'forbidden',
  "Administrators can't authorize this application: it is not trusted and can request scopes with full access.",
  403,
);
export const CONSENT_EXPIRED = personal(
  'invalid_request',
  'This authorization request has expired. Return to the application and try again.',
  400,
);

/** Response parameters for the application, in their order. */
export type ResponseParams = Record<string, string>;

/** A code for the application, with its state and our name (RFC 9207 §2). */
export function approval(code: string, { state }: ReturnAddress, issuer: string): ResponseParams {
  return { code, ...(state !== null && { state }), iss: issuer };
}

/** A refusal for the application. */
export function denial(
  { error, description }: AuthorizationError,
  { state }: ReturnAddress,
  issuer: string,
): ResponseParams {
  return {
    error,
    error_description: description,
    ...(state !== null && { state }),
    iss: issuer,
  };
}

/** The redirect URI as it was registered, and the parameters behind it. */
export function locationOf(
  { redirectUri, responseMode }: ReturnAddress,
  params: ResponseParams,
): string {
  const text = new URLSearchParams(params).toString();
  if (responseMode === 'fragment') return `${redirectUri}#${text}`;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${text}`;
}
