import { beforeAll, describe, expect, it } from '@jest/globals';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeWritingWorld, type WritingWorld } from './writing-world.js';

let app: TestApp;
let world: WritingWorld;
let stranger: MadeActor;
let sha: string;
let comments: string;

beforeAll(async () => {
  app = await sharedTestApp();
  world = await makeWritingWorld(app, { visibility: 'public' });
  stranger = await makeActor(app);
  const content = 'one\nnew\nthree\n';
  await world.commit({
    actions: [{ action: 'create', file_path: 'f', content: 'one\nold\nthree\n' }],
  });
  await world.commit({ actions: [{ action: 'update', file_path: 'f', content }] }).expect(201);
  sha = world.git('rev-parse', 'main');
  comments = `${world.base}/commits/${sha}/comments`;
});

const notesOf = async (path: string): Promise<unknown[]> => {
  const { body } = await api(app.url).get(path).expect(200);
  return (body as { note: string }[]).map(({ note }) => note);
};

describe('…/repository/commits/:sha/comments', () => {
  it('takes a comment of a signed-in user, returns it in full, and creates an event', async () => {
    const { body } = await stranger.api.post(comments, { note: 'Well *done*' }).expect(201);
    const { id, username, name } = stranger.user;
    const expected = {
      note: 'Well *done*',
      path: null,
      line: null,
      line_type: null,
      author: {
        id,
        username,
        name,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: expect.stringContaining(username),
      },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(body).toEqual(expected);
    const listed = await api(app.url).get(comments).expect(200);
    expect(listed.body).toEqual([expected]);
    const events = await app.dataSource.query(
      `SELECT action, author_id, noteable_id FROM events WHERE project_id = $1 AND author_id = $2`,
      [world.projectId, id],
    );
    expect(events).toEqual([{ action: 6, author_id: id, noteable_id: null }]);
  });

  it('finds the commit by a short ID and by the branch that it is on', async () => {
    const commit = { branch: 'side', start_branch: 'main' };
    await world.commit({ ...commit, actions: [{ action: 'create', file_path: 'g' }] }).expect(201);
    const short = world.git('rev-parse', '--short=9', 'side');
    await stranger.api.post(`${world.base}/commits/${short}/comments`, { note: '1' }).expect(201);
    await stranger.api.post(`${world.base}/commits/side/comments`, { note: '2' }).expect(201);
    expect(await notesOf(`${world.base}/commits/side/comments`)).toEqual(['1', '2']);
    const last = `${world.base}/commits/${short}/comments?per_page=1&page=2`;
    expect(await notesOf(last)).toEqual(['2']);
  });

  it('keeps the line that is meant when the commit changes it', async () => {
    const cases = [
      [{ line: 2 }, { path: 'f', line: 2, line_type: 'new' }],
      [
        { line: 2, line_type: 'old' },
        { path: 'f', line: 2, line_type: 'old' },
      ],
      [{ line: 1 }, { path: null, line: null, line_type: null }],
      [
        { line: 2, path: 'none' },
        { path: null, line: null, line_type: null },
      ],
    ] as const;
    for (const [wanted, shown] of cases) {
      const note = { note: 'x', path: 'f', ...wanted };
      const { body } = await stranger.api.post(comments, note).expect(201);
      expect(body).toMatchObject(shown);
    }
  });

  it('refuses texts that are none, lines that are none, and commits that are not there', async () => {
    const refused = async (body: object): Promise<object> =>
      (await stranger.api.post(comments, body).expect(400)).body as object;
    expect(await refused({})).toMatchObject({ error: 'note is missing' });
    expect(await refused({ note: ' ' })).toEqual({
      message: `400 Bad request - Note {:note=>["can't be blank"]}`,
    });
    expect(await refused({ note: 'x', path: 'f' })).toMatchObject({ error: 'line is missing' });
    expect(await refused({ note: 'x', path: 'f', line: 0 })).toMatchObject({
      error: 'line has a value not allowed',
    });
    expect(await refused({ note: 'x', path: 'f', line: 1, line_type: 'both' })).toMatchObject({
      error: 'line_type does not have a valid value',
    });
    for (const unknown of ['a'.repeat(40), 'main~1', '--all']) {
      const path = `${world.base}/commits/${unknown}/comments`;
      const { body } = await stranger.api.post(path, { note: 'x' }).expect(404);
      expect(body).toEqual({ message: '404 Commit Not Found' });
      await stranger.api.get(path).expect(404);
    }
  });

  it('is for who may read the code, and closed with the project', async () => {
    await api(app.url).post(comments, { note: 'x' }).expect(401);
    const hidden = await makeWritingWorld(app);
    const path = `${hidden.base}/commits/main/comments`;
    const [guest, reporter] = await Promise.all([
      hidden.member('guest'),
      hidden.member('reporter'),
    ]);
    await stranger.api.get(path).expect(404);
    await guest.api.get(path).expect(403);
    await guest.api.post(path, { note: 'x' }).expect(403);
    await reporter.api.post(path, { note: 'x' }).expect(201);
    const set = (values: object) =>
      app.dataSource.manager.update(Project, { id: hidden.projectId }, values);
    await set({ archived: true });
    await reporter.api.post(path, { note: 'x' }).expect(403);
    await reporter.api.get(path).expect(200);
    await set({ archived: false, repositoryEnabled: false });
    await reporter.api.post(path, { note: 'x' }).expect(403);
    await reporter.api.get(path).expect(403);
  });
});
