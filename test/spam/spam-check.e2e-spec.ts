import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { changeSettings } from '../support/settings.js';
import { makeMember, makeProject, type MadeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let author: MadeActor;
let place: MadeProject;

const DISCARDED = (kind: string) => ({
  message: { error: `Your ${kind} has been recognized as spam and has been discarded.` },
});

beforeAll(async () => {
  app = await sharedTestApp();
  author = await makeActor(app);
  place = await makeProject(app, { namespaceId: author.user.namespaceId, visibility: 'public' });
});

/** More links than any account may send. */
function spam(): string {
  return Array.from({ length: 61 }, (_, n) => `Buy https://shop${n}.example/ now`).join('\n');
}

function issue(attributes: object = {}): object {
  return { title: unique('Cheap '), description: spam(), ...attributes };
}

function snippet(attributes: object = {}): object {
  const file = { file_name: 'a.txt', content: 'x' };
  return { title: 'x', description: spam(), visibility: 'public', ...file, ...attributes };
}

async function countOf(table: 'issues' | 'snippets', userId: number): Promise<number> {
  const rows: { count: number }[] = await app.dataSource.query(
    `SELECT count(*)::int AS count FROM ${table} WHERE author_id = $1`,
    [userId],
  );
  return rows[0]?.count ?? 0;
}

describe('spam without a CAPTCHA', () => {
  it('is discarded with 400, as issue and as snippet, and kept for administrators', async () => {
    const actor = await makeActor(app);
    const title = unique('Cheap ');
    const asIssue = await actor.api
      .post(`/projects/${place.id}/issues`, issue({ title }))
      .set('User-Agent', 'a browser');
    const asSnippet = await actor.api.post('/snippets', snippet());

    expect([asIssue.status, asIssue.body]).toEqual([400, DISCARDED('issue')]);
    expect([asSnippet.status, asSnippet.body]).toEqual([400, DISCARDED('snippet')]);
    expect([
      await countOf('issues', actor.user.id),
      await countOf('snippets', actor.user.id),
    ]).toEqual([0, 0]);
    const logs: unknown[] = await app.dataSource.query(
      `SELECT kind, title, checker, reason, user_agent, host(ip_address) AS ip, redeemed_at
       FROM spam_logs WHERE user_id = $1 ORDER BY id`,
      [actor.user.id],
    );
    expect(logs).toEqual([
      {
        kind: 'issue',
        title,
        checker: 'local',
        reason: '61 links',
        user_agent: 'a browser',
        ip: '127.0.0.1',
        redeemed_at: null,
      },
      expect.objectContaining({ kind: 'snippet', title: 'x' }),
    ]);
  });

  it('in a snippet of a project is discarded, too', async () => {
    const response = await author.api.post(`/projects/${place.id}/snippets`, snippet());

    expect([response.status, response.body]).toEqual([400, DISCARDED('snippet')]);
  });

  it('is judged after everything else about the request', async () => {
    const stranger = await makeActor(app);
    const closed = await makeProject(app, { namespaceId: author.user.namespaceId });
    const path = `/projects/${closed.id}/issues`;

    expect((await stranger.api.post(path, issue())).status).toBe(404);
    expect(
      (await author.api.post(`/projects/${place.id}/issues`, issue({ title: '' }))).body,
    ).toMatchObject({ error: 'title is empty' });
    expect((await author.api.post('/snippets', snippet({ file_name: null }))).body).toMatchObject({
      error: 'file_name is missing',
    });
  });
});

describe('what is not looked at', () => {
  it('is what only the author, or the members of a project, will see', async () => {
    const closed = await makeProject(app, { namespaceId: author.user.namespaceId });
    const send = [
      author.api.post('/snippets', snippet({ visibility: 'private' })),
      author.api.post(`/projects/${place.id}/issues`, issue({ confidential: true })),
      author.api.post(`/projects/${closed.id}/issues`, issue()),
    ];

    expect((await Promise.all(send)).map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  it('is what administrators publish', async () => {
    const { api } = await makeAdmin(app);

    expect((await api.post(`/projects/${place.id}/issues`, issue())).status).toBe(201);
    expect((await api.post('/snippets', snippet())).status).toBe(201);
  });

  it('is anything while the setting is off', async () => {
    await changeSettings(app, { spam_check_enabled: false });
    const response = await author.api.post('/snippets', snippet());
    await changeSettings(app, { spam_check_enabled: true });

    expect(response.status).toBe(201);
    expect((await author.api.post('/snippets', snippet())).status).toBe(400);
  });
});

describe('spam that comes with a change', () => {
  it('of an issue is discarded, and the issue stays as it was', async () => {
    const created = await author.api.post(`/projects/${place.id}/issues`, { title: 'Honest' });
    const path = `/projects/${place.id}/issues/${(created.body as { iid: number }).iid}`;
    const response = await author.api.put(path, { description: spam() });

    expect([response.status, response.body]).toEqual([400, DISCARDED('issue')]);
    expect((await author.api.get(path)).body).toMatchObject({ description: null });
    expect((await author.api.put(path, { title: 'Still honest' })).status).toBe(200);
  });

  it('is found when a confidential issue becomes public', async () => {
    const body = issue({ confidential: true });
    const created = await author.api.post(`/projects/${place.id}/issues`, body);
    const path = `/projects/${place.id}/issues/${(created.body as { iid: number }).iid}`;

    expect((await author.api.put(path, { state_event: 'close' })).status).toBe(200);
    expect((await author.api.put(path, { confidential: false })).status).toBe(400);
  });

  it('of a snippet is discarded, whether in its description or its files', async () => {
    const actor = await makeActor(app);
    const { id } = await makeSnippet(app, { authorId: actor.user.id, visibility: 20 });
    const heap = 'https://a.example/1\nhttps://b.example/2\nhttps://c.example/3\n';

    for (const body of [
      { description: spam() },
      { content: heap },
      { files: [{ action: 'create', file_path: 'b', content: heap }] },
    ]) {
      const response = await actor.api.put(`/snippets/${id}`, body);
      expect([response.status, response.body]).toEqual([400, DISCARDED('snippet')]);
    }
    expect((await actor.api.put(`/snippets/${id}`, { title: 'Honest' })).status).toBe(200);
    expect((await actor.api.get(`/snippets/${id}/raw`)).text).toBe('Notes\n');
  });

  it('is found in the files of a private snippet that is opened', async () => {
    const actor = await makeActor(app);
    const heap = 'https://a.example/1\nhttps://b.example/2\nhttps://c.example/3\n';
    const files = { 'a.txt': 'Honest words', 'b.txt': heap };
    const { id } = await makeSnippet(app, { authorId: actor.user.id, files });

    expect((await actor.api.put(`/snippets/${id}`, { title: 'Mine' })).status).toBe(200);
    const response = await actor.api.put(`/snippets/${id}`, { visibility: 'public' });
    expect([response.status, response.body]).toEqual([400, DISCARDED('snippet')]);
  });
});

describe('the same text again and again', () => {
  it('is discarded the sixth time, whatever its case, and only from the same person', async () => {
    const [actor, other] = [await makeActor(app), await makeActor(app)];
    const path = `/projects/${place.id}/issues`;
    const statuses: number[] = [];
    for (const title of [
      'Look here',
      'look here',
      'LOOK  HERE',
      'Look here',
      'Look here',
      'Look here',
    ]) {
      statuses.push((await actor.api.post(path, { title })).status);
    }

    expect(statuses).toEqual([201, 201, 201, 201, 201, 400]);
    expect((await other.api.post(path, { title: 'Look here' })).status).toBe(201);
    await app.dataSource.query(
      `UPDATE spam_submissions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`,
      [actor.user.id],
    );
    expect((await actor.api.post(path, { title: 'Look here' })).status).toBe(201);
    const kept: unknown[] = await app.dataSource.query(
      'SELECT 1 FROM spam_submissions WHERE user_id = $1',
      [actor.user.id],
    );
    expect(kept).toHaveLength(1);
  });
});

describe('project bots', () => {
  it('are looked at like people', async () => {
    const bot = await makeActor(app, { userType: 'project_bot' });
    await makeMember(app, { project: place, user: bot.user, role: 'maintainer' });

    expect((await bot.api.post(`/projects/${place.id}/issues`, issue())).status).toBe(400);
  });
});

afterEach(async () => {
  await app.dataSource.query('DELETE FROM spam_submissions');
});
