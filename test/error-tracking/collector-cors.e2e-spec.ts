import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { openCollector, SMALL } from './collector-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
};

describe('OPTIONS', () => {
  it('allows pages of all origins in preflight requests, without a key', async () => {
    const { base } = await openCollector(app);
    const response = await fetch(`${base}/envelope/`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example.com',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-sentry-auth',
      },
    });
    expect(response.status).toBe(204);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      ...CORS,
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '3600',
      allow: 'POST, OPTIONS',
    });
    expect(headers['access-control-allow-headers']?.split(', ')).toEqual(
      expect.arrayContaining(['x-sentry-auth', 'content-type', 'sentry-trace', 'baggage']),
    );
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('a report of a page', () => {
  it('gets the headers that let it read the answer, and no cookie', async () => {
    const place = await openCollector(app);
    const headers = { Origin: 'https://shop.example.com', Cookie: '_session=x' };
    const response = await place.send(SMALL, { headers });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject(CORS);
    expect(response.headers.get('Set-Cookie')).toBeNull();
    expect(response.headers.get('Content-Security-Policy')).toBe("default-src 'none'");
  });
});
