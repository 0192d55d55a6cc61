import type { Scope } from '../../core/access/scopes.js';
import type { ApplicationDetails } from '../applications/application-details.js';
import type { AuthorizationParams } from './authorization-params.js';

export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** A request as far as it could be read. */
export interface AskedAuthorization {
  params: AuthorizationParams;
  /** null = no application with this client_id. */
  application: ApplicationDetails | null;
  /** null = not permitted to the application. */
  scopes: Scope[] | null;
}

/** Where the answer goes, and how. */
export interface ReturnAddress {
  redirectUri: string;
  responseMode: ResponseMode;
  state: string | null;
}

/** Request that passed every check: exactly the content of the consent screen. */
export interface AuthorizationRequest extends ReturnAddress {
  applicationId: number;
  scopes: Scope[];
  codeChallenge: string | null;
  nonce: string | null;
}

/** Where to answer a request of which application and redirect URI were found good. */
export function returnAddressOf(params: AuthorizationParams): ReturnAddress {
  const mode = params.get('response_mode') as ResponseMode | undefined;
  return {
    redirectUri: params.get('redirect_uri') ?? '',
    responseMode: mode !== undefined && RESPONSE_MODES.includes(mode) ? mode : 'query',
    state: params.get('state') ?? null,
  };
}

/** Returns the content of the consent screen for a request that passed every check. */
export function authorizationRequestOf(
  { params, application }: { params: AuthorizationParams; application: ApplicationDetails },
  scopes: Scope[],
): AuthorizationRequest {
  return {
    ...returnAddressOf(params),
    applicationId: application.id,
    scopes,
    codeChallenge: params.get('code_challenge') ?? null,
    nonce: params.get('nonce') ?? null,
  };
}
