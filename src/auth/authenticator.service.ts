import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { ANONYMOUS, type AuthContext } from '../core/access/auth-context.js';
import { acceptedScopes, type Scope } from '../core/access/scopes.js';
import type { Credential, Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { InsufficientScopeError, UnauthorizedError } from '../core/errors.js';
import { TokenLookup } from '../tokens/token-lookup.service.js';
import { TokenUsage } from '../tokens/token-usage.service.js';
import { presentedTokens, sudoTarget, type PresentedTokens } from './credentials.js';
import { SudoService } from './sudo.service.js';
import { assertImpersonationAllowed, assertTokenAlive } from './token-state.js';
import { assertUserMayAct } from './user-state.js';

type SignedIn = Omit<AuthContext, 'ip'> & { viewer: Viewer };

/**
 * Finds out who a request acts as:
 * 1. the token's user (an unknown token is 401 even on public endpoints);
 * 2. refuses expired and revoked tokens, then users who may not act;
 * 3. resolves sudo; without sudo checks the token's scopes;
 * 4. refuses impersonation tokens where impersonation is turned off.
 */
@Injectable()
export class Authenticator {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly usage: TokenUsage,
    private readonly sudo: SudoService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** `scopes` are the endpoint's own. Throws 400, 401, 403 or (unknown sudo target) 404. */
  async authenticate(request: Request, scopes: readonly Scope[]): Promise<AuthContext> {
    const presented = presentedTokens(request);
    const target = sudoTarget(request);
    if (presented.bearer === null && presented.personal === null) {
      if (target !== null) throw new UnauthorizedError();
      return { ...ANONYMOUS, ip: addressOf(request) };
    }
    const credential = await this.find(presented);
    if (credential === null) throw new UnauthorizedError();
    assertTokenAlive(credential, this.clock.now());
    assertUserMayAct(credential.user, this.config.baseUrl);
    const auth = { ...(await this.actAs(credential, target)), ip: addressOf(request) };
    if (auth.viewer.id === credential.user.id) assertScopes(credential, request, scopes);
    assertImpersonationAllowed(credential, this.config.impersonation);
    this.usage.note(credential);
    return auth;
  }

  /**
   * With both ways at once the bearer value counts when it is an OAuth token, else the personal
   * one. Job tokens open only what asks for them.
   */
  private async find({ bearer, personal }: PresentedTokens): Promise<Credential | null> {
    const credential = bearer === null ? null : await this.tokens.findAny(bearer);
    if (personal === null || credential?.kind === 'oauth') return unlessKind(credential, ['job']);
    return unlessKind(await this.tokens.findAny(personal), ['job', 'oauth']);
  }

  /** Under sudo the scope `sudo` alone suffices, except for acting as oneself. */
  private async actAs(credential: Credential, target: string | null): Promise<SignedIn> {
    if (target === null) return { viewer: credential.user, credential, impersonator: null };
    const viewer = await this.sudo.resolve(credential, target);
    if (viewer.id !== credential.user.id) assertUserMayAct(viewer, this.config.baseUrl);
    return { viewer, credential, impersonator: credential.user };
  }
}

/** null when the client is gone already. */
function addressOf(request: Request): string | null {
  return request.ip ?? null;
}

function unlessKind(credential: Credential | null, kinds: readonly string[]): Credential | null {
  return credential === null || kinds.includes(credential.kind) ? null : credential;
}

function assertScopes(credential: Credential, request: Request, own: readonly Scope[]): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const accepted = acceptedScopes(own, isRead);
  if (accepted.some((scope) => credential.scopes.includes(scope))) return;
  // Refusals name read_api even for writing, as clients know the list (RFC 6750 §3.1).
  throw new InsufficientScopeError(acceptedScopes(own, true));
}
