import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { SessionContext, Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import {
  type ApplicationDetails,
  OAuthApplicationsRepository,
} from '../oauth-applications.repository.js';
import {
  type AuthorizationParams,
  isSilent,
  mustSignInAgain,
  wantsConsent,
  authorizationRequestOf,
  returnAddressOf,
  type AskedAuthorization,
  type AuthorizationRequest,
  type ReturnAddress,
  RESPONSE_MODES,
} from './authorization-request.js';
import {
  approval,
  denial,
  type ResponseParams,
  CONSENT_REQUIRED,
  invalidScope,
  LOGIN_REQUIRED,
  type AuthorizationError,
  CHALLENGE_MALFORMED,
  CHALLENGE_METHOD,
  CHALLENGE_REQUIRED,
  invalidRedirectUri,
  invalidRequest,
  missing,
  REQUEST_NOT_SUPPORTED,
  REQUEST_URI_NOT_SUPPORTED,
  UNKNOWN_CLIENT,
  UNSUPPORTED_RESPONSE_MODE,
  UNSUPPORTED_RESPONSE_TYPE,
} from './authorization-response.js';
import {
  adminScopeRefusal,
  scopeRefusal,
  grantableScopes,
  requestedScopes,
} from '../oauth-scopes.js';
import { Consent } from './consent.service.js';
import { isRegistered } from '../applications/application-rules.js';

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
const PAGE_CHECKS: readonly Check[] = [
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
const REDIRECTED_CHECKS: readonly Check[] = [
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
function firstFailure(
  checks: readonly Check[],
  asked: AskedAuthorization,
): AuthorizationError | null {
  const error = checks.find(({ holds }) => !holds(asked))?.error ?? null;
  return typeof error === 'function' ? error(asked) : error;
}

/** The end of an authorization request. */
export type Ending =
  /** Told on a page of ours. */
  | { kind: 'refused'; error: AuthorizationError }
  /** Told to the application. */
  | { kind: 'answered'; address: ReturnAddress; params: ResponseParams };

/** Outcome of an authorization request. */
export type Outcome =
  | Ending
  | { kind: 'sign_in' }
  /** The consent screen is shown. */
  | { kind: 'asked'; request: AuthorizationRequest; application: ApplicationDetails };

/** The person whose browser sends the request. */
export interface Person {
  viewer: Viewer;
  session: SessionContext;
}

/** The authorization endpoint without HTTP (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2). */
@Injectable()
export class AuthorizationFlow {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly consent: Consent,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Decides about a request; `person` null = not signed in. Applications get a response only after
   * a sign-in, so that a link to us does not redirect straight to a third party (RFC 9700 §4.11.2);
   * requests with `prompt=none` are the exception.
   */
  async decide(params: AuthorizationParams, person: Person | null): Promise<Outcome> {
    const asked = await this.read(params);
    const unsafe = firstFailure(PAGE_CHECKS, asked);
    if (unsafe !== null) return { kind: 'refused', error: unsafe };
    if (person === null && !isSilent(params)) return { kind: 'sign_in' };
    const wrong = firstFailure(REDIRECTED_CHECKS, asked);
    if (wrong !== null) return this.refuse(params, wrong);
    if (person === null || this.isTooOld(params, person)) {
      return isSilent(params) ? this.refuse(params, LOGIN_REQUIRED) : { kind: 'sign_in' };
    }
    return this.decideFor(person, asked as AskedAuthorization & Sound);
  }

  /** The refusal that denies the request, once it is known whose address it gives. */
  async deny(params: AuthorizationParams, error: AuthorizationError): Promise<Ending> {
    const unsafe = firstFailure(PAGE_CHECKS, await this.read(params));
    return unsafe === null ? this.refuse(params, error) : { kind: 'refused', error: unsafe };
  }

  private async decideFor(
    { viewer, session }: Person,
    { params, application, scopes: asked }: AskedAuthorization & Sound,
  ): Promise<Outcome> {
    const scopes = grantableScopes(asked, viewer);
    if (scopes.length === 0) {
      return this.refuse(params, invalidScope(adminScopeRefusal(asked)));
    }
    const refusal = this.consent.refusal(viewer, application);
    if (refusal !== null) {
      return isSilent(params)
        ? this.refuse(params, CONSENT_REQUIRED)
        : { kind: 'refused', error: refusal };
    }
    const request = authorizationRequestOf({ params, application }, scopes);
    const isAsked =
      wantsConsent(params) || !(await this.consent.isGiven(application, viewer.id, scopes));
    if (isAsked && isSilent(params)) return this.refuse(params, CONSENT_REQUIRED);
    if (isAsked) return { kind: 'asked', request, application };
    const { signedInAt: authTime } = session;
    const code = await this.consent.issue({ request, userId: viewer.id, authTime });
    const answer = approval(code, request, this.config.baseUrl);
    return { kind: 'answered', address: request, params: answer };
  }

  private async read(params: AuthorizationParams): Promise<AskedAuthorization> {
    const uid = params.get('client_id');
    const application = uid === undefined ? null : await this.applications.findByUid(uid);
    const scopes = requestedScopes(params.get('scope'), application?.scopes ?? []);
    return { params, application, scopes };
  }

  private isTooOld(params: AuthorizationParams, { session }: Person): boolean {
    return mustSignInAgain(params, { session, now: this.clock.now() });
  }

  private refuse(params: AuthorizationParams, error: AuthorizationError): Ending {
    const address = returnAddressOf(params);
    return { kind: 'answered', address, params: denial(error, address, this.config.baseUrl) };
  }
}

/** Parameters of a request that passed every check. */
interface Sound {
  application: ApplicationDetails;
  scopes: NonNullable<AskedAuthorization['scopes']>;
}
