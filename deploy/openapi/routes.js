import 'reflect-metadata';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RequestMethod } from '@nestjs/common';
import {
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { ROOT } from '../local/build.js';

/** Prefix of `atRoot` for paths outside the API. */
const ROOT_SEGMENT = '~';

/** @typedef {new (...args: any[]) => object} Class */

/**
 * Metadata of one route in the compiled code.
 * @typedef {object} Route
 * @property {string} method in lower case
 * @property {string} path with `{name}` for parameters, below the server's root
 * @property {boolean} isAtRoot whether its controller says that it is no part of the API
 * @property {Class} controller
 * @property {string} handler name of the method
 * @property {number} status of success
 * @property {string[] | null} scopes null outside the API
 * @property {string} ability
 * @property {number[]} errors beyond those of its declaration
 * @property {number[]} emptyResponses statuses without a body
 * @property {number[]} responses success statuses, if it decides between several
 * @property {string[] | null} produces media types that it writes itself
 * @property {boolean} jobToken
 * @property {boolean} hasRawBody whether it reads the body itself, as Git over HTTPS does
 * @property {Class | null} parameters of a handler that reads them itself
 * @property {import('../../src/core/http/paths.js').PathKind} kind in whose format it refuses
 * @property {Record<string, string>} headers fixed ones, names in lower case
 * @property {{ data: unknown, type: Class }[]} args by position
 */

/**
 * @template T
 * @param {string} path below dist/src
 * @returns {Promise<T>}
 */
export function fromBuild(path) {
  return import(pathToFileURL(join(ROOT, 'dist', 'src', path)).href);
}

/**
 * Every route of the web process but pages and those that read bodies in other formats themselves, from
 * its modules without starting it. A page that declares the parameters it reads is for programs as well.
 * @returns {Promise<Route[]>}
 */
export async function readRoutes() {
  /** @type {typeof import('../../src/app.module.js')} */
  const { AppModule } = await fromBuild('app.module.js');
  // Constructs nothing, so the configuration is not read.
  const root = AppModule.forRoot(/** @type {any} */ ({}));
  const keys = await metadataKeys();
  /** @type {typeof import('../../src/core/http/paths.js')} */
  const { pathKindOf } = await fromBuild('core/http/paths.js');
  const controllers = await controllersOf(root, new Set());
  const routes = [...new Set(controllers)].flatMap((controller) => routesOf(controller, keys));
  return routes
    .map((route) => ({ ...route, kind: pathKindOf(route.path) }))
    .filter(({ isAtRoot, kind, parameters }) => !isAtRoot || kind !== 'page' || parameters !== null)
    .filter(({ hasRawBody }) => !hasRawBody);
}

/**
 * @param {any} module
 * @param {Set<unknown>} seen
 * @returns {Promise<Class[]>}
 */
async function controllersOf(module, seen) {
  const known = await module;
  if (known == null || seen.has(known)) return [];
  seen.add(known);
  const type = known.module ?? known;
  /** @type {(key: string) => any[]} */
  const listed = (key) => [...(Reflect.getMetadata(key, type) ?? []), ...(known[key] ?? [])];
  const below = await Promise.all(listed('imports').map((each) => controllersOf(each, seen)));
  return [...listed('controllers'), ...below.flat()];
}

async function metadataKeys() {
  /** @type {typeof import('../../src/core/openapi/api.decorators.js')} */
  const { API_KEYS } = await fromBuild('core/openapi/api.decorators.js');
  /** @type {typeof import('../../src/core/access/access.decorator.js')} */
  const {
    SCOPES_KEY: scopes,
    ABILITY_KEY: ability,
    JOB_TOKEN_KEY: jobToken,
  } = await fromBuild('core/access/access.decorator.js');
  /** @type {typeof import('../../src/core/http/raw-bodies.js')} */
  const { RAW_BODY_KEY: rawBody } = await fromBuild('core/http/raw-bodies.js');
  /** @type {typeof import('../../src/identity/members/container-access.js')} */
  const { CONTAINER_ABILITIES_KEY: containerAbilities } = await fromBuild(
    'identity/members/container-access.js',
  );
  return { scopes, ability, containerAbilities, jobToken, rawBody, api: API_KEYS };
}

/**
 * @param {Class} controller
 * @param {Awaited<ReturnType<typeof metadataKeys>>} keys
 * @returns {Omit<Route, 'kind'>[]}
 */
function routesOf(controller, keys) {
  const prototype = controller.prototype;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (!Reflect.hasMetadata(PATH_METADATA, handler)) return [];
    /** @type {(key: string) => any} */
    const declared = (key) =>
      Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
    const method = String(
      RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler)],
    ).toLowerCase();
    const scopes = Reflect.hasMetadata(keys.scopes, handler)
      ? Reflect.getMetadata(keys.scopes, handler)
      : Reflect.getMetadata(keys.scopes, controller);
    const [outer = ''] = [Reflect.getMetadata(PATH_METADATA, controller)].flat();
    const kind = outer.startsWith('groups') ? 'group' : 'project';
    const shared = Reflect.getMetadata(keys.containerAbilities, handler)?.[kind];
    const common = {
      method,
      controller,
      handler: name,
      status: Reflect.getMetadata(HTTP_CODE_METADATA, handler) ?? (method === 'post' ? 201 : 200),
      scopes: scopes ?? null,
      ability: declared(keys.api.ability) ?? shared ?? declared(keys.ability),
      errors: declared(keys.api.errors) ?? [],
      emptyResponses: declared(keys.api.emptyResponses) ?? [],
      responses: declared(keys.api.responses) ?? [],
      produces: declared(keys.api.produces) ?? null,
      jobToken: declared(keys.jobToken) === true,
      hasRawBody: declared(keys.rawBody) === true,
      parameters: declared(keys.api.parameters) ?? null,
      headers: fixedHeaders(handler),
      args: argsOf(controller, name),
    };
    return pathsOf(controller, handler).map((place) => ({ ...common, ...place }));
  });
}

/**
 * Below the server's root.
 * @param {Class} controller
 * @param {object} handler
 */
function pathsOf(controller, handler) {
  const outer = [Reflect.getMetadata(PATH_METADATA, controller)].flat();
  const inner = [Reflect.getMetadata(PATH_METADATA, handler)].flat();
  return outer.flatMap((first) =>
    inner.map((second) => {
      const parts = `${first}/${second}`.split('/').filter((part) => part !== '');
      const isAtRoot = parts[0] === ROOT_SEGMENT;
      const prefix = isAtRoot || parts[0] === '-' ? [] : ['api', 'v4'];
      const path = [...prefix, ...parts.slice(isAtRoot ? 1 : 0)].join('/');
      return { path: `/${path}`.replace(/:(\w+)/g, '{$1}'), isAtRoot };
    }),
  );
}

/**
 * @param {object} handler
 * @returns {Record<string, string>}
 */
function fixedHeaders(handler) {
  const declared = Reflect.getMetadata(HEADERS_METADATA, handler) ?? [];
  return Object.fromEntries(
    declared.map((/** @type {{ name: string, value: string }} */ { name, value }) => [
      name.toLowerCase(),
      value,
    ]),
  );
}

/**
 * @param {Class} controller
 * @param {string} name
 * @returns {{ data: unknown, type: Class }[]}
 */
function argsOf(controller, name) {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype, name) ?? [];
  /** @type {{ index: number, data: unknown }[]} */
  const args = Object.values(Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {});
  return types.map((/** @type {Class} */ type, /** @type {number} */ position) => {
    const data = args.find(({ index }) => index === position)?.data;
    return { data, type };
  });
}
