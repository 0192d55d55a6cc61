import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { Clock } from '../core/clock.js';
import { ForbiddenError, InsufficientScopeError, UnauthorizedError } from '../core/errors.js';
import type { Credential } from '../core/access/viewer.js';
import { acceptedScopes, type Scope } from '../core/access/scopes.js';
import { TokenLookup } from '../tokens/token-lookup.service.js';
import { ABILITY_KEY, SCOPES_KEY } from '../core/access/access.decorator.js';
import { ANONYMOUS, setAuthContext, type AuthContext } from '../core/access/auth-context.js';
import { rawToken, sudoTarget } from './credentials.js';
import { SudoService } from './sudo.service.js';
import { assertTokenAlive } from './token-state.js';
import { assertUserMayAct } from './user-state.js';

/**
 * Decides who a request acts as, for every route:
 * 1. finds the token (an unknown one is 401 even on public endpoints);
 * 2. refuses expired and revoked tokens, then users who may not act;
 * 3. resolves sudo; without sudo checks the token's scopes;
 * 4. decides the abilities that need no container.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokenLookup,
    private readonly sudo: SudoService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const scopes = this.reflector.getAllAndOverride<Scope[] | null>(SCOPES_KEY, targets);
    if (scopes === null) return true;
    const ability = this.reflector.getAllAndOverride<string>(ABILITY_KEY, targets);
    const request = context.switchToHttp().getRequest<Request>();
    const auth = await this.authenticate(request, scopes);
    setAuthContext(request, auth);
    assertGlobalAbility(ability, auth);
    return true;
  }

  private async authenticate(request: Request, scopes: readonly Scope[]): Promise<AuthContext> {
    const raw = rawToken(request);
    const target = sudoTarget(request);
    if (raw === null) {
      if (target !== null) throw new UnauthorizedError();
      return ANONYMOUS;
    }
    const credential = await this.tokens.find(raw);
    if (credential === null) throw new UnauthorizedError();
    assertTokenAlive(credential, this.clock.now());
    assertUserMayAct(credential.user, this.config.baseUrl);
    if (target !== null) return this.actAs(credential, target, request, scopes);
    assertScopes(credential, request, scopes);
    return { viewer: credential.user, credential, impersonator: null };
  }

  /** Under sudo the scope `sudo` alone suffices, except for acting as oneself. */
  private async actAs(
    credential: Credential,
    target: string,
    ...[request, scopes]: [Request, readonly Scope[]]
  ): Promise<AuthContext> {
    const viewer = await this.sudo.resolve(credential, target);
    if (viewer.id === credential.user.id) assertScopes(credential, request, scopes);
    assertUserMayAct(viewer, this.config.baseUrl);
    return { viewer, credential, impersonator: credential.user };
  }
}

function assertScopes(credential: Credential, request: Request, own: readonly Scope[]): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const accepted = acceptedScopes(own, isRead);
  if (accepted.some((scope) => credential.scopes.includes(scope))) return;
  // Refusals name read_api even for writing, as clients know the list (RFC 6750 §3.1).
  throw new InsufficientScopeError(acceptedScopes(own, true));
}

function assertGlobalAbility(ability: string, auth: AuthContext): void {
  if (ability === 'signed_in' && auth.viewer === null) throw new UnauthorizedError();
  if (ability !== 'administrate') return;
  if (auth.viewer === null) throw new UnauthorizedError();
  if (!auth.viewer.admin) throw new ForbiddenError();
}
