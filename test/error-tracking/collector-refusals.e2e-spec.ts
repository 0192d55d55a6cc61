import { beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { changeSettings } from '../support/settings.js';
import { HEADER, openCollector, SMALL, type Body } from './collector-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const EVENT = '{"message":"hello world","level":"error"}';
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
};

/** Returns body and headers of an error response. */
async function refusalOf(response: Response) {
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject(CORS);
  const body = (await response.json()) as { message: string; detail: string; causes: string[] };
  expect(Object.keys(body)).toEqual(['message', 'detail', 'causes']);
  expect(body.detail).toBe(body.message);
  expect(headers['x-sentry-error']).toBe(body.message);
  return { status: response.status, message: body.message, causes: body.causes, headers };
}

/** Settings of a project with an external tracker. */
const TRACKER = {
  apiUrl: 'https://t.example.com/api/0/projects/o/p/',
  encryptedToken: 'encrypted',
};

const NO_KEY = { status: 400, message: '400 Bad request - Failed to parse sentry request' };
const NOT_FOUND = { status: 404, message: '404 Not Found' };
const NO_PROJECT = { status: 404, message: '404 Project Not Found' };

describe('a request to the collector', () => {
  it.each(['', '?sentry_key='])('without a key is refused: query %p', async (query) => {
    const place = await openCollector(app);
    for (const endpoint of ['envelope', 'store', 'security']) {
      expect(await refusalOf(await place.send(SMALL, { query, endpoint }))).toMatchObject(NO_KEY);
    }
  });

  it('is refused by an unknown key, one of another project and one that is off', async () => {
    const place = await openCollector(app);
    const { key: foreign } = await openCollector(app);
    const off = await openCollector(app, { key: { active: false } });
    const refusals = [
      await place.send(SMALL, { query: '?sentry_key=unknown' }),
      await place.send(SMALL, { query: `?sentry_key=${foreign}` }),
      await place.send(SMALL, { query: '?sentry_key=%27' }),
      await off.send(SMALL),
    ];
    for (const response of refusals) {
      const { headers, ...refusal } = await refusalOf(response);
      expect(refusal).toMatchObject(NOT_FOUND);
      expect(headers['x-sentry-rate-limits']).toBe('60::key');
    }
    expect(await place.events()).toEqual([]);
  });

  it('for an unknown project is refused, by id and by path', async () => {
    const { key, project } = await openCollector(app);
    const { manager } = app.dataSource;
    await manager.update(Project, { id: project.id }, { pendingDelete: true });
    for (const id of ['999999999', '9'.repeat(30), String(project.id), 'no%2Fproject', '%ff']) {
      const url = `${app.url}/api/v4/error_tracking/collector/api/${id}/envelope/?sentry_key=${key}`;
      const response = await fetch(url, { method: 'POST', body: SMALL });
      if (id === '%ff') expect(response.status).toBe(400);
      else expect(await refusalOf(response)).toMatchObject(NO_PROJECT);
    }
  });

  it('by path does not reveal a project without a key of it', async () => {
    const { project } = await openCollector(app);
    const path = encodeURIComponent(project.fullPath);
    for (const query of ['', '?sentry_key=unknown']) {
      const url = `${app.url}/api/v4/error_tracking/collector/api/${path}/envelope/${query}`;
      const response = await fetch(url, { method: 'POST', body: SMALL });
      expect(await refusalOf(response)).toMatchObject(NO_PROJECT);
    }
  });

  it('is refused where tracking is off, for the project or everywhere', async () => {
    const places = [
      await openCollector(app, { settings: { enabled: false } }),
      await openCollector(app, { settings: { integrated: false, ...TRACKER } }),
    ];
    const archived = await openCollector(app);
    const { id } = archived.project;
    await app.dataSource.manager.update(Project, { id }, { archived: true });
    for (const place of [...places, archived]) {
      expect(await refusalOf(await place.send(SMALL))).toMatchObject(NOT_FOUND);
    }
    const place = await openCollector(app);
    await changeSettings(app, { error_tracking_integrated_enabled: false });
    try {
      expect(await refusalOf(await place.send(SMALL))).toMatchObject(NOT_FOUND);
    } finally {
      await changeSettings(app, { error_tracking_integrated_enabled: true });
    }
    expect((await place.send(SMALL)).status).toBe(200);
  });

  it('is refused when its credentials disagree', async () => {
    const place = await openCollector(app);
    const auth = { 'X-Sentry-Auth': 'Sentry sentry_key=K2' };
    const conflicting = { status: 400, message: '400 Bad request - conflicting credentials' };
    expect(await refusalOf(await place.send(SMALL, { headers: auth }))).toMatchObject(conflicting);
    const dsns = [
      `http://other@h/${place.project.id}`,
      `http://${place.key}@h/${place.project.id + 1}`,
    ];
    for (const dsn of dsns) {
      const body = SMALL.replace(HEADER, JSON.stringify({ dsn }));
      expect(await refusalOf(await place.send(body))).toMatchObject(conflicting);
    }
    expect(await place.events()).toEqual([]);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('by %s is not allowed', async (method) => {
    const place = await openCollector(app);
    const refusal = await refusalOf(await place.send('', { method }));
    expect(refusal).toMatchObject({ status: 405, message: '405 Method Not Allowed' });
    expect(refusal.headers['allow']).toBe('POST, OPTIONS');
  });

  it('by HEAD is not allowed, either', async () => {
    const place = await openCollector(app);
    expect((await place.send('', { method: 'HEAD' })).status).toBe(405);
  });

  it.each(['42/minidump/', '42/unreal/key/', '42/envelope/x', 'embed/error-page/?dsn=x', ''])(
    'for an endpoint that there is not is refused: %p',
    async (path) => {
      const url = `${app.url}/api/v4/error_tracking/collector/api/${path}`;
      expect(await refusalOf(await fetch(url))).toMatchObject(NOT_FOUND);
      expect(await refusalOf(await fetch(url, { method: 'POST' }))).toMatchObject(NOT_FOUND);
    },
  );

  it.each([
    '/api/4x/envelope/',
    '/api/42/minidump/',
    '/api/v4/error_tracking/collectors/api/42/store',
  ])('is none below %s, which the API refuses', async (path) => {
    const response = await fetch(`${app.url}${path}`, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: '404 Not Found' });
    expect(response.headers.get('x-sentry-error')).toBeNull();
  });

  it('with an endless query is refused', async () => {
    const place = await openCollector(app);
    const query = `?sentry_key=${place.key}&x=${'x'.repeat(11 * 1024)}`;
    expect((await refusalOf(await place.send(SMALL, { query }))).status).toBe(414);
  });
});

const MALFORMED: [string, Body, string][] = [
  ['nothing', '', 'empty request body'],
  ['a length of one too many', `${HEADER}\n{"type":"event","length":42}\n${EVENT}`, 'malformed'],
  ['a length of one too few', `${HEADER}\n{"type":"event","length":40}\n${EVENT}`, 'malformed'],
  ['item headers that are no JSON', `${HEADER}\nTHIS IS NOT JSON\n{}`, 'invalid item header'],
  ['a byte that is no text', new Uint8Array([0x8b]), 'invalid event envelope'],
  ['a list', '[]\n', 'invalid event envelope'],
  ['an end after item headers', '{}\n{"type":"event"}', 'malformed'],
  [
    'a length in a text',
    `${HEADER}\n{"type":"event","length":"41"}\n${EVENT}`,
    'invalid item length',
  ],
  ['a length below 0', `${HEADER}\n{"type":"event","length":-1}\n${EVENT}`, 'invalid item length'],
  ['an event that is no JSON', `${HEADER}\n{"type":"event"}\n{not json`, 'invalid JSON data'],
  [
    'an event of lists in lists',
    `${HEADER}\n{"type":"event"}\n${'['.repeat(500_000)}`,
    'invalid JSON data',
  ],
];

const DAMAGED: [string, Uint8Array][] = [
  ['no gzip', Buffer.from('nope')],
  ['gzip that is cut off', gzipSync(SMALL).subarray(0, 30)],
  ['gzip with more behind it', Buffer.concat([gzipSync(SMALL), Buffer.from('x')])],
];

describe('a malformed body', () => {
  it.each(MALFORMED)('is refused: %s', async (_, body, reason) => {
    const place = await openCollector(app);
    const refusal = await refusalOf(await place.send(body));
    expect(refusal.status).toBe(400);
    expect(refusal.message).toContain(reason);
    expect(await place.events()).toEqual([]);
    expect(await place.errors()).toEqual([]);
  });

  it.each(DAMAGED)('is refused with its cause: %s', async (_, body) => {
    const place = await openCollector(app);
    const headers = { 'Content-Encoding': 'gzip' };
    const refusal = await refusalOf(await place.send(body, { headers }));
    const message = '400 Bad request - body cannot be unpacked';
    expect(refusal).toMatchObject({ status: 400, message, causes: [expect.any(String)] });
    expect(await place.errors()).toEqual([]);
  });

  it.each(['"********"', '********', '[]', '', '7', 'null', '{"a":'])(
    'is refused by the older endpoint: %p',
    async (body) => {
      const place = await openCollector(app);
      expect((await refusalOf(await place.send(body, { endpoint: 'store' }))).status).toBe(400);
      expect(await place.errors()).toEqual([]);
    },
  );

  it.each(['compress', 'zstd', 'gzip, br'])('is refused as packed by %s', async (encoding) => {
    const place = await openCollector(app);
    const headers = { 'Content-Encoding': encoding };
    expect(await refusalOf(await place.send(SMALL, { headers }))).toMatchObject({
      status: 415,
      message: '415 Unsupported Media Type',
    });
  });

  it.each<[string, string]>([
    ['an event of 1 MiB and a byte', `${HEADER}\n{"type":"event"}\n"${'x'.repeat(1_048_575)}"`],
    ['headers of 9 KiB', `{"trace":"${'x'.repeat(9 * 1024)}"}\n`],
    ['101 items', `{}${'\n{"type":"session"}\n{}'.repeat(101)}`],
  ])('is refused as too large: %s', async (_, body) => {
    const place = await openCollector(app);
    const refusal = await refusalOf(await place.send(body));
    expect(refusal).toMatchObject({ status: 413, message: '413 Request Entity Too Large' });
    expect(await place.events()).toEqual([]);
  });
});
