import {
  Injectable,
  RequestMethod,
  type CanActivate,
  type ExecutionContext,
  type OnModuleInit,
} from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import {
  ABILITY_KEY,
  GLOBAL_ABILITIES,
  JOB_TOKEN_KEY,
  PAGE_KEY,
  SCOPES_KEY,
} from '../../core/access/access.decorator.js';
import { setAuthContext, type AuthContext } from '../../core/access/auth-context.js';
import type { Scope } from '../../core/access/scopes.js';
import { ForbiddenError, UnauthorizedError } from '../../core/errors.js';
import { RATE_LIMIT_KEY, type NamedLimit } from '../../core/rate-limits/named-limits.js';
import { ApiLimits, type Exchange } from './api-limits.service.js';
import { Authenticator, type EndpointAccess } from './authenticator.service.js';
import { PageGuard } from './page.guard.js';

/**
 * The global guard. Authenticates each request of the API, counts it under the limits of its sender,
 * and decides the abilities that need no container. Pages have their own rules (PageGuard); other
 * routes outside the API are open or bring their own guards.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly limits: ApiLimits,
    private readonly pages: PageGuard,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const targets = [context.getHandler(), context.getClass()];
    const scopes = this.reflector.getAllAndOverride<Scope[] | null>(SCOPES_KEY, targets);
    if (scopes !== null) return this.decide(scopes, context);
    const isPage =
      this.reflector.getAllAndOverride<boolean | undefined>(PAGE_KEY, targets) === true;
    return isPage ? this.pages.canActivate(context) : true;
  }

  private async decide(scopes: Scope[], context: ExecutionContext): Promise<true> {
    const targets = [context.getHandler(), context.getClass()];
    const ability = this.reflector.getAllAndOverride<string>(ABILITY_KEY, targets);
    const request = context.switchToHttp().getRequest<Request>();
    const allowsJobToken =
      this.reflector.getAllAndOverride<boolean | undefined>(JOB_TOKEN_KEY, targets) === true;
    const exchange = { request, response: context.switchToHttp().getResponse<Response>() };
    const auth = await this.authenticate({ scopes, allowsJobToken }, exchange);
    setAuthContext(request, auth);
    if (this.limits.enabled) {
      const named = this.reflector.getAllAndOverride<NamedLimit>(RATE_LIMIT_KEY, targets);
      await this.limits.countRequest(auth, named, exchange);
    }
    assertGlobalAbility(ability, auth);
    return true;
  }

  private async authenticate(endpoint: EndpointAccess, exchange: Exchange): Promise<AuthContext> {
    const { request } = exchange;
    if (!this.limits.enabled) return this.authenticator.authenticate(request, endpoint);
    this.limits.refuseGuessing(request);
    try {
      return await this.authenticator.authenticate(request, endpoint);
    } catch (error) {
      await this.limits.countRefusal(error, exchange);
      throw error;
    }
  }
}

function assertGlobalAbility(ability: string, auth: AuthContext): void {
  if (ability === 'signed_in' && auth.viewer === null) throw new UnauthorizedError();
  if (ability !== 'administrate') return;
  if (auth.viewer === null) throw new UnauthorizedError();
  if (!auth.viewer.admin) throw new ForbiddenError();
}

type Handler = (...args: unknown[]) => unknown;

/**
 * Deny by default: refuses to start when a route does not declare its scopes and its ability, or
 * declares an ability in a container without a guard that would decide it.
 */
@Injectable()
export class RouteDeclarations implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const problems = this.discovery.getControllers().flatMap((wrapper) => {
      const type = wrapper.metatype as (new () => object) | null;
      return type === null ? [] : this.problemsOf(type);
    });
    if (problems.length > 0) throw new Error(`Undeclared routes:\n  ${problems.join('\n  ')}`);
  }

  private problemsOf(type: new () => object): string[] {
    const prototype = type.prototype as Record<string, Handler>;
    return this.scanner
      .getAllMethodNames(prototype)
      .map((name) => ({ name, handler: prototype[name] as Handler }))
      .filter(({ handler }) => Reflect.hasMetadata(PATH_METADATA, handler))
      .flatMap(({ name, handler }) => {
        const problem = this.problemOf(type, handler);
        const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
        return problem === null ? [] : [`${verb} ${type.name}.${name}: ${problem}`];
      });
  }

  private problemOf(type: new () => object, handler: Handler): string | null {
    const scopes = this.reflector.getAllAndOverride<unknown>(SCOPES_KEY, [handler, type]);
    const ability = this.reflector.getAllAndOverride<string | undefined>(ABILITY_KEY, [
      handler,
      type,
    ]);
    if (scopes === undefined) return 'no @Scopes';
    if (ability === undefined) return 'no @Ability';
    if ((GLOBAL_ABILITIES as readonly string[]).includes(ability)) return null;
    const guarded =
      Reflect.hasMetadata(GUARDS_METADATA, handler) || Reflect.hasMetadata(GUARDS_METADATA, type);
    return guarded ? null : `ability ${ability} has no guard`;
  }
}
