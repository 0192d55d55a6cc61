import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../../core/access/auth-context.js';
import { UnauthorizedError } from '../../core/errors.js';

/** 401 for who is not signed in, before any group or project is looked for. */
@Injectable()
export class SignedInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { viewer } = authContext(context.switchToHttp().getRequest<Request>());
    if (viewer === null) throw new UnauthorizedError();
    return true;
  }
}
