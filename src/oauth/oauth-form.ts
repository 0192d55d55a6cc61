import type { Request } from 'express';
import { hasDuplicateKeys } from '../core/http/form-params.js';
import { OAuthError } from './oauth-errors.js';

/** Longer values belong to no parameter of the protocol. */
const MAX_LENGTH = 2_048;

/** In an address they would stand in logs and histories (RFC 6749 §2.3.1, §3.2). */
const NEVER_IN_QUERY = [
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'grant_type',
  'password',
  'redirect_uri',
  'refresh_token',
  'scope',
  'token',
  'username',
];

/**
 * The parameters of a POST to an OAuth endpoint: a form, or a JSON object of texts. Throws
 * `invalid_request` for parameters that come twice, in the address, or as something else than text
 * (RFC 6749 §3.2).
 */
export class OAuthForm {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(request: Request) {
    const inQuery = NEVER_IN_QUERY.find((name) => Object.hasOwn(request.query, name));
    if (inQuery !== undefined) throw refusal(`${inQuery} belongs into the body of the request.`);
    const body: unknown = request.body ?? {};
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw refusal('The parameters are not a form.');
    }
    if (hasDuplicateKeys(body)) throw refusal('A parameter is included more than once.');
    this.values = body as Record<string, unknown>;
  }

  /** The parameter's text; null when it is missing or blank, which is the same (RFC 6749 §3.2). */
  text(name: string): string | null {
    const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    if (value === undefined || value === null || value === '') return null;
    if (typeof value !== 'string' || value.length > MAX_LENGTH) {
      throw refusal(`${name} is not valid.`);
    }
    return value;
  }
}

function refusal(description: string): OAuthError {
  return new OAuthError('invalid_request', { description });
}
