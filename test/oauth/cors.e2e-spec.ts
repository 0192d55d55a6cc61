import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';

const ORIGIN = 'https://page.example';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const preflight = (path: string, headers?: string) => {
  const asked = request(app.url)
    .options(path)
    .set({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' });
  return headers === undefined ? asked : asked.set('Access-Control-Request-Headers', headers);
};

const corsOf = ({ headers }: Response): string[] =>
  Object.keys(headers as object).filter((name) => name.startsWith('access-control'));

describe('requests of pages of other origins', () => {
  it.each([
    ['/oauth/token', 'POST, OPTIONS'],
    ['/oauth/revoke', 'POST, OPTIONS'],
    ['/oauth/token/info', 'GET, HEAD, OPTIONS'],
    ['/oauth/userinfo', 'GET, HEAD, POST, OPTIONS'],
  ])(
    'may name Authorization and the simple headers in a preflight of %s',
    async (path, methods) => {
      const answer = await preflight(path, 'authorization, Content-Type').expect(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': methods,
        'access-control-allow-headers': 'authorization, content-type',
        vary: expect.stringContaining('Origin'),
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  it.each(['/oauth/token', '/oauth/revoke', '/oauth/userinfo'])(
    'may not name X-Requested-With in a preflight of %s',
    async (path) => {
      const answer = await preflight(path, 'authorization, x-requested-with').expect(204);
      expect(corsOf(answer)).toEqual([]);
    },
  );

  it.each([
    '/oauth/discovery/keys',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/webfinger',
  ])('may read %s without Authorization', async (path) => {
    expect(corsOf(await preflight(path, 'authorization'))).toEqual([]);
    const answer = await request(app.url).get(path).set('Origin', ORIGIN);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
    });
  });

  it('may read refusals, too', async () => {
    const answer = await request(app.url).post('/oauth/token').set('Origin', ORIGIN).expect(400);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each(['/oauth/authorize', '/oauth/introspect', '/oauth/token/other'])(
    'may not read %s',
    async (path) => {
      expect(corsOf(await request(app.url).get(path).set('Origin', ORIGIN))).toEqual([]);
      expect(corsOf(await preflight(path))).toEqual([]);
    },
  );

  it('get no CORS headers without an origin', async () => {
    expect(corsOf(await request(app.url).post('/oauth/token'))).toEqual([]);
  });
});
