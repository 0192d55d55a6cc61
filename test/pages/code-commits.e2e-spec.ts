import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import {
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { cloneOf, type WorkTree } from '../support/pushed-repository.js';

const XSS = '<script>alert(1)</script>';

let app: TestApp;
let pages: PageClient;
let project: MadeProject;
let tree: WorkTree;
let base: string;
beforeAll(async () => {
  app = await sharedTestApp();
  const visitor = await makeVisitor(app);
  pages = visitor.pages;
  const group = await makeOwnedGroup(app, visitor);
  const files = { 'README.md': '# Loom\n', 'src/warp.ts': 'one\ntwo\nthree\n' };
  project = await makeProject(app, { namespaceId: group.id, files });
  base = `/${project.fullPath}/-`;
  tree = await cloneOf(app, project);
});
afterAll(async () => {
  await tree.sandbox.remove();
});

describe('the history of a repository', () => {
  it('lists the commits of a branch whose name has slashes, and those of a path in it', async () => {
    await tree.git('switch', '--quiet', '--create', 'feature/#1');
    const id = await tree.commit('src/weft.ts', `${XSS}\n`);
    await tree.push();
    const { text } = await pages.get(`${base}/commits/feature/%231`).expect(200);
    expect(textOf(text)).toContain('Change src/weft.ts Test Author');
    expect(textOf(text)).toContain('Initial commit');
    expect(text).toContain(`href="${base}/commit/${id}"`);
    const ofPath = await pages.get(`${base}/commits/feature/%231/src/weft.ts`).expect(200);
    expect(textOf(ofPath.text)).toContain('Change src/weft.ts');
    expect(textOf(ofPath.text)).not.toContain('Initial commit');
    await tree.git('switch', '--quiet', 'main');
  });

  it('is paged, and 404 for what no beginning of the address names', async () => {
    const { text } = await pages.get(`${base}/commits/feature/%231?per_page=1`).expect(200);
    expect(textOf(text)).not.toContain('Initial commit');
    expect(text).toContain(`${base}/commits/feature/%231?page=2`);
    await pages.get(`${base}/commits/nowhere`).expect(404);
    await pages.get(`${base}/commits/--all`).expect(404);
    await pages.get(`${base}/commit/0123456789`).expect(404);
  });
});

describe('a commit', () => {
  it('is shown by the beginning of its id with its message and changes, all escaped', async () => {
    const id = await tree.commit('src/warp.ts', `one\n${XSS}\nthree\n`);
    await tree.git('commit', '--quiet', '--amend', '-m', `Mend ${XSS}`, '-m', `Because ${XSS}`);
    const amended = await tree.git('rev-parse', 'HEAD');
    await tree.push();
    await pages.get(`${base}/commit/${id}`).expect(404);
    const { text } = await pages.get(`${base}/commit/${amended.slice(0, 8)}`).expect(200);
    expect(text).not.toContain(XSS);
    const shown = textOf(text);
    expect(shown).toContain(`Mend ${XSS}`);
    expect(shown).toContain(`Because ${XSS}`);
    expect(shown).toContain('1 file changed: 1 line added , 1 line removed .');
    // Highlighting divides the line into elements.
    expect(shown.replaceAll(' ', '')).toContain(`2−two2+${XSS}`);
    expect(text).toContain('id="file-1-old-2"');
  });

  it('takes comments of those who may read it', async () => {
    const { pages: reader, user } = await makeVisitor(app);
    await reader.get(`${base}/commit/main`).expect(404);
    await reader.post(`${base}/commit/main/comments`, { body: 'Hm' }).expect(404);
    await makeMember(app, { project, user, role: 'reporter' });
    const refused = await reader.post(`${base}/commit/main/comments`, { body: ' ' }).expect(422);
    expect(textOf(refused.text)).toContain("can't be blank");
    const { headers } = await reader
      .post(`${base}/commit/main/comments`, { body: `Well **done** ${XSS}` })
      .expect(303);
    const id = await tree.git('rev-parse', 'main');
    expect(headers['location']).toMatch(new RegExp(`^${base}/commit/${id}#note_\\d+$`));
    const { text } = await reader.get(`${base}/commit/${id}`).expect(200);
    expect(text).toContain('<strong>done</strong>');
    expect(text).not.toContain(XSS);
  });

  it('leads from a comment to the line that it is about', async () => {
    const id = await tree.git('rev-parse', 'main');
    await app.dataSource.query(
      `INSERT INTO notes (author_id, body, commit_project_id, commit_sha, commit_path, commit_line,
         commit_line_type)
       SELECT author_id, 'This line', $1, $2, 'src/warp.ts', 2, 'new' FROM notes LIMIT 1`,
      [project.id, id],
    );
    const { text } = await pages.get(`${base}/commit/${id}`).expect(200);
    expect(text).toContain('href="#file-1-new-2"');
    expect(text).toContain('id="file-1-new-2"');
  });
});

describe('pages of a repository', () => {
  it('are not there for guests of a private project, nor where it is turned off', async () => {
    const { pages: guest, user } = await makeVisitor(app);
    await makeMember(app, { project, user, role: 'guest' });
    await guest.get(`${base}/commits/main`).expect(404);
    await guest.get(`${base}/commit/main`).expect(404);
    const { namespaceId } = project;
    const off = await makeProject(app, {
      namespaceId,
      repositoryEnabled: false,
      files: { a: 'a' },
    });
    await pages.get(`/${off.fullPath}/-/commits/main`).expect(404);
  });

  it('show instructions for an empty repository', async () => {
    const { fullPath } = await makeProject(app, { namespaceId: project.namespaceId });
    const { text } = await pages.get(`/${fullPath}/-/commits/main`).expect(200);
    expect(textOf(text)).toContain('Empty repository');
  });
});
