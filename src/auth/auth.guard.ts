import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ABILITY_KEY, SCOPES_KEY } from '../core/access/access.decorator.js';
import { setAuthContext, type AuthContext } from '../core/access/auth-context.js';
import type { Scope } from '../core/access/scopes.js';
import { ForbiddenError, UnauthorizedError } from '../core/errors.js';
import { Authenticator } from './authenticator.service.js';

/** Authenticates each request and decides the abilities that need no container. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const scopes = this.reflector.getAllAndOverride<Scope[] | null>(SCOPES_KEY, targets);
    if (scopes === null) return true;
    const ability = this.reflector.getAllAndOverride<string>(ABILITY_KEY, targets);
    const request = context.switchToHttp().getRequest<Request>();
    const auth = await this.authenticator.authenticate(request, scopes);
    setAuthContext(request, auth);
    assertGlobalAbility(ability, auth);
    return true;
  }
}

function assertGlobalAbility(ability: string, auth: AuthContext): void {
  if (ability === 'signed_in' && auth.viewer === null) throw new UnauthorizedError();
  if (ability !== 'administrate') return;
  if (auth.viewer === null) throw new UnauthorizedError();
  if (!auth.viewer.admin) throw new ForbiddenError();
}
