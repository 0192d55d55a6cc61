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
 * @property {number[]} refuses
 * @property {number[]} bare statuses among them that have no body
 * @property {number[]} answers
 * @property {string[] | null} sends
 * @property {boolean} jobToken
 * @property {boolean} hasRawBody whether it reads the body itself, as Git over HTTPS does
 * @property {Class | null} reads the parameters of a handler that reads them itself
 * @property {import('../../src/core/http/dialect.js').Dialect} dialect in which it refuses
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
  const keys = await accessKeys();
  /** @type {typeof import('../../src/core/http/dialect.js')} */
  const { dialectOf } = await fromBuild('core/http/dialect.js');
  const controllers = await controllersOf(root, new Set());
  const routes = [...new Set(controllers)].flatMap((controller) => routesOf(controller, keys));
  return routes
    .map((route) => ({ ...route, dialect: dialectOf(route.path) }))
    .filter(({ isAtRoot, dialect, reads }) => !isAtRoot || dialect !== 'page' || reads !== null)
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

async function accessKeys() {
  /** @type {typeof import('../../src/core/access/access.decorator.js')} */
  const { SCOPES_KEY, ABILITY_KEY } = await fromBuild('core/access/access.decorator.js');
  /** @type {typeof import('../../src/core/access/refuses.decorator.js')} */
  const { REFUSES_KEY, REFUSES_BARE_KEY } = await fromBuild('core/access/refuses.decorator.js');
  return {
    scopes: SCOPES_KEY,
    ability: ABILITY_KEY,
    refuses: REFUSES_KEY,
    bare: REFUSES_BARE_KEY,
    ...(await descriptionKeys()),
  };
}

/** Of further decorators. */
async function descriptionKeys() {
  /** @type {typeof import('../../src/core/access/asks.decorator.js')} */
  const { ASKS_KEY: asks } = await fromBuild('core/access/asks.decorator.js');
  /** @type {typeof import('../../src/core/access/reads.decorator.js')} */
  const { READS_KEY: reads } = await fromBuild('core/access/reads.decorator.js');
  /** @type {typeof import('../../src/core/access/sends.decorator.js')} */
  const { SENDS_KEY: sends } = await fromBuild('core/access/sends.decorator.js');
  /** @type {typeof import('../../src/core/access/answers.decorator.js')} */
  const { ANSWERS_KEY: answers } = await fromBuild('core/access/answers.decorator.js');
  /** @type {typeof import('../../src/core/access/allow-job-token.decorator.js')} */
  const { JOB_TOKEN_KEY: jobToken } = await fromBuild('core/access/allow-job-token.decorator.js');
  /** @type {typeof import('../../src/core/http/raw-body-routes.js')} */
  const { RAW_BODY_KEY: rawBody } = await fromBuild('core/http/raw-body-routes.js');
  return { asks, reads, sends, answers, jobToken, rawBody };
}

/**
 * @param {Class} controller
 * @param {Awaited<ReturnType<typeof accessKeys>>} keys
 * @returns {Omit<Route, 'dialect'>[]}
 */
function routesOf(controller, keys) {
  const prototype = controller.prototype;
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return names.flatMap((name) => {
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
    const common = {
      method,
      controller,
      handler: name,
      status: Reflect.getMetadata(HTTP_CODE_METADATA, handler) ?? (method === 'post' ? 201 : 200),
      scopes: scopes ?? null,
      ability: declared(keys.asks) ?? declared(keys.ability),
      refuses: declared(keys.refuses) ?? [],
      bare: declared(keys.bare) ?? [],
      answers: declared(keys.answers) ?? [],
      sends: declared(keys.sends) ?? null,
      jobToken: declared(keys.jobToken) === true,
      hasRawBody: declared(keys.rawBody) === true,
      reads: declared(keys.reads) ?? null,
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
