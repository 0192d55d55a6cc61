import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/members/roles.js';
import { VISIBILITY } from '../../src/identity/members/visibility.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

interface NoteBody {
  id: number;
  body: string;
  updated_at: string;
}

interface Place {
  project: MadeProject;
  snippetId: number;
  /** Path of the snippet's notes. */
  notes: string;
}

/** A public project of the owner with a public snippet of theirs. */
async function place(visibility: keyof typeof VISIBILITY = 'public'): Promise<Place> {
  const { namespaceId, id: authorId } = owner.user;
  const project = await makeProject(app, { namespaceId, visibility: 'public' });
  const { id: snippetId } = await makeSnippet(app, {
    authorId,
    projectId: project.id,
    visibility: VISIBILITY[visibility],
    files: null,
  });
  return { project, snippetId, notes: `/projects/${project.id}/snippets/${snippetId}/notes` };
}

const member = (of: MadeProject, role: Role): Promise<MadeActor> => makeMemberOf(app, of, role);

async function comment(actor: MadeActor, { notes }: Place, more: object = {}): Promise<NoteBody> {
  const response = await actor.api.post(notes, { body: 'Nice trick', ...more });
  expect(response.status).toBe(201);
  return response.body as NoteBody;
}

async function bodiesOf(actor: MadeActor, path: string): Promise<string[]> {
  const response = await actor.api.get(path).expect(200);
  return (response.body as NoteBody[]).map(({ body }) => body);
}

/** Returns the events of the note. */
function eventsOf(noteId: number): Promise<object[]> {
  return app.dataSource.query(
    `SELECT project_id AS "projectId", author_id AS "authorId", action,
       noteable_type AS "noteableType", noteable_id AS "noteableId"
     FROM events WHERE target_type = 4 AND target_id = $1`,
    [noteId],
  );
}

