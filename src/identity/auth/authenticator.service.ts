import { Injectable, Inject } from '@nestjs/common';
import type { Request } from 'express';
import {
  ANONYMOUS,
  type AuthContext,
  type Credential,
  type Viewer,
} from '../../core/access/auth-context.js';
import { acceptedScopes, type Scope } from '../../core/access/scopes.js';
import {
  ForbiddenError,
  InsufficientScopeError,
  UnauthorizedError,
  InvalidTokenError,
  ApiError,
} from '../../core/errors.js';
import { requestAddress } from '../../core/http/request-address.js';
import { TokenUsage } from '../tokens/token-usage.service.js';
import {
  presentedJobToken,
  presentedTokens,
  sudoTarget,
  type PresentedTokens,
} from './credentials.js';
import { TokenLookup } from '../tokens/token-lookup.service.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../../core/clock.js';
import { TokenRevocationService } from '../tokens/token-revocation.service.js';
import { JobTokenLookup } from './job-token-lookup.service.js';
import { BrowserSessions } from './sessions/sessions.service.js';
import { assertUserMayAct } from './user-state.js';
import { AccountsRepository } from './accounts.repository.js';

/** Credentials that the endpoint accepts; `scopes` are those of its own declaration. */
export interface EndpointAccess {
  scopes: readonly Scope[];
  allowsJobToken: boolean;
}

const SUDO_BY_COOKIE = 'Must be authenticated using an OAuth or personal access token to use sudo';

const EXPIRED = 'Token is expired. You can either do re-authorization or token refresh.';
const IMPERSONATION_OFF = 'Token is an impersonation token but impersonation was disabled.';
const REVOKED = 'Token was revoked. You have to re-authorize from the user.';

/** Paths of the endpoints that replace a token of any kind by a new one. */
const ROTATION_PATH = /access_tokens\/(?:\d+|self)\/rotate\/?$/;

type SignedIn = Omit<AuthContext, 'ip'> & { viewer: Viewer };

/**
 * Authenticates a request:
 * 1. finds the token's user (an unknown token is 401 even on public endpoints);
 * 2. refuses expired and revoked tokens, then inactive users;
 * 3. resolves sudo; without sudo checks the token's scopes;
 * 4. refuses impersonation tokens where impersonation is disabled;
 * without a token the session cookie counts, under the rules of BrowserSessions.
 */
@Injectable()
export class Authenticator {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly jobTokens: JobTokenLookup,
    private readonly browsers: BrowserSessions,
    private readonly accounts: AccountsRepository,
    private readonly usage: TokenUsage,
    private readonly revocation: TokenRevocationService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws 400, 401, 403 or (unknown sudo target) 404. */
  async authenticate(request: Request, endpoint: EndpointAccess): Promise<AuthContext> {
    const target = sudoTarget(request);
    const credential = await this.findCredential(request, endpoint);
    if (credential === null) return this.withoutToken(request, target);
    await this.assertActive(credential, request);
    assertUserMayAct(credential.user, this.config.baseUrl);
    const auth = { ...(await this.actAs(credential, target)), ip: requestAddress(request) };
    // Endpoints accept job tokens by declaration, independent of scopes.
    const isActingAsSelf = auth.viewer.id === credential.user.id && credential.kind !== 'job';
    if (isActingAsSelf) assertScopes(credential, request, endpoint.scopes);
    if (!this.tokens.accepts(credential)) throw new InvalidTokenError(IMPERSONATION_OFF);
    this.usage.note(credential, auth.ip);
    return auth;
  }

  /**
   * Returns the credential that the request presents, or null without one. Throws 401 for an unknown
   * one, also on public endpoints. Job tokens count only where the endpoint allows them, and there
   * before all others.
   */
  private async findCredential(
    request: Request,
    { allowsJobToken }: EndpointAccess,
  ): Promise<Credential | null> {
    const jobToken = allowsJobToken ? presentedJobToken(request) : null;
    if (jobToken !== null) return known(await this.jobTokens.find(jobToken));
    const presented = presentedTokens(request);
    if (presented.bearer === null && presented.personal === null) return null;
    return known(await this.findAmong(presented));
  }

