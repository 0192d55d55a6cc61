import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeAdmin, makeToken, type MadeActor } from '../support/factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let author: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  author = await makeActor(app);
});

interface SnippetBody {
  id: number;
  [key: string]: unknown;
}

const NEITHER = 'files, content are missing, exactly one parameter must be provided';

describe('creating a personal snippet', () => {
  it('answers 201 with the whole snippet', async () => {
    const response = await author.api.post('/snippets', {
      title: 'Two files',
      description: 'What they do',
      visibility: 'internal',
      files: [
        { file_path: 'src/b.ts', content: 'export const b = 1;\n' },
        { file_path: 'a #1.txt', content: 'first' },
      ],
    });

    expect(response.status).toBe(201);
    const { id, created_at: createdAt, updated_at: updatedAt } = response.body as SnippetBody;
    const webUrl = `${app.url}/-/snippets/${id}`;
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(response.body).toEqual({
      id,
      title: 'Two files',
      file_name: 'a #1.txt',
      description: 'What they do',
      visibility: 'internal',
      author: {
        id: author.user.id,
        username: author.user.username,
        name: author.user.name,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: `${app.url}/${author.user.username}`,
      },
      created_at: createdAt,
      updated_at: updatedAt,
      project_id: null,
      web_url: webUrl,
      raw_url: `${webUrl}/raw`,
      ssh_url_to_repo: null,
      http_url_to_repo: `${app.url}/snippets/${id}.git`,
      files: [
        { path: 'a #1.txt', raw_url: `${webUrl}/raw/main/a%20%231.txt` },
        { path: 'src/b.ts', raw_url: `${webUrl}/raw/main/src/b.ts` },
      ],
      imported: false,
      imported_from: 'none',
    });
  });

  it('takes content with file_name, private unless told otherwise', async () => {
    const response = await author.api.post('/snippets', {
      title: 'One file',
      content: 'puts 1',
      file_name: 'one.rb',
    });

    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ visibility: 'private', file_name: 'one.rb' });
  });

  it.each([
    [
      'indexed keys',
      'files[0][file_path]=x.txt&files[0][content]=X&files[1][file_path]=y.txt&files[1][content]=Y',
    ],
    [
      'appended keys',
      'files[][file_path]=x.txt&files[][content]=X&files[][file_path]=y.txt&files[][content]=Y',
    ],
  ])('reads files of a form with %s', async (_, files) => {
    const response = await author.api.post('/snippets').send(`title=Form&${files}`);

    expect(response.status).toBe(201);
    const paths = (response.body as { files: { path: string }[] }).files.map(({ path }) => path);
    expect(paths).toEqual(['x.txt', 'y.txt']);
  });

  it('reads files of a multipart form', async () => {
    const response = await author.api
      .post('/snippets')
      .field('title', 'Multipart')
      .field('files[0][file_path]', 'm.txt')
      .field('files[0][content]', 'M');

    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ file_name: 'm.txt' });
  });

  it('shows the storage to administrators only', async () => {
    const admin = await makeAdmin(app);
    const body = { title: 'Mine', content: 'x', file_name: 'x' };

    expect((await admin.api.post('/snippets', body)).body).toMatchObject({
      repository_storage: 'default',
    });
    expect((await author.api.post('/snippets', body)).body).not.toHaveProperty(
      'repository_storage',
    );
  });

  it.each<[string, object, string]>([
    ['no title', { content: 'x', file_name: 'x' }, 'title is missing'],
    ['an empty title', { title: ' ', content: 'x', file_name: 'x' }, 'title is empty'],
    ['neither files nor content', { title: 't' }, NEITHER],
    [
      'files and content',
      { title: 't', content: 'x', files: [{ file_path: 'a', content: 'b' }] },
      'files, content are mutually exclusive',
    ],
    ['content without file_name', { title: 't', content: 'x' }, 'file_name is missing'],
    ['empty content', { title: 't', content: '', file_name: 'x' }, 'content is empty'],
    ['no files at all', { title: 't', files: [] }, 'files is empty'],
    ['files that are text', { title: 't', files: 'a' }, 'files is invalid'],
    ['files that are numbers', { title: 't', files: [1] }, 'files is invalid'],
    [
      'a file without path',
      { title: 't', files: [{ content: 'b' }] },
      'files[file_path] is missing',
    ],
    [
      'a file without content',
      { title: 't', files: [{ file_path: 'b' }] },
      'files[content] is missing',
    ],
    [
      'an unknown visibility',
      { title: 't', content: 'x', file_name: 'x', visibility: 'secret' },
      'visibility does not have a valid value',
    ],
    ['a title that is a list', { title: ['t'], content: 'x', file_name: 'x' }, 'title is invalid'],
  ])('refuses %s', async (_, body, error) => {
    const response = await author.api.post('/snippets', body);

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error });
  });

  it('names the missing attribute in both keys', async () => {
    const response = await author.api.post('/snippets', { content: 'x', file_name: 'x' });

    expect(response.body).toEqual({
      message: '400 (Bad request) "title" not given',
      error: 'title is missing',
    });
  });

  it.each([
    '../up',
    'a/../b',
    '/etc/passwd',
    'a//b',
    './a',
    '.git/config',
    'a/.GIT/hooks/post-update',
    'git~1/x',
    'back\\slash',
    'line\nbreak',
    'x'.repeat(256),
  ])('refuses the path %j', async (path) => {
    const byName = await author.api.post('/snippets', {
      title: 't',
      content: 'x',
      file_name: path,
    });
    const byFiles = await author.api.post('/snippets', {
      title: 't',
      files: [{ file_path: path, content: 'x' }],
    });

    expect([byName.status, byName.body]).toEqual([
      400,
      expect.objectContaining({ error: 'file_name should be a valid file path' }),
    ]);
    expect([byFiles.status, byFiles.body]).toEqual([
      400,
      expect.objectContaining({ error: 'files[file_path] should be a valid file path' }),
    ]);
  });

  it.each<[string, string[], string]>([
    ['eleven files', Array.from({ length: 11 }, (_, n) => `f${n}`), 'can have at most 10 files'],
    ['one path twice', ['a', 'a'], 'have the same path more than once'],
    ['a file that is a folder', ['a', 'a/b'], 'have a both as file and as folder'],
  ])('refuses %s', async (_, paths, message) => {
    const files = paths.map((path) => ({ file_path: path, content: 'x' }));
    const response = await author.api.post('/snippets', { title: 't', files });

    expect([response.status, response.body]).toEqual([400, { message: { files: [message] } }]);
  });

  it('refuses a title of 256 characters', async () => {
    const body = { title: 'x'.repeat(256), content: 'x', file_name: 'x' };
    const response = await author.api.post('/snippets', body);

    expect([response.status, response.body]).toEqual([
      400,
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ]);
  });

  it('refuses a body above the limit with 413', async () => {
    const body = { title: 't', content: 'x'.repeat(1024 * 1024), file_name: 'x' };

    expect((await author.api.post('/snippets', body)).status).toBe(413);
  });

  it('refuses anonymous requests with 401, a read-only token and external users with 403', async () => {
    const body = { title: 't', content: 'x', file_name: 'x' };
    const reader = await makeToken(app, author.user, { scopes: ['read_api'] });
    const external = await makeActor(app, { external: true });

    expect((await api(app.url).post('/snippets', body)).status).toBe(401);
    expect((await api(app.url, reader).post('/snippets', body)).body).toMatchObject({
      error: 'insufficient_scope',
    });
    expect((await external.api.post('/snippets', body)).status).toBe(403);
  });
});

