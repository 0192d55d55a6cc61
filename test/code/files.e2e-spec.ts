import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { publishClone } from '../support/code-factories.js';
import { makeToken } from '../support/factories.js';
import { type CodeWorld, makeCodeWorld } from './world.js';

const ODD = encodeURIComponent('src/ä b.txt');
const LARGE = 'x'.repeat(1023) + '\n';
let app: TestApp;
let world: CodeWorld;

beforeAll(async () => {
  app = await sharedTestApp();
  world = await makeCodeWorld(app);
  const { sandbox, project } = world;
  await sandbox.commit('work', 'large.txt', LARGE.repeat(2_048));
  await sandbox.commit('work', 'huge.txt', LARGE.repeat(11 * 1_024));
  await sandbox.commit('work', 'page.html', '<script>alert(1)</script>');
  await publishClone(app, sandbox, { directory: 'work', projectId: project.id });
});
afterAll(async () => {
  await world.sandbox.remove();
});

interface Entry {
  id: string;
  name: string;
  path: string;
}

async function tree(query: string): Promise<Entry[]> {
  const { body } = await world.owner.api.get(`${world.base}/tree${query}`).expect(200);
  return body as Entry[];
}

describe('GET …/repository/tree', () => {
  it('lists a folder, folders first', async () => {
    expect(await tree('?ref=v1.2')).toEqual([
      { id: expect.any(String), name: 'src', type: 'tree', path: 'src', mode: '040000' },
      {
        id: expect.any(String),
        name: 'README.md',
        type: 'blob',
        path: 'README.md',
        mode: '100644',
      },
      { id: expect.any(String), name: 'logo', type: 'blob', path: 'logo', mode: '100644' },
    ]);
    expect((await tree('?ref=v1.2&path=src')).map(({ path }) => path)).toEqual(['src/ä b.txt']);
    const all = await tree('?ref=v1.2&recursive=true');
    expect(all.map(({ path }) => path)).toEqual(['src', 'README.md', 'logo', 'src/ä b.txt']);
  });

  it('pages by number and by keyset', async () => {
    const byNumber = await world.owner.api.get(`${world.base}/tree?ref=v1.2&per_page=2&page=2`);
    expect(byNumber.body).toHaveLength(1);
    expect(byNumber.headers['x-total']).toBe('3');
    const pages: string[][] = [];
    const start = `${world.base}/tree?ref=v1.2&per_page=2&pagination=keyset`;
    for (let path: string | undefined = start; path !== undefined;) {
      const answer: Response = await world.owner.api.get(path).expect(200);
      pages.push((answer.body as Entry[]).map(({ name }) => name));
      const link = answer.headers['link'] ?? '';
      path = /^<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(link)?.[1];
    }
    expect(pages).toEqual([['src', 'README.md'], ['logo'], []]);
    const bad = await world.owner.api.get(`${start}&page_token=x`).expect(400);
    expect(bad.body).toMatchObject({ error: 'page_token is invalid' });
  });

  it.each(['?path=none', '?path=README.md', '?ref=none', '?path=../x', '?path=src/../src'])(
    'finds no folder %s',
    async (query) => {
      const { body } = await world.owner.api.get(`${world.base}/tree${query}`).expect(404);
      expect(body).toEqual({ message: '404 Tree Not Found' });
    },
  );
});

