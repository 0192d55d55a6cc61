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

/** @typedef {new (...args: any[]) => object} Class */

/**
 * What the compiled code knows about one route.
 * @typedef {object} Route
 * @property {string} method in lower case
 * @property {string} path with `{name}` for parameters, below the server's root
 * @property {Class} controller
 * @property {string} handler name of the method
 * @property {number} status of success
 * @property {string[] | null} scopes null outside the API
 * @property {string} ability
 * @property {number[]} refuses
 * @property {number[]} answers
 * @property {string[] | null} sends
 * @property {boolean} jobToken
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
 * Every route of the web process, read from its modules without starting it.
 * @returns {Promise<Route[]>}
 */
export async function readRoutes() {
  /** @type {typeof import('../../src/app.module.js')} */
  const { AppModule } = await fromBuild('app.module.js');
  // Nothing is constructed, so nobody reads the configuration.
  const root = AppModule.forRoot(/** @type {any} */ ({}));
  const keys = await accessKeys();
  const controllers = await controllersOf(root, new Set());
  return [...new Set(controllers)].flatMap((controller) => routesOf(controller, keys));
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
  const [access, asks, refuses, sends, answers, job] = await Promise.all([
    /** @type {Promise<typeof import('../../src/core/access/access.decorator.js')>} */ (
      fromBuild('core/access/access.decorator.js')
    ),
    /** @type {Promise<typeof import('../../src/core/access/asks.decorator.js')>} */ (
      fromBuild('core/access/asks.decorator.js')
    ),
    /** @type {Promise<typeof import('../../src/core/access/refuses.decorator.js')>} */ (
      fromBuild('core/access/refuses.decorator.js')
    ),
    /** @type {Promise<typeof import('../../src/core/access/sends.decorator.js')>} */ (
      fromBuild('core/access/sends.decorator.js')
    ),
    /** @type {Promise<typeof import('../../src/core/access/answers.decorator.js')>} */ (
      fromBuild('core/access/answers.decorator.js')
    ),
    /** @type {Promise<typeof import('../../src/core/access/allow-job-token.decorator.js')>} */ (
      fromBuild('core/access/allow-job-token.decorator.js')
    ),
  ]);
  return {
    scopes: access.SCOPES_KEY,
    ability: access.ABILITY_KEY,
    asks: asks.ASKS_KEY,
    refuses: refuses.REFUSES_KEY,
    sends: sends.SENDS_KEY,
    answers: answers.ANSWERS_KEY,
    jobToken: job.JOB_TOKEN_KEY,
  };
}

/**
 * @param {Class} controller
 * @param {Awaited<ReturnType<typeof accessKeys>>} keys
 * @returns {Route[]}
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
      answers: declared(keys.answers) ?? [],
      sends: declared(keys.sends) ?? null,
      jobToken: declared(keys.jobToken) === true,
      headers: fixedHeaders(handler),
      args: argsOf(controller, name),
    };
    return pathsOf(controller, handler).map((path) => ({ ...common, path }));
  });
}

/**
 * Below the server's root; none for pages and for endpoints that other specifications describe.
 * @param {Class} controller
 * @param {object} handler
 */
function pathsOf(controller, handler) {
  const outer = [Reflect.getMetadata(PATH_METADATA, controller)].flat();
  const inner = [Reflect.getMetadata(PATH_METADATA, handler)].flat();
  return outer.flatMap((first) =>
    inner.flatMap((second) => {
      const parts = `${first}/${second}`.split('/').filter((part) => part !== '');
      if (parts[0] === '~') return [];
      const prefix = parts[0] === '-' ? [] : ['api', 'v4'];
      return `/${[...prefix, ...parts].join('/')}`.replace(/:(\w+)/g, '{$1}');
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
