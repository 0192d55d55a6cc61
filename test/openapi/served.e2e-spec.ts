import { gzipSync } from 'node:zlib';
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

describe('the API reference', () => {
  let document: OpenApiDocument;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    document = (await api(app.url).get('/openapi.json')).body as OpenApiDocument;
    const overview = await page('/-/docs/api');
    const found = overview.matchAll(/href="(\/-\/docs\/api\/[a-z-]+)"/g);
    for (const path of new Set([...found].map(([, path = '']) => path))) {
      pages.set(path, await page(path));
    }
    pages.set('/-/docs/api', overview);
  });

  async function page(path: string): Promise<string> {
    const response = await fetch(app.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  }

  it('shows every operation with its path on the page of its resource', () => {
    const missing = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item).flatMap(({ operationId, tags: [tag = ''] }) => {
        const html = pages.get(`/-/docs/api/${tag.toLowerCase().replaceAll(' ', '-')}`) ?? '';
        return [`id="${operationId}"`, `<code>${path}</code>`].filter(
          (text) => !html.includes(text),
        );
      }),
    );
    expect(missing).toEqual([]);
  });

  it('has examples for three languages with the URL of this instance', () => {
    const html = pages.get('/-/docs/api/issues') ?? '';
    const url = `${app.url}/api/v4/projects/tools%2Fbuilders%2Flathe/issues`;
    expect(html).toContain(
      `curl &quot;${url}&quot; \\\n  -H &quot;PRIVATE-TOKEN: $TOKEN&quot; \\\n  --json '{&quot;title&quot;:&quot;Cutting plan&quot;}'`,
    );
    expect(html).toContain(`fetch('${url}', {\n  method: 'POST',`);
    expect(html).toContain(`requests.post(\n    &quot;${url}&quot;,`);
  });

  it('links only to what is there, with each ID once per page', () => {
    const faults: string[] = [];
    const idsOf = (path: string): string[] =>
      [...(pages.get(path) ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
    for (const [path, html] of pages) {
      const ids = idsOf(path);
      if (new Set(ids).size !== ids.length) faults.push(`${path} has an ID twice`);
      for (const [, to = '', id = ''] of html.matchAll(/href="(\/-\/docs\/api[^"#]*)?#([^"]+)"/g)) {
        if (!idsOf(to || path).includes(id)) faults.push(`${path}: ${to}#${id}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('gives each resource an icon of its own in the sidebar', () => {
    const [sidebar = ''] = /<aside[^]*?<\/aside>/.exec(pages.get('/-/docs/api') ?? '') ?? [];
    const link = /<a [^>]*href="(\/-\/docs\/api\/[a-z-]+)"[^>]*>\s*<svg[^>]*>([^]*?)<\/svg>/g;
    const resources = new Map<string, string>();
    for (const [, path = '', outline = ''] of sidebar.matchAll(link)) {
      resources.set(outline, `${resources.get(outline) ?? ''}${path}`);
    }
    expect([...resources.values()].sort()).toEqual([...pages.keys()].sort().slice(1));
  });

  it('is small when compressed, and needs nothing from elsewhere', async () => {
    const faults: string[] = [];
    for (const path of pages.keys()) {
      const response = await fetch(app.url + path, { headers: { 'Accept-Encoding': 'gzip' } });
      const html = await response.text();
      expect(response.headers.get('content-encoding')).toBe('gzip');
      const bytes = gzipSync(html).length;
      if (bytes > 60_000) faults.push(`${path} has ${bytes} bytes`);
      const loaded = [...html.matchAll(/<(?:link|img|script)[^>]*(?:href|src)="([^"]*)"/g)];
      faults.push(...loaded.flatMap(([, from = '']) => (from.startsWith('/') ? [] : [from])));
    }
    expect(faults).toEqual([]);
  });

  it('finds operations by words, paths and methods', async () => {
    const found = await page('/-/docs/api?search=POST+notes+merge');
    expect(found).toContain('href="/-/docs/api/notes#');
    expect(found).not.toContain('aria-label="Resources"');
    expect(await page('/-/docs/api?search=no+such+operation')).toContain(
      'No operations match your search',
    );
    const part = await fetch(`${app.url}/-/docs/api?search=drain`, {
      headers: { 'HX-Request': 'true' },
    });
    expect(await part.text()).not.toContain('<html');
  });

  it('is 404 for an unknown resource', async () => {
    expect((await fetch(`${app.url}/-/docs/api/unknown`)).status).toBe(404);
  });
});
