import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ANONYMOUS, type AuthContext } from '../../core/access/auth-context.js';
import { acceptedScopes, type Scope } from '../../core/access/scopes.js';
import type { Credential, Viewer } from '../../core/access/viewer.js';
import { ForbiddenError, InsufficientScopeError, UnauthorizedError } from '../../core/errors.js';
import { requestAddress } from '../../core/http/request-address.js';
import { TokenUsage } from '../tokens/token-usage.service.js';
import { CredentialSearch } from './credential-search.service.js';
import { sudoTarget } from './credentials.js';
import { BrowserSessions } from './sessions/browser-sessions.service.js';
import { SudoService } from './sudo.service.js';
import { TokenState } from './token-state.service.js';

/** Credentials that the endpoint accepts; `scopes` are those of its own declaration. */
export interface EndpointAccess {
  scopes: readonly Scope[];
  allowsJobToken: boolean;
}

const SUDO_BY_COOKIE = 'Must be authenticated using an OAuth or personal access token to use sudo';

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
    private readonly search: CredentialSearch,
    private readonly usage: TokenUsage,
    private readonly sudo: SudoService,
    private readonly state: TokenState,
    private readonly browsers: BrowserSessions,
  ) {}

  /** Throws 400, 401, 403 or (unknown sudo target) 404. */
  async authenticate(request: Request, endpoint: EndpointAccess): Promise<AuthContext> {
    const target = sudoTarget(request);
    const credential = await this.search.find(request, endpoint);
    if (credential === null) return this.withoutToken(request, target);
    await this.state.assertAlive(credential, request);
    this.state.assertMayAct(credential.user);
    const auth = { ...(await this.actAs(credential, target)), ip: requestAddress(request) };
    // Endpoints accept job tokens by declaration, independent of scopes.
    const isActingAsSelf = auth.viewer.id === credential.user.id && credential.kind !== 'job';
    if (isActingAsSelf) assertScopes(credential, request, endpoint.scopes);
    this.state.assertAccepted(credential);
    this.usage.note(credential, auth.ip);
    return auth;
  }

  /** By cookie or anonymous; sudo is for tokens only (API doc, Sudo). */
  private async withoutToken(request: Request, target: string | null): Promise<AuthContext> {
    const ip = requestAddress(request);
    const session = await this.browsers.ofApiRequest(request);
    if (session === null) {
      if (target !== null) throw new UnauthorizedError();
      return { ...ANONYMOUS, ip };
    }
    const { user: viewer } = session;
    this.state.assertMayAct(viewer);
    if (target !== null) {
      throw new ForbiddenError(viewer.admin ? SUDO_BY_COOKIE : 'Must be admin to use sudo');
    }
    return { ...ANONYMOUS, viewer, session, ip };
  }

  /** Under sudo the scope `sudo` alone suffices, except for acting as oneself. */
  private async actAs(credential: Credential, target: string | null): Promise<SignedIn> {
    if (target === null) return { ...ANONYMOUS, viewer: credential.user, credential };
    const viewer = await this.sudo.resolve(credential, target);
    if (viewer.id !== credential.user.id) this.state.assertMayAct(viewer);
    return { ...ANONYMOUS, viewer, credential, impersonator: credential.user };
  }
}

function assertScopes(credential: Credential, request: Request, own: readonly Scope[]): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const accepted = acceptedScopes(own, isRead);
  if (accepted.some((scope) => credential.scopes.includes(scope))) return;
  // Errors name read_api even for writes, as clients know the list (RFC 6750 §3.1).
  throw new InsufficientScopeError(acceptedScopes(own, true));
}
