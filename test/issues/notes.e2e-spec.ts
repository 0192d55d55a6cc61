import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { Role } from '../../src/identity/members/roles.js';
import { writeSystemNotes } from '../../src/workspace/notes/notes.repository.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

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
  internal: boolean;
}

interface Place {
  project: MadeProject;
  issueId: number;
  /** Path of the issue's notes. */
  notes: string;
}

/** A public project of the owner with an issue of theirs. */
async function place(
  issue: Record<string, unknown> = {},
  attributes: Partial<Parameters<typeof makeProject>[1]> = {},
): Promise<Place> {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, visibility: 'public', ...attributes });
  const path = `/projects/${project.id}/issues`;
  const response = await owner.api.post(path, { title: unique('Roof '), ...issue }).expect(201);
  const { id: issueId, iid } = response.body as { id: number; iid: number };
  return { project, issueId, notes: `${path}/${iid}/notes` };
}

const member = (of: MadeProject, role: Role): Promise<MadeActor> => makeMemberOf(app, of, role);

async function comment(actor: MadeActor, { notes }: Place, more: object = {}): Promise<NoteBody> {
  const response = await actor.api.post(notes, { body: 'Look at the gutter', ...more });
  expect(response.status).toBe(201);
  return response.body as NoteBody;
}

async function bodiesOf(actor: MadeActor, path: string): Promise<string[]> {
  const response = await actor.api.get(path).expect(200);
  return (response.body as NoteBody[]).map(({ body }) => body);
}

function systemNote(issueId: number, body: string): Promise<void> {
  const note = { issueId, authorId: owner.user.id, body };
  return writeSystemNotes((text, values) => app.dataSource.query(text, values), [note]);
}

