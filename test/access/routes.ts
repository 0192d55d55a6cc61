import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import {
  ABILITY_KEY,
  GLOBAL_ABILITIES,
  SCOPES_KEY,
} from '../../src/core/access/access.decorator.js';
import type { HttpAdapter } from '../../src/core/http/http-adapter.js';
import type { TestApp } from '../support/app.js';

const PREFIX = '/api/v4';

/** `METHOD /path` of every route that the router serves below /api/v4, sorted. */
export function routesOf({ app }: Pick<TestApp, 'app'>): string[] {
  const { routes } = app.getHttpAdapter() as HttpAdapter;
  return routes
    .list()
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => route.includes(` ${PREFIX}/`))
    .map((route) => route.replace(PREFIX, ''))
    .sort();
}

/** `ability: METHOD path` of every route that credentials of its own open, in its own guards. */
export function guardedRoutesOf({ app }: Pick<TestApp, 'app'>): string[] {
  const controllers = app.get(DiscoveryService, { strict: false }).getControllers();
  const scanner = new MetadataScanner();
  return controllers.flatMap(({ metatype }) => {
    const type = metatype as (new () => object) | null;
    const prototype = (type?.prototype ?? {}) as Record<string, object>;
    const [base] = [Reflect.getMetadata(PATH_METADATA, type ?? {}) as string | string[]].flat();
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name] ?? {};
      const ability = Reflect.getMetadata(ABILITY_KEY, handler) as string | undefined;
      const isOpen = (GLOBAL_ABILITIES as readonly unknown[]).includes(ability);
      if (Reflect.getMetadata(SCOPES_KEY, handler) !== null || ability === undefined || isOpen) {
        return [];
      }
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
      const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
      return paths.map((path) =>
        `${ability}: ${method} ${base?.slice(1)}/${path}`.replace('//', '/'),
      );
    });
  });
}
