import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { VISIBILITY } from '../../src/identity/members/visibility.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import type { MadeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import { makeMemberOf, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let owner: MadeUser;
let pages: PageClient;

beforeAll(async () => {
  app = await sharedTestApp();
  ({ user: owner, pages } = await makeVisitor(app));
});

interface Place {
  projectId: number;
  /** Address of the snippet's page. */
  path: string;
}

async function place(): Promise<Place> {
  const { namespaceId, id: authorId } = owner;
  const { id: projectId, fullPath } = await makeProject(app, { namespaceId, visibility: 'public' });
  const visibility = VISIBILITY.public;
  const { id } = await makeSnippet(app, { authorId, projectId, visibility });
  return { projectId, path: `/${fullPath}/-/snippets/${id}` };
}

async function comment({ path }: Place, body: string, by = pages): Promise<number> {
  const sent = await by.post(`${path}/notes`, { body }).expect(303);
  const target = String(sent.headers['location']);
  expect(target.startsWith(`${path}#note_`)).toBe(true);
  return Number(target.slice(`${path}#note_`.length));
}

async function read(path: string, by: PageClient = pages): Promise<string> {
  return textOf((await by.get(path).expect(200)).text);
}

describe('comments on the page of a project’s snippet', () => {
  it('are written in Markdown, changed and deleted by their author', async () => {
    const here = await place();
    expect(await read(here.path)).toContain('No comments yet');
    const id = await comment(here, 'A **neat** trick\r\nindeed');
    const { text } = await pages.get(here.path).expect(200);
    expect(text).toContain('<strong>neat</strong>');
    const edit = `${here.path}/notes/${id}/edit`;
    expect(text).toContain(`href="${edit}"`);
    expect(await read(edit)).toContain('A **neat** trick');
    await pages.post(edit, { body: 'Second thoughts' }).expect(303);
    expect(await read(here.path)).toContain('Second thoughts');
    await pages.post(`${here.path}/notes/${id}/delete`).expect(303);
    expect(await read(here.path)).not.toContain('Second thoughts');
  });

  it('that say nothing are refused, with what was typed in', async () => {
    const here = await place();
    const { text } = await pages.post(`${here.path}/notes`, { body: ' ' }).expect(422);
    expect(textOf(text)).toContain("Body can't be blank.");
    const id = await comment(here, 'Something');
    await pages.post(`${here.path}/notes/${id}/edit`, { body: '' }).expect(422);
    const tooLong = 'x'.repeat(1_000_001);
    await pages.post(`${here.path}/notes/${id}/edit`, { body: tooLong }).expect(422);
    expect(await read(here.path)).toContain('Something');
  });

  it('of others are for Maintainers to change, for strangers to read', async () => {
    const here = await place();
    const id = await comment(here, 'Something');
    const anonymous = await request(app.url).get(here.path).expect(200);
    expect(textOf(anonymous.text)).toContain('Sign in to comment.');
    expect(textOf(anonymous.text)).toContain('Something');
    const { pages: stranger } = await makeVisitor(app);
    const seen = await stranger.get(here.path).expect(200);
    expect(seen.text).not.toContain(`notes/${id}/edit`);
    await stranger.get(`${here.path}/notes/${id}/edit`).expect(403);
    await stranger.post(`${here.path}/notes/${id}/delete`).expect(403);
    await comment(here, 'Mine', stranger);
    const { user } = await makeMemberOf(app, { id: here.projectId }, 'maintainer');
    const maintainer = await signedIn(app, user);
    await maintainer.post(`${here.path}/notes/${id}/delete`).expect(303);
  });

  it('are closed in archived projects, and there are none beneath personal snippets', async () => {
    const here = await place();
    const id = await comment(here, 'Something');
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [
      here.projectId,
    ]);
    const shown = await read(here.path);
    expect(shown).toContain('The project is archived.');
    expect(shown).toContain('Something');
    await pages.post(`${here.path}/notes`, { body: 'x' }).expect(404);
    await pages.post(`${here.path}/notes/${id}/delete`).expect(404);
    const personal = await makeSnippet(app, { authorId: owner.id });
    expect(await read(`/-/snippets/${personal.id}`)).not.toContain('Comments');
  });
});
