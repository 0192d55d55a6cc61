import type { AuthorizationError } from './authorization-errors.js';
import type { ReturnAddress } from './authorization-request.js';

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
