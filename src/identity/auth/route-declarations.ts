import { Injectable, RequestMethod, type OnModuleInit } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ABILITY_KEY, GLOBAL_ABILITIES, SCOPES_KEY } from '../../core/access/access.decorator.js';

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
