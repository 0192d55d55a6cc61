import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import { makeOwnedGroup, makeProject, type MadeProject } from '../support/project-factories.js';
import { cloneOf, type WorkTree } from '../support/pushed-repository.js';

const XSS = '<img src=x onerror=alert(1)>';
const README = `# The loom

See [the guide](docs/guide.md), ![picture](docs/loom.png) and [bad](javascript:alert(1)). ${XSS}
`;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

let app: TestApp;
let pages: PageClient;
let project: MadeProject;
let tree: WorkTree;
let base: string;

async function write(path: string, content: string | Buffer): Promise<void> {
  const file = join(tree.sandbox.path, 'work', path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
}

beforeAll(async () => {
  app = await sharedTestApp();
  const visitor = await makeVisitor(app);
  pages = visitor.pages;
  const group = await makeOwnedGroup(app, visitor, { visibility: 'public' });
  const files = { 'README.md': README, 'docs/guide.md': '# Guide\n\n[up](../README.md)\n' };
  const options = { namespaceId: group.id, visibility: 'public', files } as const;
  project = await makeProject(app, options);
  base = `/${project.fullPath}/-`;
  tree = await cloneOf(app, project);
  await write('docs/loom.png', PNG);
  await write('bin/thread', Buffer.from([1, 0, 2]));
  await write('empty.txt', '');
  await write('-/tree/deep.txt', 'deep\n');
  await write('a?b #c%20/d.txt', 'odd\n');
  await write(`${XSS.replaceAll('/', '')}.txt`, `${XSS}\nsecond\n`);
  await write('page.html', '<script>alert(1)</script>');
  await write('long.txt', 'line\n'.repeat(6_000));
  await write('long.md', '# Long\n\nA *line* of prose.\n\n'.repeat(2_000));
  await write('complex.md', `# Title\n\n${'![*'.repeat(20_000)}`);
  await write('huge.txt', 'x'.repeat(1024 * 1024 + 1));
  const folder = join(tree.sandbox.path, 'work', 'docs');
  await writeFile(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]), 'latin\n');
  await symlink('docs/guide.md', join(tree.sandbox.path, 'work', 'link'));
  await tree.git('add', '--all');
  await tree.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`);
  await tree.git('commit', '--quiet', '-m', 'Add odd files');
  await tree.git('branch', 'feature/x');
  await tree.git('tag', 'v1');
  await tree.push();
});
afterAll(async () => {
  await tree.sandbox.remove();
});

describe('the overview of a project', () => {
  it('shows its files, its newest commit and its README, safely', async () => {
    const { text } = await request(app.url).get(`/${project.fullPath}`).expect(200);
    expect(text).not.toContain(XSS);
    const shown = textOf(text);
    expect(shown).toContain('Test Author: Add odd files');
    expect(shown).toContain('Folder: docs');
    expect(shown).toContain('Symbolic link: link');
    expect(shown).toContain('2 branches 1 tag');
    expect(shown).toContain(`See the guide , picture and [bad](javascript:alert(1)). ${XSS}`);
    expect(text).toContain(`href="${base}/blob/main/docs/guide.md"`);
  });

  it('is shown without files to who may not read code, and while they are away', async () => {
    const { namespaceId } = project;
    const away = await makeProject(app, { namespaceId, visibility: 'public', emptyRepo: false });
    const { text } = await pages.get(`/${away.fullPath}`).expect(200);
    expect(textOf(text)).toContain('Repository temporarily unavailable.');
    const off = { visibility: 'public', repositoryEnabled: false, files: { a: 'a' } } as const;
    const { fullPath } = await makeProject(app, { namespaceId, ...off });
    const page = await pages.get(`/${fullPath}`).expect(200);
    expect(page.text).not.toContain('Clone');
    await pages.get(`/${fullPath}/-/tree/main`).expect(404);
    await pages.get(`/${fullPath}/-/raw/main/a`).expect(404);
  });
});

describe('folders', () => {
  it('show the last commit of each entry, and their own', async () => {
    const { text } = await pages.get(`${base}/tree/main`).expect(200);
    expect(textOf(text)).toContain('Test Author: Add odd files');
    expect(textOf(text)).toMatch(/File: README\.md Initial commit 20\d\d-.* UTC/);
    expect(textOf(text)).toMatch(/Folder: docs Add odd files 20\d\d-.* UTC/);
    const docs = textOf((await pages.get(`${base}/tree/main/docs`).expect(200)).text);
    expect(docs).toMatch(/Parent directory.*File: guide\.md Initial commit/);
  });

  it('list folders first, links and submodules by what they are', async () => {
    const { text } = await pages.get(`${base}/tree/feature/x`).expect(200);
    const shown = textOf(text);
    expect(shown.indexOf('Folder: vendor')).toBeLessThan(shown.indexOf('File: README.md'));
    const vendor = await pages.get(`${base}/tree/feature/x/vendor`).expect(200);
    expect(textOf(vendor.text)).toMatch(/Submodule: lib @ [0-9a-f]{8}/);
    await pages.get(`${base}/tree/main/vendor/lib`).expect(404);
    await pages.get(`${base}/tree/main/none`).expect(404);
    await pages.get(`${base}/tree/none`).expect(404);
  });

  it('are found under any name', async () => {
    const root = await pages.get(`${base}/tree/main`).expect(200);
    const odd = `${base}/tree/main/a%3Fb%20%23c%2520`;
    expect(root.text).toContain(`href="${odd}"`);
    expect(textOf((await pages.get(odd).expect(200)).text)).toContain('d.txt');
    expect(root.text).toContain(`href="${base}/tree/main/%2D"`);
    const deep = await pages.get(`${base}/blob/main/%2D/tree/deep.txt`).expect(200);
    expect(deep.text).toContain('deep\n');
  });

  it('hold names that are no text, too', async () => {
    const { text } = await pages.get(`${base}/tree/main/docs`).expect(200);
    expect(text).toContain('caf\ufffd');
    await pages.get(`${base}/blob/main/docs/caf%EF%BF%BD`).expect(404);
    const commit = await pages.get(`${base}/commit/main`).expect(200);
    expect(commit.text).toContain('docs/caf\ufffd');
  });

  it('and files lead to each other', async () => {
    const folder = await pages.get(`${base}/blob/main/docs`).expect(303);
    expect(folder.headers['location']).toBe(`${base}/tree/main/docs`);
    const file = await pages.get(`${base}/tree/main/docs/guide.md`).expect(303);
    expect(file.headers['location']).toBe(`${base}/blob/main/docs/guide.md`);
  });

  it('switch to another branch or tag at the same place', async () => {
    const { text } = await pages.get(`${base}/tree/v1/docs`).expect(200);
    expect(text).toContain('<option value="v1" selected>');
    const query = 'ref=feature%2Fx&destination=blob&path=docs%2Fguide.md';
    const { headers } = await pages.get(`${base}/refs/switch?${query}`).expect(303);
    expect(headers['location']).toBe(`${base}/blob/feature/x/docs/guide.md`);
    await pages.get(String(headers['location'])).expect(200);
    const root = await pages.get(`${base}/refs/switch?ref=%2F%2Fevil.example`).expect(303);
    expect(root.headers['location']).toMatch(new RegExp(`^${base}/tree/`));
  });
});

describe('files', () => {
  it('are shown with an address for each line', async () => {
    const name = encodeURIComponent(`${XSS}.txt`);
    const { text } = await pages.get(`${base}/blob/main/${name}`).expect(200);
    expect(text).not.toContain(XSS);
    expect(text).toContain('<span id="L2"><a href="#L2" data-line="2"');
    expect(textOf(text)).toContain(`${XSS} second`);
  });

  it('in Markdown are rendered, or shown as they were written', async () => {
    const { text } = await pages.get(`${base}/blob/main/docs/guide.md`).expect(200);
    expect(text).toContain(`<a href="${base}/blob/main/README.md"`);
    const plain = await pages.get(`${base}/blob/main/docs/guide.md?plain=1`).expect(200);
    expect(plain.text.replace(/<[^<>]*>/g, '')).toContain('[up](../README.md)');
  });

  it('in Markdown are rendered when long, and up to the first overly complex block', async () => {
    const long = await pages.get(`${base}/blob/main/long.md`);
    expect(long.text.match(/<em>line<\/em>/g)).toHaveLength(2_000);
    const complex = await pages.get(`${base}/blob/main/complex.md`);
    expect(complex.text).toContain('<h3>Title</h3>');
    expect(textOf(complex.text)).toContain('too complex to render and is shown as plain text');
    expect(complex.text).toContain('>![*![*');
  });

  it('that are no text are shown as pictures or offered for download', async () => {
    const picture = await pages.get(`${base}/blob/main/docs/loom.png`).expect(200);
    expect(picture.text).toContain(`src="${base}/raw/main/docs/loom.png"`);
    const binary = await pages.get(`${base}/blob/main/bin/thread`).expect(200);
    expect(textOf(binary.text)).toContain('the file is binary or too large');
    const link = await pages.get(`${base}/blob/main/link`).expect(200);
    expect(textOf(link.text)).toContain('This is a symbolic link to docs/guide.md');
    const empty = await pages.get(`${base}/blob/main/empty.txt`).expect(200);
    expect(textOf(empty.text)).toContain('The file is empty.');
  });

  it('that are long are shown from their beginning, longer ones not at all', async () => {
    const { text } = await pages.get(`${base}/blob/main/long.txt`).expect(200);
    expect(text).toContain('id="L5000"');
    expect(text).not.toContain('id="L5001"');
    expect(textOf(text)).toContain('Only the first 5,000 lines are shown.');
    const huge = await pages.get(`${base}/blob/main/huge.txt`).expect(200);
    expect(textOf(huge.text)).toContain('the file is binary or too large');
    expect(textOf(huge.text)).toContain('Download');
  });

  it('are sent raw as nothing that a browser runs', async () => {
    const page = await pages.get(`${base}/raw/main/page.html`).expect(200);
    expect(page.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.headers['content-security-policy']).toContain('sandbox');
    expect(page.text).toBe('<script>alert(1)</script>');
    const picture = await pages.get(`${base}/raw/main/docs/loom.png`).expect(200);
    expect(picture.headers['content-type']).toBe('image/png');
    const binary = await pages.get(`${base}/raw/main/bin/thread`).expect(200);
    expect(binary.headers['content-type']).toBe('application/octet-stream');
    await pages.get(`${base}/raw/main/docs`).expect(404);
    await pages.get(`${base}/raw/main/none`).expect(404);
  });
});

describe('branches and tags', () => {
  it('are listed with their commits and found by name', async () => {
    const { text } = await pages.get(`${base}/branches`).expect(200);
    expect(textOf(text)).toContain('main Default');
    expect(text).toContain(`${base}/compare?from=main&amp;to=feature%2Fx`);
    const found = await pages.get(`${base}/branches?search=feat`).expect(200);
    expect(textOf(found.text)).not.toContain('main Default');
    const none = await pages.get(`${base}/branches?search=zzz`).expect(200);
    expect(textOf(none.text)).toContain('No branches match your search');
    const tags = await pages.get(`${base}/tags`).expect(200);
    expect(textOf(tags.text)).toContain('v1');
    expect(textOf(tags.text)).toContain('Add odd files');
  });
});

describe('comparing', () => {
  it('shows what one revision has that another one lacks', async () => {
    const first = await tree.git('rev-parse', 'main~1');
    const { text } = await pages.get(`${base}/compare?from=${first}&to=main`).expect(200);
    expect(textOf(text)).toContain('Add odd files');
    expect(text).toContain('id="file-1"');
    const back = await pages.get(`${base}/compare?from=main&to=${first}`).expect(200);
    expect(textOf(back.text)).toContain('No changes');
  });

  it('asks for two revisions, and names the unknown one', async () => {
    const form = await pages.get(`${base}/compare`).expect(200);
    expect(form.text).toContain('name="from"');
    const { text } = await pages.get(`${base}/compare?from=main&to=%3Cb%3E`).expect(404);
    expect(textOf(text)).toContain('There is no branch, tag or commit <b>.');
    expect(text).not.toContain('<b>');
  });
});