describe('GET …/repository/files/:file_path', () => {
  it('shows a file whole', async () => {
    const path = `${world.base}/files/run.sh?ref=main`;
    const { body } = await world.owner.api.get(path).expect(200);
    const [entry] = (await tree('')).filter(({ name }) => name === 'run.sh');
    expect(body).toEqual({
      file_name: 'run.sh',
      file_path: 'run.sh',
      size: 10,
      encoding: 'base64',
      content: Buffer.from('#!/bin/sh\n').toString('base64'),
      content_sha256: createHash('sha256').update('#!/bin/sh\n').digest('hex'),
      ref: 'main',
      blob_id: entry?.id,
      commit_id: await world.sandbox.run(['rev-parse', 'main'], 'work'),
      last_commit_id: world.latest,
      execute_filemode: true,
    });
  });

  it('sends the same by HEAD, for files of any size', async () => {
    const { body } = await world.owner.api.get(`${world.base}/files/${ODD}?ref=v1.2`).expect(200);
    const head = await world.owner.api.head(`${world.base}/files/${ODD}?ref=v1.2`).expect(200);
    const shown = body as Record<string, string | number>;
    expect(head.headers).toMatchObject({
      'x-svc-blob-id': shown['blob_id'],
      'x-svc-commit-id': world.first,
      'x-svc-content-sha256': shown['content_sha256'],
      'x-svc-encoding': 'base64',
      'x-svc-execute-filemode': 'false',
      'x-svc-file-name': '%C3%A4%20b.txt',
      'x-svc-file-path': 'src/%C3%A4%20b.txt',
      'x-svc-last-commit-id': world.first,
      'x-svc-ref': 'v1.2',
      'x-svc-size': '8',
    });
    const huge = await world.owner.api.head(`${world.base}/files/huge.txt`).expect(200);
    expect(huge.headers['x-svc-size']).toBe(String(11 * 1_024 * 1_024));
    const refused = await world.owner.api.get(`${world.base}/files/huge.txt`).expect(400);
    expect(refused.body).toEqual({
      message: '400 Bad request - file is too large, read it raw',
    });
  });

  it('answers 404 for what is no file', async () => {
    for (const path of ['none', 'src', '..%2Fx', '%3A(top)README.md', '*']) {
      const { body } = await world.owner.api.get(`${world.base}/files/${path}`).expect(404);
      expect(body).toEqual({ message: '404 File Not Found' });
    }
    const { body } = await world.owner.api.get(`${world.base}/files/logo?ref=none`).expect(404);
    expect(body).toEqual({ message: '404 Commit Not Found' });
  });

  it('opens to a token that only reads repositories', async () => {
    const token = await makeToken(app, world.owner.user, { scopes: ['read_repository'] });
    const client = api(app.url, token);
    await client.get(`${world.base}/files/run.sh`).expect(200);
    await client.get(`${world.base}/files/run.sh/raw`).expect(200);
    await client.get(`${world.base}/tree`).expect(403);
  });
});

describe('GET …/raw', () => {
  it('is cacheable only for public projects', async () => {
    const path = `${world.base}/files/run.sh/raw`;
    const { headers } = await world.owner.api.get(path).expect(200);
    expect(headers['cache-control']).toBe('private, no-store');
  });

  it('sends bytes that no browser runs', async () => {
    const path = `${world.base}/files/page.html/raw`;
    const { text, headers } = await world.owner.api.get(path).expect(200);
    expect(text).toBe('<script>alert(1)</script>');
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `inline; filename="page.html"; filename*=UTF-8''page.html`,
      'content-length': '25',
    });
    const logo = await world.owner.api.get(`${world.base}/files/logo/raw`).expect(200);
    expect(logo.headers['content-type']).toBe('image/png');
  });

  it('streams a long file, and sends its length by HEAD', async () => {
    const path = `${world.base}/files/large.txt/raw?ref=main`;
    const { text, headers } = await world.owner.api.get(path).expect(200);
    expect(text === LARGE.repeat(2_048)).toBe(true);
    expect(headers['content-length']).toBe(String(2_048 * 1_024));
    const head = await world.owner.api.head(path).expect(200);
    expect(head.headers['content-length']).toBe(String(2_048 * 1_024));
    expect(head.text).toBeUndefined();
  });

  it('shows and sends blobs by their id', async () => {
    const [entry] = (await tree('?path=src')) as [Entry];
    const { body } = await world.owner.api.get(`${world.base}/blobs/${entry.id}`).expect(200);
    expect(body).toEqual({
      size: 8,
      encoding: 'base64',
      content: Buffer.from('one\ntwo\n').toString('base64'),
      sha: entry.id,
    });
    const raw = await world.owner.api.get(`${world.base}/blobs/${entry.id}/raw`).expect(200);
    expect(raw.text).toBe('one\ntwo\n');
    for (const id of [world.first, '1'.repeat(40), '--all']) {
      for (const rest of ['', '/raw']) {
        const missing = await world.owner.api.get(`${world.base}/blobs/${id}${rest}`).expect(404);
        expect(missing.body).toEqual({ message: '404 Blob Not Found' });
      }
    }
  });
});
