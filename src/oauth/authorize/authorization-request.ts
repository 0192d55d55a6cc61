import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { SessionContext } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { TextCipher } from '../../core/text-cipher.js';
import { demandsNewSession } from '../../identity/auth/sessions/session-cookies.js';
import type { Scope } from '../../core/access/scopes.js';
import type { ApplicationDetails } from '../oauth-applications.repository.js';

/** Parameters of an authorization request that we read (RFC 6749 §4.1.1, RFC 7636, OpenID). */
export const AUTHORIZATION_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'request',
  'request_uri',
] as const;
type ParamName = (typeof AUTHORIZATION_PARAMETERS)[number];

const MAX_STATE = 4_096;
const MAX_LENGTH = 2_048;

/**
 * The parameters of an authorization request. Blank ones count as absent (RFC 6749 §3.1). Read
 * from the query itself: everywhere else the last of equal names wins, here none may be repeated.
 */
export class AuthorizationParams {
  private readonly pairs: URLSearchParams;

  constructor(private readonly request: Pick<Request, 'originalUrl'>) {
    const at = request.originalUrl.indexOf('?');
    this.pairs = new URLSearchParams(at === -1 ? '' : request.originalUrl.slice(at + 1));
  }

  /** The parameter's value; undefined when it is absent, blank or repeated. */
  get(name: ParamName): string | undefined {
    const values = this.pairs.getAll(name);
    return values.length === 1 ? values[0] || undefined : undefined;
  }

  /** The words of a parameter that is a list. */
  words(name: ParamName): string[] {
    return (this.get(name) ?? '').split(' ').filter((word) => word !== '');
  }

  /** Returns true for a request that is back from a sign-in which was to replace the session. */
  demandsNewSession(sessionId: number): boolean {
    return demandsNewSession(this.request.originalUrl, sessionId);
  }

  isRepeated(name: ParamName): boolean {
    return this.pairs.getAll(name).length > 1;
  }

  /** Returns true if any parameter occurs twice. */
  hasRepeated(): boolean {
    return AUTHORIZATION_PARAMETERS.some((name) => this.isRepeated(name));
  }

  /** Returns true if any parameter exceeds the length limit. */
  hasTooLong(): boolean {
    return AUTHORIZATION_PARAMETERS.some((name) => {
      const bound = name === 'state' ? MAX_STATE : MAX_LENGTH;
      return (this.get(name)?.length ?? 0) > bound;
    });
  }
}

/**
 * Returns true if the user must sign in again before this request (OpenID Connect Core §3.1.2.1).
 */
export function mustSignInAgain(
  params: AuthorizationParams,
  { session: { id, signedInAt }, now }: { session: SessionContext; now: Date },
): boolean {
  if (!isOpenId(params)) return false;
  if (params.words('prompt').includes('login') || params.demandsNewSession(id)) return true;
  const maxAge = params.get('max_age');
  if (maxAge === undefined) return false;
  return now.getTime() - signedInAt.getTime() > Number(maxAge) * 1_000;
}

/** Returns true for `prompt=none`: the request must be answered without a page. */
export function isSilent(params: AuthorizationParams): boolean {
  return isOpenId(params) && params.words('prompt').includes('none');
}

/** Returns true if the request demands the consent screen. */
export function wantsConsent(params: AuthorizationParams): boolean {
  return isOpenId(params) && params.words('prompt').includes('consent');
}

/** `prompt` and `max_age` belong to OpenID Connect alone. */
function isOpenId(params: AuthorizationParams): boolean {
  return params.words('scope').includes('openid');
}

export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;
type ResponseMode = (typeof RESPONSE_MODES)[number];

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

const LIFETIME_MS = 600_000;

interface SignedRequest {
  request: AuthorizationRequest;
  sessionId: number;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Keeps the displayed request in the consent form itself, encrypted and bound to the session: exactly
 * that request can be approved; other fields of the form are ignored.
 */
@Injectable()
export class SignedAuthorizationRequests {
  private readonly cipher: TextCipher;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly clock: Clock,
  ) {
    this.cipher = new TextCipher(config.secretKey, 'oauth consent');
  }

  /** Returns the request as a form's field, valid for ten minutes of this session. */
  sign(request: AuthorizationRequest, sessionId: number): string {
    const until = this.clock.now().getTime() + LIFETIME_MS;
    const signed: SignedRequest = { request, sessionId, until };
    return this.cipher.encrypt(JSON.stringify(signed));
  }

  /** Returns the request that was signed for this session, or null if it has expired or is forged. */
  verify(text: unknown, sessionId: number): AuthorizationRequest | null {
    const json = typeof text === 'string' ? this.cipher.decrypt(text) : null;
    if (json === null) return null;
    const signed = JSON.parse(json) as SignedRequest;
    const isCurrent = signed.until > this.clock.now().getTime() && signed.sessionId === sessionId;
    return isCurrent ? signed.request : null;
  }
}