  /**
   * If both are present, the bearer value counts when it is an OAuth token, else the personal one.
   * Job tokens work only on endpoints that accept them.
   */
  private async findAmong({ bearer, personal }: PresentedTokens): Promise<Credential | null> {
    const credential = bearer === null ? null : await this.tokens.findAny(bearer);
    if (personal === null || credential?.kind === 'oauth') return unlessKind(credential, ['job']);
    return unlessKind(await this.tokens.findAny(personal), ['job', 'oauth']);
  }

  /**
   * Throws 401 `invalid_token` for an expired, then for a revoked token. The rotation of a revoked
   * token shows that two parties have it, so its whole family is revoked first.
   */
  private async assertActive(credential: Credential, request: Request): Promise<void> {
    const { tokenId, expiresAt, revokedAt } = credential;
    if (revokedAt !== null && ROTATION_PATH.test(request.path)) {
      await this.revocation.revokeFamily(tokenId, requestAddress(request));
    }
    if (expiresAt !== null && expiresAt <= this.clock.now()) throw new InvalidTokenError(EXPIRED);
    if (revokedAt !== null) throw new InvalidTokenError(REVOKED);
  }

  /** Authenticates by cookie or as anonymous; sudo requires a token (API doc, Sudo). */
  private async withoutToken(request: Request, target: string | null): Promise<AuthContext> {
    const ip = requestAddress(request);
    const session = await this.browsers.ofApiRequest(request);
    if (session === null) {
      if (target !== null) throw new UnauthorizedError();
      return { ...ANONYMOUS, ip };
    }
    const { user: viewer } = session;
    assertUserMayAct(viewer, this.config.baseUrl);
    if (target !== null) {
      throw new ForbiddenError(viewer.admin ? SUDO_BY_COOKIE : 'Must be admin to use sudo');
    }
    return { ...ANONYMOUS, viewer, session, ip };
  }

  /** Under sudo the scope `sudo` alone suffices, except for acting as oneself. */
  private async actAs(credential: Credential, target: string | null): Promise<SignedIn> {
    if (target === null) return { ...ANONYMOUS, viewer: credential.user, credential };
    const viewer = await this.findSudoTarget(credential, target);
    if (viewer.id !== credential.user.id) assertUserMayAct(viewer, this.config.baseUrl);
    return { ...ANONYMOUS, viewer, credential, impersonator: credential.user };
  }

  /**
   * Returns the user named by `target`: only digits are always an ID, anything else is a username in
   * any case. Throws 403 for a caller who is not an administrator or whose token lacks the scope
   * `sudo`, 404 for an unknown target.
   */
  private async findSudoTarget(credential: Credential, target: string): Promise<Viewer> {
    if (!credential.user.admin) throw new ForbiddenError('Must be admin to use sudo');
    if (!credential.scopes.includes('sudo')) throw new InsufficientScopeError(['sudo']);
    const id = /^\d+$/.test(target) ? Number(target) : null;
    const user =
      id === null
        ? await this.accounts.findViewerByUsername(target)
        : await this.accounts.findViewerById(id);
    if (user !== null) return user;
    throw new ApiError(404, { message: `404 User with ID or username '${target}' Not Found` });
  }
}

function assertScopes(credential: Credential, request: Request, own: readonly Scope[]): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const accepted = acceptedScopes(own, isRead);
  if (accepted.some((scope) => credential.scopes.includes(scope))) return;
  // Errors name read_api even for writes, as clients know the list (RFC 6750 §3.1).
  throw new InsufficientScopeError(acceptedScopes(own, true));
}

function known(credential: Credential | null): Credential {
  if (credential === null) throw new UnauthorizedError();
  return credential;
}

function unlessKind(credential: Credential | null, kinds: readonly string[]): Credential | null {
  return credential === null || kinds.includes(credential.kind) ? null : credential;
}
