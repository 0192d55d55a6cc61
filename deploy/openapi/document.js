import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../local/build.js';
import { Access } from './access.js';
import { ERROR_SCHEMAS } from './error-schemas.js';
import { HEADERS } from './headers.js';
import { Operations } from './operations.js';
import { PARAMETERS, securitySchemes } from './parameters.js';
import { Requests } from './requests.js';
import { RESPONSES } from './responses.js';
import { fromBuild, readRoutes } from './routes.js';
import { Schemas } from './schemas.js';
import { Sources } from './sources.js';
import { tagOf } from './tags.js';

/** @typedef {import('./endpoint.js').Endpoint} Endpoint */

const DESCRIPTION = `The Guildhall REST API, version 4. All endpoints under \`/api/v4\` use JSON.

Parameters can be sent in the query string, a form or a JSON body; the body takes precedence.
Lists are written \`name[]=a&name[]=b\`, hashes \`name[key]=a\`, lists of hashes
\`name[0][key]=a\`. Encode slashes in IDs as \`%2F\`. Unknown parameters are ignored.

Every \`GET\` endpoint supports \`HEAD\`. Unsupported methods return 405 with \`Allow\`, unknown
paths 404. Responses may gain fields; ignore unknown ones.

\`PUT\`, \`PATCH\` and \`DELETE\` of a single resource accept \`If-Unmodified-Since\`: if the resource
has changed since then, the response is 412 and nothing changes. Times have a resolution of one
second. New events do not count as a change of an error.

OAuth 2.0 and OpenID Connect endpoints are outside \`/api/v4\`; their errors follow RFC 6749.
Applications send browsers to \`/oauth/authorize\` for the authorization code flow with PKCE.
Signed-in browsers can also authenticate with the \`_svc_session\` cookie; requests that change
data then require the \`X-CSRF-Token\` header with the token of a page.

Git over HTTP is available at \`/<project path>.git\` and is not described here.`;

/**
 * The API description of the compiled project and what keeps it from being complete.
 * @returns {Promise<{ document: Record<string, any>, problems: string[] }>}
 */
export async function describeApi() {
  const sources = new Sources();
  /** @type {typeof import('../../src/core/params/params.decorator.js')} */
  const { declaredParams } = await fromBuild('core/params/params.decorator.js');
  const requests = new Requests(sources.checker, declaredParams);
  const schemas = new Schemas(sources.checker);
  const access = await Access.load();
  const operations = new Operations(schemas, access);
  const routes = await readRoutes();
  const endpoints = routes.map((route) => endpointOf(route, sources, requests));
  const undocumented = endpoints.filter(({ source }) => source.doc === '');
  const { paths, tags } = pathsOf(endpoints, operations);
  const document = {
    openapi: '3.1.1',
    info: { title: 'Guildhall', version: packageVersion(), description: DESCRIPTION },
    servers: [{ url: '/', description: 'This instance' }],
    tags,
    paths,
    components: {
      schemas: sorted({ ...ERROR_SCHEMAS, ...schemas.components }),
      parameters: PARAMETERS,
      responses: RESPONSES,
      headers: HEADERS,
      securitySchemes: securitySchemes(access.scopes),
    },
  };
  const problems = [
    ...undocumented.map(({ source }) => `${source.place} has no doc comment`),
    ...requests.problems,
    ...schemas.problems,
  ];
  return { document, problems: [...new Set(problems)].sort() };
}

/**
 * @param {import('./routes.js').Route} route
 * @param {Sources} sources
 * @param {Requests} requests
 * @returns {Endpoint}
 */
function endpointOf(route, sources, requests) {
  const source = sources.handler(route.controller.name, route.handler);
  if (route.parameters && source.parameters) {
    const params = requests.paramsOf(route.parameters, source.parameters);
    return {
      route,
      source,
      params,
      dto: route.parameters.name,
      example: requests.exampleOf(source.parameters),
    };
  }
  const position = source.params.findIndex(({ decorators }) => decorators.includes('Input'));
  const [arg, param] = [route.args[position], source.params[position]];
  if (!arg || !param) return { route, source, params: [], dto: null };
  return { route, source, params: requests.paramsOf(arg.type, param.type), dto: arg.type.name };
}

/**
 * @param {Endpoint[]} endpoints
 * @param {Operations} operations
 */
function pathsOf(endpoints, operations) {
  /** @type {Record<string, Record<string, unknown>>} */
  const paths = {};
  /** @type {Map<string, { name: string, description: string }>} */
  const tags = new Map();
  const ordered = [...endpoints].sort((a, b) => compare(keyOf(a), keyOf(b)));
  for (const endpoint of ordered) {
    const { method, path } = endpoint.route;
    const tag = tagOf(endpoint.source);
    tags.set(tag.name, tag);
    const item = (paths[path] ??= {});
    if (item[method]) throw new Error(`two handlers for ${method} ${path}`);
    item[method] = operations.operation(endpoint, tag.name);
  }
  const byName = [...tags.values()].sort((a, b) => compare(a.name, b.name));
  return { paths, tags: byName };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @param {Endpoint} endpoint */
function keyOf({ route }) {
  return `${route.path} ${METHODS.indexOf(route.method)}`;
}

/**
 * By code points: the same on every machine.
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** @param {Record<string, unknown>} record */
function sorted(record) {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => compare(a, b)));
}

function packageVersion() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}
