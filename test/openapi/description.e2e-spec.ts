import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { APPLICATION_SCOPES, SCOPES } from '../../src/core/access/scopes.js';
import { pathKindOf } from '../../src/core/http/paths.js';
import type {
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
} from '../../src/core/openapi/openapi-document.js';
import type { HttpAdapter } from '../../src/core/http/http-adapter.js';
import { AUTHORIZATION_PARAMETERS } from '../../src/oauth/authorize/authorization-request.js';
import { sharedTestApp } from '../support/app.js';

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApiDocument;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
);

interface Found {
  place: string;
  value: unknown;
}

/** Every value of the document with the JSON pointer that leads to it. */
function everything(value: unknown, place = '#'): Found[] {
  if (typeof value !== 'object' || value === null) return [{ place, value }];
  const below = Object.entries(value).flatMap(([key, part]) =>
    everything(part, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return [{ place, value }, ...below];
}

const all = everything(document);
const places = new Set(all.map(({ place }) => place));

describe('the API description', () => {
  it('refers only to what it contains, and contains only what it refers to', () => {
    const references = all.filter(({ place }) => place.endsWith('/$ref'));
    const targets = new Set(references.map(({ value }) => String(value)));
    expect([...targets].filter((target) => !places.has(target))).toEqual([]);
    const components = [...places].filter((place) =>
      /^#\/components\/(?!securitySchemes)\w+\/[^/]+$/.test(place),
    );
    expect(components.filter((component) => !targets.has(component))).toEqual([]);
  });

  it('names every operation once, and gives it words', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const wordless = operations.filter(
      ({ operation: { summary, operationId } }) => summary === '' || summary === operationId,
    );
    expect(wordless.map(({ path }) => path)).toEqual([]);
  });

  it('declares exactly the parameters that each path has, and none twice', () => {
    const wrong = operations.filter(({ path, operation }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = operation.parameters.flatMap((each) =>
        'in' in each && each.in === 'path' ? [each.name] : [],
      );
      const keys = operation.parameters.map((each) =>
        'in' in each ? `${each.in} ${each.name}` : each.$ref,
      );
      const isOnce = new Set(keys).size === keys.length;
      return JSON.stringify(inPath) !== JSON.stringify(declared) || !isOnce;
    });
    expect(wrong.map(({ path, method }) => `${method} ${path}`)).toEqual([]);
  });

  it('uses only credentials and chapters that it explains', () => {
    const schemes = operations.flatMap(({ operation }) => operation.security.flatMap(Object.keys));
    const known = Object.keys(document.components.securitySchemes);
    expect(new Set(schemes)).toEqual(new Set(known));
    const tags = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect([...tags].sort()).toEqual(document.tags.map(({ name }) => name));
  });

  it('describes access, also where the endpoint decides and for public resources', () => {
    const told = (method: string, path: string) => {
      const found = operations.find((each) => each.method === method && each.path === path);
      return [found?.operation.description?.split('.')[0], found?.operation.security.length];
    };
    const tokens = '/api/v4/projects/{id}/access_tokens';
    expect(told('get', tokens)).toEqual(['Requires the role maintainer in the project', 6]);
    expect(told('post', `${tokens}/self/rotate`)).toEqual(['Requires sign-in', 5]);
    expect(told('get', '/api/v4/projects/{id}/issues')[1]).toBe(7);
    expect(told('post', '/api/v4/projects/{id}/issues')).toEqual([
      'Requires sign-in and read access to the project or the role guest',
      5,
    ]);
  });

  it('offers OAuth with the scopes of applications, and each operation with those it accepts', () => {
    const { flows } = document.components.securitySchemes['oauth2'] ?? {};
    const texts = APPLICATION_SCOPES.map((scope) => [scope, SCOPES[scope]]);
    expect(flows).toEqual({
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth/token',
        refreshUrl: '/oauth/token',
        scopes: Object.fromEntries(texts) as unknown,
      },
    });
    const oauthOf = ({ security }: Operation): unknown[] =>
      security.flatMap(({ oauth2 }) => (oauth2 === undefined ? [] : [oauth2]));
    const wrong = operations.filter(({ operation }) => {
      const accepted = (operation['x-scopes'] ?? []).filter((scope) => scope !== 'self_rotate');
      const isBearer = operation.security.some((each) => 'bearer' in each);
      const isOfApi = operation['x-scopes'] !== undefined;
      return isOfApi
        ? JSON.stringify(oauthOf(operation)) !== JSON.stringify(accepted.map((one) => [one]))
        : isBearer !== oauthOf(operation).length > 0;
    });
    expect(wrong.map(({ path, method }) => `${method} ${path}`)).toEqual([]);
    const user = operations.find(({ path }) => path === '/api/v4/user');
    expect(user && oauthOf(user.operation)).toEqual([['read_user'], ['api'], ['read_api']]);
  });

  it('describes the authorization endpoint with every parameter that it reads', () => {
    const operation = document.paths['/oauth/authorize']?.['get'];
    const parameters = (operation?.parameters ?? []) as Parameter[];
    const unsupported = ['request', 'request_uri'];
    const read = AUTHORIZATION_PARAMETERS.filter((name) => !unsupported.includes(name));
    expect(parameters.map(({ name }) => name).sort()).toEqual([...read].sort());
    const required = parameters.filter((each) => each.required === true);
    expect(required.map(({ name }) => name)).toEqual([
      'client_id',
      'redirect_uri',
      'response_type',
    ]);
    expect(operation?.responses['302']).toMatchObject({ headers: { Location: {} } });
    const pages = ['200', '400', '401', '403', '429', '503'];
    for (const status of pages) {
      expect(operation?.responses[status]).toMatchObject({ content: { 'text/html': {} } });
    }
    expect(operation?.security).toEqual([]);
  });

  it('declares If-Unmodified-Since for each change of an existing resource', () => {
    const ofMany = '/api/v4/projects/{id}/repository/merged_branches';
    const changes = operations.filter(
      ({ method, path }) => ['put', 'patch', 'delete'].includes(method) && path !== ofMany,
    );
    const unconditional = changes.filter(
      ({ operation: { parameters, responses } }) =>
        !JSON.stringify(parameters).includes('/IfUnmodifiedSince"') || !('412' in responses),
    );
    expect(unconditional.map(({ path, method }) => `${method} ${path}`)).toEqual([]);
  });

  it('promises no change to anonymous requests', () => {
    const open = operations.filter(
      ({ method, operation: { security } }) =>
        method !== 'get' && security.some((each) => Object.keys(each).length === 0),
    );
    expect(open.map(({ path, method }) => `${method} ${path}`)).toEqual([]);
  });

  it('describes the success of each operation and, below /api, its errors', () => {
    const silent = operations.filter(({ path, operation: { responses } }) => {
      const statuses = Object.keys(responses);
      const succeeds = statuses.some((status) => status.startsWith('2'));
      const refuses = !path.startsWith('/api/') || statuses.includes('429');
      return !succeeds || !refuses;
    });
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});

describe('its examples', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document, 'openapi.json');

  /** Returns the mismatches of a value with the schema at a place. */
  function complaints(place: string, value: unknown): string[] {
    const pointer = place.slice(1).split('/').map(encodeURIComponent).join('/');
    const validate = ajv.getSchema(`openapi.json#${pointer}`);
    if (validate === undefined) return [`${place}: no schema`];
    if (validate(value) === true) return [];
    return [`${place}: ${ajv.errorsText(validate.errors)}`];
  }

  it('are there for every parameter, body and header, and obey its schema', () => {
    const carriers = all.filter(
      ({ place, value }) =>
        !place.includes('/example') &&
        typeof value === 'object' &&
        value !== null &&
        'schema' in value,
    );
    const wrong = carriers.flatMap(({ place, value }) => {
      const { example, examples = {} } = value as MediaType;
      const given = example === undefined ? Object.values(examples) : [{ value: example }];
      if (given.length === 0) return [`${place}: no example`];
      return given.flatMap((each) => complaints(`${place}/schema`, each.value));
    });
    expect(wrong).toEqual([]);
    expect(carriers.length).toBeGreaterThan(operations.length);
  });

  it('of properties obey their schema', () => {
    const wrong = all
      .filter(
        ({ place, value }) => /\/properties\/[^/]+\/examples$/.test(place) && Array.isArray(value),
      )
      .flatMap(({ place, value }) =>
        (value as unknown[]).flatMap((each) =>
          complaints(place.slice(0, -'/examples'.length), each),
        ),
      );
    expect(wrong).toEqual([]);
  });
});

describe('the routes of the running application', () => {
  let routes: string[];
  beforeAll(async () => {
    const app = await sharedTestApp();
    routes = routesOf(app.app.getHttpAdapter() as HttpAdapter);
  });
  afterAll(() => {
    routes = [];
  });

  it('are those of the description but pages for people alone, no more and no less', () => {
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    const forPrograms = routes.filter((route) => {
      const path = route.split(' ')[1] ?? '';
      return pathKindOf(path) !== 'page' || route === 'get /oauth/authorize';
    });
    expect(forPrograms.sort()).toEqual(described.sort());
  });
});

/** Returns the routes that the router serves, in the description's spelling. */
function routesOf({ routes }: HttpAdapter): string[] {
  return routes
    .list()
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
}
