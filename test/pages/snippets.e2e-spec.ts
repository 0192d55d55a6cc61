import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

const XSS = '</code><script>alert(1)</script>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const FIELDS = { title: 'Sharpening', description: 'How to', visibility: 'private' };

function file(at: number, path: string, content: string): Record<string, string> {
  return { [`files[${at}][file_path]`]: path, [`files[${at}][content]`]: content };
}

function known(at: number, path: string): Record<string, string> {
  return { [`files[${at}][previous_path]`]: path };
}

async function rawOf(pages: PageClient, address: string, path: string): Promise<string> {
  return (await pages.get(`${address}/raw/main/${path}`).expect(200)).text;
}

describe('new snippets', () => {
  it('are made by a form; line breaks of browsers become those of files', async () => {
    const { pages } = await makeVisitor(app);
    await pages.get('/-/snippets/new').expect(200);
    const made = await pages
      .post('/-/snippets/new', { ...FIELDS, ...file(0, 'bin/sharpen.sh', 'one\r\ntwo\r\n') })
      .expect(303);
    const address = String(made.headers['location']);
    const { text } = await pages.get(address).expect(200);
    expect(text).toMatch(
      /<span id="L1"><a .*><\/a>one\n<\/span><span id="L2"><a .*><\/a>two\n<\/span>/,
    );
    expect(textOf(text)).toContain('bin/sharpen.sh');
    expect(await rawOf(pages, address, 'bin/sharpen.sh')).toBe('one\ntwo\n');
    expect(textOf((await pages.get('/-/snippets')).text)).toContain('Sharpening');
  });

  it('show what is wrong, with what was typed in', async () => {
    const { pages } = await makeVisitor(app);
    const bad = { ...FIELDS, title: '', ...file(0, '../escape', XSS) };
    const { text } = await pages.post('/-/snippets/new', bad).expect(422);
    expect(textOf(text)).toContain('Title is empty.');
    expect(textOf(text)).toContain('should be a valid file path');
    expect(text).not.toContain(XSS);
    const none = await pages.post('/-/snippets/new', { ...FIELDS, ...file(0, '', '') }).expect(422);
    expect(textOf(none.text)).toContain('content is missing');
  });

  it('are not for external users', async () => {
    const { pages } = await makeVisitor(app, { external: true });
    expect((await pages.get('/-/snippets').expect(200)).text).not.toContain('/-/snippets/new');
    await pages.get('/-/snippets/new').expect(404);
    await pages.post('/-/snippets/new', { ...FIELDS, ...file(0, 'a', 'b') }).expect(404);
  });

  it('are not made by a form without its token', async () => {
    const { pages } = await makeVisitor(app);
    await request(app.url)
      .post('/-/snippets/new')
      .set('Cookie', `_svc_session=${pages.cookie}`)
      .type('form')
      .send({ ...FIELDS, ...file(0, 'a', 'b') })
      .expect(422);
    expect(textOf((await pages.get('/-/snippets')).text)).toContain('No snippets yet');
  });
});