describe('POST /projects/:id/snippets/:snippet_id/notes', () => {
  it('answers 201 with the whole note, which is an event', async () => {
    const here = await place();
    const { user, api: client } = await makeActor(app);
    const response = await client.post(here.notes, { body: 'Nice **trick**' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.any(Number),
      type: null,
      body: 'Nice **trick**',
      attachment: null,
      author: {
        id: user.id,
        username: user.username,
        name: user.name,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: expect.stringMatching(new RegExp(`/${user.username}$`)),
      },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      system: false,
      noteable_id: here.snippetId,
      noteable_type: 'Snippet',
      project_id: here.project.id,
      resolvable: false,
      confidential: false,
      internal: false,
      noteable_iid: null,
      imported: false,
      imported_from: 'none',
      commands_changes: {},
    });
    expect(await eventsOf(response.body.id as number)).toEqual([
      {
        projectId: here.project.id,
        authorId: user.id,
        action: 6,
        noteableType: 6,
        noteableId: here.snippetId,
      },
    ]);
  });

  it.each([
    [{}, { message: '400 (Bad request) "body" not given', error: 'body is missing' }],
    [{ body: ' \n' }, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    [
      { body: 'x', internal: true },
      {
        message: '400 Bad request - Note {:confidential=>["can not be set for this resource"]}',
      },
    ],
  ])('refuses what is no comment on a snippet (%#)', async (body, refusal) => {
    const response = await owner.api.post((await place()).notes, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(refusal);
  });

  it('takes the time from owners and administrators only', async () => {
    const here = await place();
    const created_at = '2026-01-02T03:04:05.678Z';
    for (const actor of [owner, await makeAdmin(app)]) {
      expect(await comment(actor, here, { created_at })).toMatchObject({ created_at });
    }
    const maintainer = await member(here.project, 'maintainer');
    expect(await comment(maintainer, here, { created_at })).not.toMatchObject({ created_at });
  });
});

describe('the notes of a snippet', () => {
  it('are listed the newest first, or as asked, and shown alone', async () => {
    const here = await place();
    const first = await comment(owner, here, { body: 'one', created_at: '2026-01-01T00:00:00Z' });
    await comment(owner, here, { body: 'two', created_at: '2026-01-02T00:00:00Z' });
    expect(await bodiesOf(owner, here.notes)).toEqual(['two', 'one']);
    expect(await bodiesOf(owner, `${here.notes}?sort=asc&per_page=1`)).toEqual(['one']);
    expect(await bodiesOf(owner, `${here.notes}?activity_filter=only_activity`)).toEqual([]);
    const shown = await owner.api.get(`${here.notes}/${first.id}`).expect(200);
    expect(shown.body).toEqual(first);
    const elsewhere = await place();
    await owner.api.get(`${elsewhere.notes}/${first.id}`).expect(404);
  });

  it('are changed and deleted by their author and by who keeps the project', async () => {
    const here = await place();
    const author = await makeActor(app);
    const { id } = await comment(author, here);
    const path = `${here.notes}/${id}`;
    for (const actor of [await makeActor(app), await member(here.project, 'developer')]) {
      await actor.api.put(path, { body: 'Mine' }).expect(403);
      await actor.api.delete(path).expect(403);
    }
    expect((await author.api.put(path, { body: 'Better' }).expect(200)).body).toMatchObject({
      id,
      body: 'Better',
    });
    await author.api.put(path, { body: '' }).expect(400);
    const old = 'Wed, 01 Jan 2020 00:00:00 GMT';
    await author.api.put(path, { body: 'x' }).set('If-Unmodified-Since', old).expect(412);
    await author.api.delete(path).set('If-Unmodified-Since', old).expect(412);
    await (await member(here.project, 'maintainer')).api.delete(path).expect(204);
    await author.api.get(path).expect(404);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('go with the snippet, and their events with them', async () => {
    const here = await place();
    const { id } = await comment(owner, here);
    await owner.api.delete(here.notes.replace('/notes', '')).expect(204);
    await owner.api.get(here.notes).expect(404);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('of deleted users are those of the ghost', async () => {
    const here = await place();
    const admin = await makeAdmin(app);
    const author = await makeActor(app);
    const { id } = await comment(author, here);
    await admin.api.delete(`/users/${author.user.id}`).expect(204);
    const shown = await owner.api.get(`${here.notes}/${id}`).expect(200);
    expect(shown.body).toMatchObject({ body: 'Nice trick', author: { username: 'ghost' } });
  });
});

describe('who sees and writes notes of snippets', () => {
  it('needs a sign-in, also in public projects', async () => {
    const here = await place();
    const { id } = await comment(owner, here);
    await api(app.url).get(here.notes).expect(401);
    await api(app.url).get(`${here.notes}/${id}`).expect(401);
    await api(app.url).post(here.notes, { body: 'x' }).expect(401);
    await comment(await makeActor(app), here);
  });

  it('follows the visibility of the snippet', async () => {
    const here = await place('private');
    const { id } = await comment(owner, here);
    const stranger = await makeActor(app);
    const hidden = await stranger.api.get(here.notes);
    expect([hidden.status, hidden.body]).toEqual([404, { message: '404 Snippet Not Found' }]);
    await stranger.api.get(`${here.notes}/${id}`).expect(404);
    await stranger.api.post(here.notes, { body: 'x' }).expect(404);
    await comment(await member(here.project, 'guest'), here);
  });

  it('takes no comments in archived projects, nor where snippets are off', async () => {
    const here = await place();
    const { id } = await comment(owner, here);
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [
      here.project.id,
    ]);
    await owner.api.post(here.notes, { body: 'x' }).expect(403);
    await owner.api.put(`${here.notes}/${id}`, { body: 'x' }).expect(403);
    await owner.api.delete(`${here.notes}/${id}`).expect(403);
    await owner.api.get(here.notes).expect(200);
    await app.dataSource.query('UPDATE projects SET snippets_enabled = false WHERE id = $1', [
      here.project.id,
    ]);
    await owner.api.get(here.notes).expect(403);
  });

  it('finds none beneath personal snippets', async () => {
    const here = await place();
    const personal = await makeSnippet(app, { authorId: owner.user.id, files: null });
    await owner.api.get(`/projects/${here.project.id}/snippets/${personal.id}/notes`).expect(404);
    await owner.api.get(`/snippets/${personal.id}/notes`).expect(404);
  });
});