describe('POST /projects/:id/issues/:issue_iid/notes', () => {
  it('answers 201 with the whole note', async () => {
    const here = await place();
    const { user, api: client } = await makeActor(app);
    const response = await client.post(here.notes, { body: 'Look at the **gutter**' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.any(Number),
      type: null,
      body: 'Look at the **gutter**',
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
      noteable_id: here.issueId,
      noteable_type: 'Issue',
      project_id: here.project.id,
      resolvable: false,
      confidential: false,
      internal: false,
      noteable_iid: 1,
      imported: false,
      imported_from: 'none',
      commands_changes: {},
    });
  });

  it('counts as a change of the issue', async () => {
    const here = await place();
    const path = here.notes.replace('/notes', '');
    const before = (await owner.api.get(path)).body as { updated_at: string };
    await comment(owner, here);
    const after = (await owner.api.get(path)).body as { updated_at: string };
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  });

  it.each([
    [{}, { message: '400 (Bad request) "body" not given', error: 'body is missing' }],
    [{ body: ' \n' }, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    [
      { body: 'x'.repeat(1_000_001) },
      {
        message: '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}',
      },
    ],
  ])('refuses a text that is no note (%#)', async (body, refusal) => {
    const here = await place();
    const response = await owner.api.post(here.notes, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(refusal);
  });

  it('takes the longest text', async () => {
    const body = 'x'.repeat(1_000_000);
    expect((await comment(owner, await place(), { body })).body).toBe(body);
  });

  it('takes the time from owners and administrators only', async () => {
    const here = await place();
    const created_at = '2026-01-02T03:04:05.678Z';
    const admin = await makeAdmin(app);
    const maintainer = await member(here.project, 'maintainer');
    for (const actor of [owner, admin]) {
      expect(await comment(actor, here, { created_at })).toMatchObject({ created_at });
    }
    const dated = await comment(maintainer, here, { created_at });
    expect(dated).not.toMatchObject({ created_at });
  });

  it('lets Reporters and above write internal notes', async () => {
    const here = await place();
    const reporter = await member(here.project, 'reporter');
    expect(await comment(reporter, here, { internal: true })).toMatchObject({ internal: true });
    expect(await comment(reporter, here, { confidential: 1 })).toMatchObject({
      internal: true,
      confidential: true,
    });
    for (const actor of [await member(here.project, 'guest'), await makeActor(app)]) {
      await actor.api.post(here.notes, { body: 'Hush', internal: true }).expect(403);
    }
    expect(await bodiesOf(reporter, here.notes)).toHaveLength(2);
  });

  it('lets only members into a locked discussion', async () => {
    const here = await place();
    await app.dataSource.query('UPDATE issues SET discussion_locked = true WHERE id = $1', [
      here.issueId,
    ]);
    const stranger = await makeActor(app);
    const response = await stranger.api.post(here.notes, { body: 'Me too' });
    expect(response.status).toBe(403);
    expect(response.body).toEqual({ message: '403 Forbidden' });
    await comment(await member(here.project, 'guest'), here);
    await comment(await makeAdmin(app), here);
    expect(await bodiesOf(stranger, here.notes)).toHaveLength(2);
  });

  it('is refused in archived projects and where issues are off', async () => {
    const here = await place();
    const note = await comment(owner, here);
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [
      here.project.id,
    ]);
    await owner.api.post(here.notes, { body: 'x' }).expect(403);
    await owner.api.put(`${here.notes}/${note.id}`, { body: 'x' }).expect(403);
    await owner.api.delete(`${here.notes}/${note.id}`).expect(403);
    await owner.api.get(here.notes).expect(200);
    await app.dataSource.query('UPDATE projects SET issues_enabled = false WHERE id = $1', [
      here.project.id,
    ]);
    await owner.api.get(here.notes).expect(403);
  });
});

describe('GET /projects/:id/issues/:issue_iid/notes', () => {
  it('lists the newest first, or in the order that was asked for', async () => {
    const here = await place();
    const first = await comment(owner, here, { body: 'one', created_at: '2026-01-01T00:00:00Z' });
    await comment(owner, here, { body: 'two', created_at: '2026-01-02T00:00:00Z' });
    expect(await bodiesOf(owner, here.notes)).toEqual(['two', 'one']);
    expect(await bodiesOf(owner, `${here.notes}?sort=asc`)).toEqual(['one', 'two']);
    await owner.api.put(`${here.notes}/${first.id}`, { body: 'one!' }).expect(200);
    expect(await bodiesOf(owner, `${here.notes}?order_by=updated_at`)).toEqual(['one!', 'two']);
    await owner.api.get(`${here.notes}?sort=up`).expect(400);
    await owner.api.get(`${here.notes}?order_by=body`).expect(400);
  });

  it('pages with totals', async () => {
    const here = await place();
    for (const body of ['one', 'two', 'three']) await comment(owner, here, { body });
    const response = await owner.api.get(`${here.notes}?per_page=2&sort=asc`);
    expect((response.body as NoteBody[]).map(({ body }) => body)).toEqual(['one', 'two']);
    expect(response.headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' });
  });

  it('tells what people wrote from what the server noted', async () => {
    const here = await place();
    await comment(owner, here, { body: 'said' });
    await systemNote(here.issueId, 'moved');
    expect(await bodiesOf(owner, `${here.notes}?activity_filter=only_comments`)).toEqual(['said']);
    expect(await bodiesOf(owner, `${here.notes}?activity_filter=only_activity`)).toEqual(['moved']);
    expect(await bodiesOf(owner, `${here.notes}?activity_filter=all_notes`)).toHaveLength(2);
    await owner.api.get(`${here.notes}?activity_filter=some`).expect(400);
  });

  it('hides internal notes from everyone below Reporter, their totals included', async () => {
    const here = await place();
    const note = await comment(owner, here, { body: 'hush', internal: true });
    await comment(owner, here, { body: 'aloud' });
    for (const actor of [await member(here.project, 'guest'), await makeActor(app)]) {
      const response = await actor.api.get(here.notes);
      expect((response.body as NoteBody[]).map(({ body }) => body)).toEqual(['aloud']);
      expect(response.headers['x-total']).toBe('1');
      await actor.api.get(`${here.notes}/${note.id}`).expect(404);
      await actor.api.put(`${here.notes}/${note.id}`, { body: 'x' }).expect(404);
    }
    expect(await bodiesOf(await makeAdmin(app), here.notes)).toEqual(['aloud', 'hush']);
  });

  it('requires authentication also for public issues', async () => {
    const here = await place();
    const note = await comment(owner, here);
    for (const path of [here.notes, `${here.notes}/${note.id}`]) {
      const response = await api(app.url).get(path);
      expect(response.status).toBe(401);
      expect(response.body).toEqual({ message: '401 Unauthorized' });
    }
  });

  it('does not tell a confidential issue from one that does not exist', async () => {
    const here = await place({ confidential: true });
    const note = await comment(owner, here);
    const stranger = await makeActor(app);
    const unknown = here.notes.replace('/issues/1/', '/issues/2/');
    for (const path of ['', `/${note.id}`]) {
      const hidden = await stranger.api.get(here.notes + path);
      const missing = await stranger.api.get(unknown + path);
      expect(hidden.status).toBe(404);
      expect(hidden.body).toEqual(missing.body);
    }
    await stranger.api.post(here.notes, { body: 'x' }).expect(404);
    await stranger.api.delete(`${here.notes}/${note.id}`).expect(404);
  });
});

describe('GET, PUT and DELETE /projects/:id/issues/:issue_iid/notes/:note_id', () => {
  it('shows the note', async () => {
    const here = await place();
    const note = await comment(owner, here);
    const response = await owner.api.get(`${here.notes}/${note.id}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(note);
  });

  it.each(['x', '1.5'])('refuses %s as an id', async (id) => {
    await owner.api.get(`${(await place()).notes}/${id}`).expect(400);
  });

  it('knows the notes of this issue only', async () => {
    const here = await place();
    const there = await place();
    const note = await comment(owner, there);
    for (const id of [note.id, 0, '99999999999999999999']) {
      const response = await owner.api.get(`${here.notes}/${id}`);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ message: '404 Note Not Found' });
    }
    await owner.api.put(`${here.notes}/${note.id}`, { body: 'x' }).expect(404);
    await owner.api.delete(`${here.notes}/${note.id}`).expect(404);
    await owner.api.get(`${there.notes}/${note.id}`).expect(200);
  });

  it('lets the author, Maintainers and administrators change and delete a comment', async () => {
    const here = await place();
    const author = await makeActor(app);
    const maintainer = await member(here.project, 'maintainer');
    for (const actor of [author, maintainer, await makeAdmin(app)]) {
      const { id, updated_at: before } = await comment(author, here);
      const response = await actor.api.put(`${here.notes}/${id}`, { body: 'changed' }).expect(200);
      expect(response.body).toMatchObject({ body: 'changed', author: { id: author.user.id } });
      expect((response.body as NoteBody).updated_at >= before).toBe(true);
      const gone = await actor.api.delete(`${here.notes}/${id}`);
      expect([gone.status, gone.text]).toEqual([204, '']);
      await actor.api.get(`${here.notes}/${id}`).expect(404);
    }
  });

  it('refuses everyone else', async () => {
    const here = await place();
    const { id } = await comment(owner, here);
    for (const actor of [await member(here.project, 'developer'), await makeActor(app)]) {
      await actor.api.put(`${here.notes}/${id}`, { body: 'x' }).expect(403);
      await actor.api.delete(`${here.notes}/${id}`).expect(403);
    }
    await api(app.url).delete(`${here.notes}/${id}`).expect(401);
  });

  it('lets no one change system notes', async () => {
    const here = await place();
    await systemNote(here.issueId, 'closed');
    const [note] = (await owner.api.get(here.notes)).body as [NoteBody];
    for (const actor of [owner, await makeAdmin(app)]) {
      await actor.api.put(`${here.notes}/${note.id}`, { body: 'x' }).expect(403);
      await actor.api.delete(`${here.notes}/${note.id}`).expect(403);
    }
  });

  it('changes nothing that was changed meanwhile, or without a text', async () => {
    const here = await place();
    const { id } = await comment(owner, here);
    const old = 'Wed, 01 Jan 2020 00:00:00 GMT';
    const path = `${here.notes}/${id}`;
    await owner.api.put(path, { body: 'x' }).set('If-Unmodified-Since', old).expect(412);
    await owner.api.delete(path).set('If-Unmodified-Since', old).expect(412);
    await owner.api.put(path, {}).expect(400);
    await owner.api.put(path, { body: ' ' }).expect(400);
    expect(await bodiesOf(owner, here.notes)).toEqual(['Look at the gutter']);
  });

  it('goes with its issue, and stays when its author goes', async () => {
    const here = await place();
    const author = await makeActor(app);
    await comment(author, here);
    await (await makeAdmin(app)).api.delete(`/users/${author.user.id}`).expect(204);
    const [left] = (await owner.api.get(here.notes)).body as [{ author: { username: string } }];
    expect(left.author.username).toMatch(/^ghost/);
    await owner.api.delete(here.notes.replace('/notes', '')).expect(204);
    const rows = await app.dataSource.query('SELECT 1 FROM notes WHERE issue_id = $1', [
      here.issueId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('comments of a megabyte', () => {
  it('are listed whole as far as a list has room, and each whole by itself', async () => {
    const there = await place({ description: 'd'.repeat(1_000_000) });
    const words = 'word '.repeat(190_000).trim();
    const made: NoteBody[] = [];
    for (let count = 0; count < 6; count += 1) {
      made.push(await comment(owner, there, { body: `${count} ${words}` }));
    }
    const listed = await owner.api.get(there.notes).expect(200);
    const lengths = (listed.body as NoteBody[]).map((note) => note.body.length);
    expect(lengths.sort((a, b) => a - b)).toEqual([
      10_001,
      10_001,
      ...Array(4).fill(words.length + 2),
    ]);
    const single = await owner.api.get(`${there.notes}/${made.at(-1)?.id}`).expect(200);
    expect(single.body).toMatchObject({ body: `5 ${words}` });
    const page = there.notes.replace(/^.*issues/, `/${there.project.fullPath}/-/issues`);
    const shown = await request(app.url)
      .get(page.replace(/\/notes$/, ''))
      .expect(200);
    expect(shown.text.length).toBeLessThan(2_500_000);
    expect(shown.text).toContain('This comment is truncated.');
  });
});