describe('a snippet', () => {
  it('is shown to who may see it, everything in it escaped', async () => {
    const { pages, user } = await makeVisitor(app);
    const files = { 'x.html': XSS, 'blob.bin': 'a\0b' };
    const snippet = await makeSnippet(app, {
      authorId: user.id,
      title: XSS,
      description: XSS,
      visibility: 20,
      files,
    });
    const { text } = await request(app.url).get(`/-/snippets/${snippet.id}`).expect(200);
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toContain('Preview not available');
    expect(text).not.toContain('/edit');
    expect((await pages.get(`/-/snippets/${snippet.id}`)).text).toContain('/edit');
    const raw = await request(app.url).get(`/-/snippets/${snippet.id}/raw/main/x.html`);
    expect(raw.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it('does not exist for others when it is private', async () => {
    const { user } = await makeVisitor(app);
    const { id } = await makeSnippet(app, { authorId: user.id });
    const { pages } = await makeVisitor(app);
    await pages.get(`/-/snippets/${id}`).expect(404);
    await pages.get(`/-/snippets/${id}/edit`).expect(404);
    await pages.get(`/-/snippets/${id}/raw`).expect(404);
    await pages.get(`/-/snippets/${id}/raw/main/notes.txt`).expect(404);
    await pages.post(`/-/snippets/${id}/edit`, FIELDS).expect(404);
    await pages.post(`/-/snippets/${id}/delete`).expect(404);
  });

  it('is not changed by who only sees it', async () => {
    const { user } = await makeVisitor(app);
    const { id } = await makeSnippet(app, { authorId: user.id, visibility: 20 });
    const { pages } = await makeVisitor(app);
    await pages.get(`/-/snippets/${id}/edit`).expect(404);
    await pages.post(`/-/snippets/${id}/edit`, FIELDS).expect(404);
    await pages.post(`/-/snippets/${id}/delete`).expect(404);
    expect(await app.dataSource.manager.existsBy(Snippet, { id })).toBe(true);
  });

  it('is changed: files are written, renamed, added and deleted', async () => {
    const { pages, user } = await makeVisitor(app);
    const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' };
    const { id } = await makeSnippet(app, { authorId: user.id, files });
    const address = `/-/snippets/${id}`;
    const { text } = await pages.get(`${address}/edit`).expect(200);
    expect(text).toContain('name="files[4][file_path]"');
    const change = {
      ...FIELDS,
      ...known(0, 'a.txt'),
      ...file(0, 'a.txt', 'changed\r\n'),
      ...known(1, 'b.txt'),
      ...file(1, 'renamed.txt', 'b\r\n'),
      ...known(2, 'c.txt'),
      ...file(2, 'c.txt', 'c\r\n'),
      'files[2][delete]': 'true',
      ...known(3, 'd.txt'),
      ...file(3, 'd.txt', 'd\r\n'),
      ...file(4, 'new.txt', 'new'),
    };
    await pages.post(`${address}/edit`, change).expect(303);
    const row = await app.dataSource.manager.findOneByOrFail(Snippet, { id });
    expect(row).toMatchObject({ title: 'Sharpening', description: 'How to' });
    expect(row.filePaths).toEqual(['a.txt', 'd.txt', 'new.txt', 'renamed.txt']);
    expect(await rawOf(pages, address, 'a.txt')).toBe('changed\n');
    expect(await rawOf(pages, address, 'renamed.txt')).toBe('b\n');
    expect(await rawOf(pages, address, 'd.txt')).toBe('d\n');
  });

  it('keeps its files when only its title changes', async () => {
    const { pages, user } = await makeVisitor(app);
    const { id } = await makeSnippet(app, { authorId: user.id, files: { 'a.txt': 'a\n' } });
    const change = { ...FIELDS, ...known(0, 'a.txt'), ...file(0, 'a.txt', 'a\r\n') };
    await pages.post(`/-/snippets/${id}/edit`, change).expect(303);
    expect(await rawOf(pages, `/-/snippets/${id}`, 'a.txt')).toBe('a\n');
  });

  it('shows what is wrong with a change', async () => {
    const { pages, user } = await makeVisitor(app);
    const { id } = await makeSnippet(app, { authorId: user.id, files: { 'a.txt': 'a\n' } });
    const change = { ...FIELDS, ...known(0, 'a.txt'), ...file(0, 'a.txt', 'a') };
    const { text } = await pages
      .post(`/-/snippets/${id}/edit`, { ...change, 'files[0][delete]': 'true' })
      .expect(422);
    expect(textOf(text)).toContain('Files must have at least one file.');
    expect(text).toContain('value="Sharpening"');
  });

  it('is deleted after a question', async () => {
    const { pages, user } = await makeVisitor(app);
    const { id } = await makeSnippet(app, { authorId: user.id });
    expect(textOf((await pages.get(`/-/snippets/${id}`)).text)).toContain(
      'This permanently deletes',
    );
    await pages.post(`/-/snippets/${id}/delete`).expect(303);
    await pages.get(`/-/snippets/${id}`).expect(404);
  });
});

describe('snippets of a project', () => {
  it('are listed, shown and made below its address', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user, role: 'reporter' });
    const list = `/${project.fullPath}/-/snippets`;
    const made = await pages
      .post(`${list}/new`, { ...FIELDS, ...file(0, 'a.txt', 'a') })
      .expect(303);
    const address = String(made.headers['location']);
    expect(address.startsWith(`${list}/`)).toBe(true);
    expect(textOf((await pages.get(address).expect(200)).text)).toContain('Sharpening');
    expect(textOf((await pages.get(list).expect(200)).text)).toContain('Sharpening');
    const id = address.slice(list.length + 1);
    const led = await pages.get(`/-/snippets/${id}`).expect(303);
    expect(led.headers['location']).toBe(address);
    const change = { ...FIELDS, title: 'Other', ...known(0, 'a.txt'), ...file(0, 'a.txt', 'a') };
    await pages.post(`${address}/edit`, change).expect(303);
    expect(textOf((await pages.get(`${address}/edit`)).text)).toContain('Edit snippet');
    expect(await rawOf(pages, address, 'a.txt')).toBe('a');
    await pages.post(`${address}/delete`).expect(303);
    await pages.get(address).expect(404);
  });

  it('are not made by guests, nor in an archived project', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    await makeMember(app, { project, user, role: 'guest' });
    await pages.get(`/${project.fullPath}/-/snippets`).expect(200);
    await pages.get(`/${project.fullPath}/-/snippets/new`).expect(404);
    const owner = await makeVisitor(app);
    const own = await makeProject(app, { namespaceId: owner.user.namespaceId, archived: true });
    await owner.pages.get(`/${own.fullPath}/-/snippets/new`).expect(404);
  });

  it('are nothing where snippets are turned off', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const { id } = await makeSnippet(app, { authorId: user.id, projectId: project.id });
    const path = `/${project.fullPath}/-/snippets`;
    await pages.get(`${path}/${id}`).expect(200);
    await app.dataSource.manager.update(Project, { id: project.id }, { snippetsEnabled: false });
    await pages.get(path).expect(404);
    await pages.get(`${path}/${id}`).expect(404);
    await pages.get(`${path}/new`).expect(404);
    expect((await pages.get(`/${project.fullPath}`)).text).not.toContain(path);
  });

  it('belong to their project only', async () => {
    const { pages, user } = await makeVisitor(app);
    const [one, two] = [
      await makeProject(app, { namespaceId: user.namespaceId }),
      await makeProject(app, { namespaceId: user.namespaceId }),
    ];
    const { id } = await makeSnippet(app, { authorId: user.id, projectId: one.id });
    await pages.get(`/${two.fullPath}/-/snippets/${id}`).expect(404);
    await pages.post(`/${two.fullPath}/-/snippets/${id}/delete`).expect(404);
    await pages.get(`/${one.fullPath}/-/snippets/${id}`).expect(200);
  });
});