describe('changing a personal snippet', () => {
  const make = (files?: Record<string, string>) =>
    makeSnippet(app, { authorId: author.user.id, ...(files && { files }) });
  const pathsOf = (body: unknown): string[] =>
    (body as { files: { path: string }[] }).files.map(({ path }) => path);
  const raw = async (id: number, path: string): Promise<string> =>
    (await author.api.get(`/snippets/${id}/files/main/${encodeURIComponent(path)}/raw`)).text;

  it('changes title, description and visibility without a commit', async () => {
    const { id } = await make();
    const response = await author.api.put(`/snippets/${id}`, {
      title: 'New',
      description: null,
      visibility: 'public',
    });

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ title: 'New', description: null, visibility: 'public' });
    expect(pathsOf(response.body)).toEqual(['notes.txt']);
  });

  it('creates, updates, moves and deletes files in one request', async () => {
    const { id } = await make({ 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C', 'd.txt': 'D' });
    const response = await author.api.put(`/snippets/${id}`, {
      files: [
        { action: 'create', file_path: 'new/e.txt', content: 'E' },
        { action: 'update', file_path: 'a.txt', content: 'A2' },
        { action: 'move', previous_path: 'b.txt', file_path: 'moved.txt' },
        { action: 'move', previous_path: 'c.txt', file_path: 'b.txt', content: 'C2' },
        { action: 'delete', file_path: 'd.txt' },
      ],
    });

    expect(response.status).toBe(200);
    expect(pathsOf(response.body)).toEqual(['a.txt', 'b.txt', 'moved.txt', 'new/e.txt']);
    const contents = await Promise.all(
      ['a.txt', 'b.txt', 'moved.txt', 'new/e.txt'].map((path) => raw(id, path)),
    );
    expect(contents).toEqual(['A2', 'C2', 'B', 'E']);
  });

  it('changes content and name of a single file', async () => {
    const { id } = await make();

    expect((await author.api.put(`/snippets/${id}`, { content: 'Two' })).status).toBe(200);
    expect(await raw(id, 'notes.txt')).toBe('Two');
    const renamed = await author.api.put(`/snippets/${id}`, { file_name: 'n.md' });
    expect(pathsOf(renamed.body)).toEqual(['n.md']);
    expect(await raw(id, 'n.md')).toBe('Two');
  });

  it('wants the files parameter for a snippet with several files', async () => {
    const { id } = await make({ a: 'A', b: 'B' });
    const response = await author.api.put(`/snippets/${id}`, { content: 'x' });

    expect([response.status, response.body]).toEqual([
      400,
      {
        message: {
          error: 'To update Snippets with multiple files, you must use the `files` parameter',
        },
      },
    ]);
  });

  it.each<[string, object, object]>([
    [
      'no parameter',
      {},
      {
        error:
          'content, description, files, file_name, title, visibility are missing, at least one parameter must be provided',
      },
    ],
    ['an empty title', { title: '' }, { error: 'title is empty' }],
    [
      'files with content',
      { content: 'x', files: [{ action: 'delete', file_path: 'a' }] },
      { error: 'files, content are mutually exclusive' },
    ],
    [
      'files with file_name',
      { file_name: 'x', files: [{ action: 'delete', file_path: 'a' }] },
      { error: 'files, file_name are mutually exclusive' },
    ],
    [
      'an unknown action',
      { files: [{ action: 'chmod', file_path: 'a' }] },
      { error: 'files[action] does not have a valid value' },
    ],
    ['no action', { files: [{ file_path: 'a' }] }, { error: 'files[action] is missing' }],
    [
      'create without content',
      { files: [{ action: 'create', file_path: 'b' }] },
      { error: 'files[content] is missing' },
    ],
    [
      'move without previous_path',
      { files: [{ action: 'move', file_path: 'b' }] },
      { error: 'files[previous_path] is missing' },
    ],
    [
      'a bad previous_path',
      { files: [{ action: 'move', file_path: 'b', previous_path: '../a' }] },
      { error: 'files[previous_path] should be a valid file path' },
    ],
    [
      'an update of no file',
      { files: [{ action: 'update', file_path: 'b', content: 'x' }] },
      { message: { files: ['have no file b'] } },
    ],
    [
      'a move of no file',
      { files: [{ action: 'move', previous_path: 'b', file_path: 'c' }] },
      { message: { files: ['have no file b'] } },
    ],
    [
      'creating what is there',
      { files: [{ action: 'create', file_path: 'a', content: 'x' }] },
      { message: { files: ['already have a file a'] } },
    ],
    [
      'deleting the last file',
      { files: [{ action: 'delete', file_path: 'a' }] },
      { message: { files: ['must have at least one file'] } },
    ],
    [
      'an eleventh file',
      {
        files: Array.from({ length: 10 }, (_, n) => ({
          action: 'create',
          file_path: `n${n}`,
          content: 'x',
        })),
      },
      { message: { files: ['can have at most 10 files'] } },
    ],
  ])('refuses %s', async (_, body, expected) => {
    const { id } = await make({ a: 'A' });
    const response = await author.api.put(`/snippets/${id}`, body);

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject(expected);
    expect(await raw(id, 'a')).toBe('A');
  });

  it('is for the author and administrators', async () => {
    const { id } = await makeSnippet(app, { authorId: author.user.id, visibility: 20 });
    const [other, admin] = [await makeActor(app), await makeAdmin(app)];

    expect((await api(app.url).put(`/snippets/${id}`, { title: 'x' })).status).toBe(401);
    expect((await other.api.put(`/snippets/${id}`, { title: 'x' })).status).toBe(403);
    expect((await other.api.delete(`/snippets/${id}`)).status).toBe(403);
    expect((await admin.api.put(`/snippets/${id}`, { title: 'x' })).status).toBe(200);
  });

  it('answers 412 when the snippet changed since the given date', async () => {
    const { id } = await make();
    const longAgo = 'Wed, 21 Oct 2015 07:28:00 GMT';
    const put = author.api
      .put(`/snippets/${id}`, { title: 'x' })
      .set('If-Unmodified-Since', longAgo);

    expect((await put).body).toEqual({ message: '412 Precondition Failed' });
    const remove = author.api.delete(`/snippets/${id}`).set('If-Unmodified-Since', longAgo);
    expect((await remove).status).toBe(412);
  });

  it('records who opened a private snippet to others', async () => {
    const { id } = await make();
    await author.api.put(`/snippets/${id}`, { visibility: 'public' });

    const rows: unknown[] = await app.dataSource.query(
      `SELECT author_id, action, details FROM audit_events
       WHERE target_type = 'Snippet' AND target_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        author_id: author.user.id,
        action: 'snippet_visibility_changed',
        details: { visibility: { from: 'private', to: 'public' } },
      },
    ]);
  });
});

describe('deleting a personal snippet', () => {
  it('answers 204 without a body, and 404 from then on', async () => {
    const { id } = await makeSnippet(app, { authorId: author.user.id });
    const response = await author.api.delete(`/snippets/${id}`);

    expect([response.status, response.text]).toEqual([204, '']);
    expect((await author.api.get(`/snippets/${id}`)).body).toEqual({
      message: '404 Snippet Not Found',
    });
    expect((await author.api.delete(`/snippets/${id}`)).status).toBe(404);
  });
});

describe('raw content of a snippet', () => {
  it('is plain text that no browser interprets', async () => {
    const content = '<script>alert(1)</script>';
    const { id } = await makeSnippet(app, {
      authorId: author.user.id,
      visibility: 20,
      files: { 'Größe "1".html': content },
    });
    const response = await api(app.url).get(`/snippets/${id}/raw`);

    expect([response.status, response.text]).toEqual([200, content]);
    expect(response.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="Gr__e _1_.html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.html`,
    });
    expect((await request(app.url).head(`/api/v4/snippets/${id}/raw`)).status).toBe(200);
  });

  it('is found by branch, commit and HEAD', async () => {
    const { id } = await makeSnippet(app, {
      authorId: author.user.id,
      files: { 'deep/down/a.txt': 'A', empty: '' },
    });
    const at = (ref: string, path: string) =>
      author.api.get(`/snippets/${id}/files/${ref}/${encodeURIComponent(path)}/raw`);

    expect((await at('main', 'deep/down/a.txt')).text).toBe('A');
    expect((await at('HEAD', 'deep/down/a.txt')).text).toBe('A');
    expect([(await at('main', 'empty')).status, (await at('main', 'empty')).text]).toEqual([
      200,
      '',
    ]);
  });

  it.each([
    ['unknown/a', 'Reference'],
    ['main~1/a', 'Reference'],
    [':%2FInitial/a', 'Reference'],
    ['--help/a', 'Reference'],
    [`${'0'.repeat(40)}/a`, 'Reference'],
    ['main/b', 'File'],
    ['main/deep', 'File'],
    ['main/..%2F..%2Fetc%2Fpasswd', 'File'],
    ['main/-a', 'File'],
  ])('at %s is 404', async (place, noun) => {
    const { id } = await makeSnippet(app, {
      authorId: author.user.id,
      files: { a: 'A', 'deep/b': 'B' },
    });
    const response = await author.api.get(`/snippets/${id}/files/${place}/raw`);

    expect([response.status, response.body]).toEqual([404, { message: `404 ${noun} Not Found` }]);
  });

  it('is streamed whole when it is large', async () => {
    const content = 'All work and no play makes a dull file.\n'.repeat(200_000);
    const { id } = await makeSnippet(app, { authorId: author.user.id, files: { big: content } });
    const response = await author.api.get(`/snippets/${id}/raw`);

    expect(response.text.length).toBe(content.length);
    expect(response.text === content).toBe(true);
  });

  it('of a snippet without repository is 404', async () => {
    const { id } = await makeSnippet(app, { authorId: author.user.id, files: null });

    expect((await author.api.get(`/snippets/${id}/raw`)).body).toEqual({
      message: '404 File Not Found',
    });
    expect((await author.api.get(`/snippets/${id}/files/main/a/raw`)).body).toEqual({
      message: '404 Reference Not Found',
    });
    expect((await author.api.get(`/snippets/${id}`)).body).not.toHaveProperty('http_url_to_repo');
  });
});

describe('addressing a snippet', () => {
  it('takes integers only', async () => {
    const response = await author.api.get('/snippets/abc');

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: 'id is invalid' });
    expect((await author.api.get('/snippets/99999999999999999999')).status).toBe(404);
  });
});
