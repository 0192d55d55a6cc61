import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { ProbeModule } from './probe.module.js';
import { sendRaw } from './raw-http.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ imports: [ProbeModule], env: { TRUST_PROXY: '1' } });
});
afterAll(() => app.close());

describe('every answer of the API', () => {
  it('carries the fixed headers and a plain JSON type', async () => {
    const { headers } = await api(app.url).get('/probe/items/7').expect(200, { id: '7' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-security-policy': "default-src 'none'",
      vary: 'Origin, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'max-age=0, private, must-revalidate',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(headers['x-runtime']).toMatch(/^\d+\.\d{6}$/);
    expect(headers['etag']).toMatch(/^W\/"[0-9a-f]{32}"$/);
    expect(JSON.parse(String(headers['x-svc-meta']))).toEqual({
      correlation_id: headers['x-request-id'],
      version: '1',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it('has its own ID, also when the client sends one', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const response = await api(app.url).get('/probe/items/7').set('X-Request-Id', 'mine');
        return response.headers['x-request-id'];
      }),
    );
    expect(new Set([...ids, 'mine']).size).toBe(3);
  });

  it('believes the address of the one trusted proxy', async () => {
    const forwarded = '203.0.113.9, 198.51.100.7';
    const probe = api(app.url).get('/probe/address').set('X-Forwarded-For', forwarded);
    await probe.expect(200, { ip: '198.51.100.7' });
  });

  it('sends HSTS when the base URL is https', async () => {
    const secure = await startTestApp({ env: { BASE_URL: 'https://code.example.com' } });
    const { headers } = await request(secure.url).get('/-/liveness');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    await secure.close();
  });
});

describe('conditional requests', () => {
  it('answers 304 without a body when the client has the same version', async () => {
    const first = await api(app.url).get('/probe/items/7');
    const etag = String(first.headers['etag']);
    const again = await api(app.url).get('/probe/items/7').set('If-None-Match', `"x", ${etag}`);
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    expect(again.headers['etag']).toBe(etag);
    expect(again.headers['vary']).toBe(first.headers['vary']);
    expect(again.headers).not.toHaveProperty('content-length');
    await api(app.url).get('/probe/items/8').set('If-None-Match', etag).expect(200);
  });

  it('gives no validators to refusals and writes', async () => {
    const created = await api(app.url).post('/probe/items', {}).expect(201);
    const refused = await api(app.url).get('/probe/conflict').expect(409);
    for (const { headers } of [created, refused]) {
      expect(headers).not.toHaveProperty('etag');
      expect(headers['cache-control']).toBe('no-cache');
    }
  });
});

describe('methods and paths', () => {
  it('answers HEAD like GET without the body', async () => {
    const get = await api(app.url).get('/probe/items/7');
    const head = await api(app.url).head('/probe/items/7').expect(200);
    expect(head.text).toBeUndefined();
    expect(head.headers['etag']).toBe(get.headers['etag']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('answers 204 to a successful DELETE', async () => {
    const { text, headers } = await api(app.url).delete('/probe/items/7').expect(204);
    expect(text).toBe('');
    expect(headers).not.toHaveProperty('content-type');
  });

  it.each([
    '/api/v4/nope',
    '/api/v4',
    '/api/v4/PROBE/query',
    '/api/nope',
    '/api/v4/probe/items/a/b',
  ])('answers 404 for the unknown path %s', async (path) => {
    await request(app.url).get(path).expect(404, { error: '404 Not Found' });
  });

  it.each([
    ['GET', '/api'],
    ['DELETE', '/api'],
    ['GET', '/oauth'],
    ['GET', '/oauth/tokens'],
    ['POST', '/oauth/tokens'],
    ['PUT', '/oauth/authorize/nothing'],
    ['POST', '/oauth/token/nothing'],
    ['POST', '/oauth/authorized_applications/nothing'],
    ['GET', '/.well-known/nothing'],
    ['POST', '/.well-known/nothing'],
  ])('returns 404 as JSON for %s %s outside the API', async (method, path) => {
    const response = await fetch(`${app.url}${path}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([404, null]);
    expect(await response.json()).toEqual({ error: '404 Not Found' });
  });

  it('answers 405 with the allowed methods for the wrong method on a known path', async () => {
    const item = await api(app.url).put('/probe/items/7', {});
    expect(item.status).toBe(405);
    expect(item.body).toEqual({ error: '405 Not Allowed' });
    expect(item.headers['allow']).toBe('OPTIONS, GET, HEAD, DELETE');
    const list = await api(app.url).get('/probe/items').expect(405);
    expect(list.headers['allow']).toBe('OPTIONS, POST');
    const health = await request(app.url).post('/-/health').expect(405);
    expect(health.headers['allow']).toBe('OPTIONS, GET, HEAD');
  });

  it('answers OPTIONS with 204 on a known path and 404 elsewhere', async () => {
    const known = await api(app.url).options('/probe/items/7').expect(204);
    expect(known.headers['allow']).toBe('OPTIONS, GET, HEAD, DELETE');
    expect(known.text).toBe('');
    await api(app.url).options('/nope').expect(404, { error: '404 Not Found' });
  });

  it('answers 410 for the third version of the API', async () => {
    const body = { error: 'API V3 is no longer supported. Use API V4 instead.' };
    await request(app.url).get('/api/v3/projects').expect(410, body);
    await request(app.url).get('/api/v3').expect(410, body);
  });

  it('answers 406 for another format than JSON', async () => {
    const error = "The requested format 'xml' is not supported.";
    await api(app.url).get('/probe/items/7?format=xml').expect(406, { error });
    await api(app.url).get('/probe/items/7?format=json').expect(200);
  });

  it('keeps an encoded slash inside a path parameter', async () => {
    await api(app.url).get('/probe/items/group%2Fproject').expect(200, { id: 'group/project' });
  });

  it('takes the absolute form of a request target', async () => {
    const answer = await sendRaw(
      app.url,
      'GET http://elsewhere.example/api/v4/probe/items/9?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toContain('{"id":"9"}');
  });

  it.each(['%', '%zz', '%ff', '%00'])('answers 400 for the path parameter %s', async (id) => {
    const { status, headers } = await api(app.url).get(`/probe/items/${id}`);
    expect(status).toBe(400);
    expect(headers['content-security-policy']).toBe("default-src 'none'");
  });
});

describe('cross-origin requests to the API', () => {
  it('are allowed from any origin, without credentials', async () => {
    const { headers } = await api(app.url).get('/probe/items/7').set('Origin', 'https://a.example');
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-expose-headers':
        'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, ' +
        'RateLimit-Name, RateLimit-Limit, RateLimit-Observed, RateLimit-Remaining, ' +
        'RateLimit-Reset, RateLimit-ResetTime, Retry-After',
      vary: 'Origin, Accept-Encoding',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may be announced by a preflight with any method and header', async () => {
    const preflight = await api(app.url)
      .options('/probe/items')
      .set('Origin', 'https://a.example')
      .set('Access-Control-Request-Method', 'POST')
      .set('Access-Control-Request-Headers', 'private-token,content-type');
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': 'private-token,content-type',
      'access-control-max-age': '7200',
    });
  });

  it('are readable for refusals, too, and nowhere outside the API', async () => {
    const refused = await api(app.url).get('/nope').set('Origin', 'https://a.example');
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    const outside = await request(app.url).get('/-/health').set('Origin', 'https://a.example');
    expect(outside.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
