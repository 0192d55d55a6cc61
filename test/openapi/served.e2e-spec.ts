import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenApiDocument } from '../../src/core/openapi/openapi-document.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

describe('GET /api/v4/openapi.json', () => {
  it('describes this instance to anyone', async () => {
    const response = await fetch(`${app.url}/api/v4/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const document = (await response.json()) as OpenApiDocument;
    expect(document.openapi).toBe('3.1.1');
    expect(document.servers).toEqual([{ url: app.url, description: 'This instance' }]);
  });

  it('names the endpoints of OAuth with their whole URL', async () => {
    const { components } = (await api(app.url).get('/openapi.json')).body as OpenApiDocument;
    expect(components.securitySchemes['oauth2']?.flows?.['authorizationCode']).toMatchObject({
      authorizationUrl: `${app.url}/oauth/authorize`,
      tokenUrl: `${app.url}/oauth/token`,
      refreshUrl: `${app.url}/oauth/token`,
    });
  });

  it('is not sent again to who has it already', async () => {
    const first = await api(app.url).get('/openapi.json');
    await api(app.url)
      .get('/openapi.json')
      .set('If-None-Match', first.get('ETag') ?? '')
      .expect(304);
  });
});

describe('GET /-/docs/api', () => {
  let html: string;
  let headers: Headers;
  beforeAll(async () => {
    const response = await fetch(`${app.url}/-/docs/api`);
    headers = response.headers;
    html = await response.text();
  });

  it('shows every operation with its path', async () => {
    const response = await fetch(`${app.url}/api/v4/openapi.json`);
    const { paths } = (await response.json()) as OpenApiDocument;
    const missing = Object.entries(paths).flatMap(([path, item]) => {
      const ids = Object.values(item).map(({ operationId }) => `id="${operationId}"`);
      return [...ids, `<code>${path}</code>`].filter((text) => !html.includes(text));
    });
    expect(missing).toEqual([]);
  });

  it('needs neither scripts nor anything from elsewhere', () => {
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self';/,
    );
    expect(html).not.toMatch(/<script|<style| style=| on[a-z]+=|<form|<iframe/);
    const fetched = [...html.matchAll(/<(?:link|img)[^>]*(?:href|src)="([^"]*)"/g)];
    expect(fetched).toHaveLength(3);
    expect(fetched.filter(([, address = '']) => !address.startsWith('/-/assets/'))).toEqual([]);
  });

  it('links only to places on the page that are there, each there once', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(targets)].filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('is compressed for who takes it so, with the same description behind it', async () => {
    const sizes = await Promise.all(
      ['/-/docs/api', '/api/v4/openapi.json'].map(async (path) => {
        const plain = await fetch(app.url + path, { headers: { 'Accept-Encoding': 'identity' } });
        const packed = await fetch(app.url + path, { headers: { 'Accept-Encoding': 'br, gzip' } });
        expect(plain.headers.get('content-encoding')).toBeNull();
        expect(packed.headers.get('content-encoding')).toBe('gzip');
        expect(packed.headers.get('vary')).toBe('Origin, Accept-Encoding');
        expect(await packed.text()).toBe(await plain.text());
        return Number(packed.headers.get('content-length'));
      }),
    );
    expect(Math.max(...sizes)).toBeLessThan(150_000);
  });

  it('refers to style sheets that may be kept forever', async () => {
    const [, address = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? [];
    const response = await fetch(app.url + address);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('has no style sheets under other names', async () => {
    const response = await fetch(`${app.url}/-/assets/base.css`);
    expect([response.status, await response.json()]).toEqual([404, { message: '404 Not found' }]);
  });
});
