import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import { makeProject as makePublicProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

const PUBLIC = { visibility: 'public' } as const;

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

async function row(statement: string, values: unknown[]): Promise<Record<string, unknown>> {
  const [first] = await app.dataSource.query<Record<string, unknown>[]>(statement, values);
  return first ?? {};
}

async function makeProject(namespaceId: number, moving = false): Promise<number> {
  const { id } = await row(
    `INSERT INTO projects (namespace_id, name, path, repository_storage, repository_read_only)
     VALUES ($1, $2, $2, 'default', $3) RETURNING id`,
    [namespaceId, unique('project'), moving],
  );
  return id as number;
}

async function makeGroupOwnedBy(path: string, ...userIds: number[]): Promise<void> {
  const { id } = await row(
    `INSERT INTO namespaces (kind, name, path, full_path, full_name) VALUES ('group', $1, $1, $1, $1)
     RETURNING id`,
    [path],
  );
  await row('UPDATE namespaces SET traversal_ids = ARRAY[id] WHERE id = $1', [id]);
  await row(`INSERT INTO groups (id, repository_storage) VALUES ($1, 'default')`, [id]);
  for (const userId of userIds) {
    await row('INSERT INTO members (namespace_id, user_id, access_level) VALUES ($1, $2, 50)', [
      id,
      userId,
    ]);
  }
}

describe('DELETE /users/:id', () => {
  it('answers 204; the user, its tokens and its name are gone at once', async () => {
    const { user, api } = await makeActor(app);
    const { body } = await admin.api.delete(`/users/${user.id}`).expect(204);
    expect(body).toEqual({});
    await admin.api.get(`/users/${user.id}`).expect(404);
    await eventually(() => api.get('/version').expect(401), { seconds: 4 });
    const { username, name, email } = user;
    const again = { username, name, email, force_random_password: true };
    await admin.api.post('/users', again).expect(201);
  });

  it('leaves an audit row', async () => {
    const user = await makeUser(app);
    await admin.api.delete(`/users/${user.id}`).expect(204);
    const audit = await row(
      `SELECT author_id, details FROM audit_events WHERE action = 'user_deleted' AND target_id = $1`,
      [user.id],
    );
    expect(audit).toEqual({
      author_id: admin.user.id,
      details: { username: user.username, project_ids: [] },
    });
  });

  it('gives the projects to the worker and the snippets to the ghost user', async () => {
    const user = await makeUser(app);
    const projectId = await makeProject(user.namespaceId);
    const { id: snippetId } = await row(
      `INSERT INTO snippets (author_id, title, repository_storage) VALUES ($1, 't', 'default')
       RETURNING id`,
      [user.id],
    );
    await admin.api.delete(`/users/${user.id}`).expect(204);
    const project = await row(
      `SELECT p.pending_delete, u.name FROM projects p JOIN namespaces n ON n.id = p.namespace_id
       JOIN users u ON u.id = n.owner_id WHERE p.id = $1`,
      [projectId],
    );
    const snippet = await row(
      `SELECT u.name, u.user_type FROM snippets s JOIN users u ON u.id = s.author_id
       WHERE s.id = $1`,
      [snippetId],
    );
    expect(project).toEqual({ pending_delete: true, name: 'Ghost User' });
    expect(snippet).toEqual({ name: 'Ghost User', user_type: 'internal' });
  });

  it('makes one ghost user only, and keeps it', async () => {
    const [first, second] = [await makeUser(app), await makeUser(app)];
    await Promise.all([
      admin.api.delete(`/users/${first.id}`).expect(204),
      admin.api.delete(`/users/${second.id}`).expect(204),
    ]);
    const ghosts = await app.dataSource.query<{ id: number }[]>(
      `SELECT id FROM users WHERE name = 'Ghost User'`,
    );
    expect(ghosts).toHaveLength(1);
    await admin.api.delete(`/users/${ghosts[0]?.id}`).expect(403);
  });

  it('is refused for the only owner of a group, not for one of two', async () => {
    const [alone, shared, other] = [await makeUser(app), await makeUser(app), await makeUser(app)];
    await makeGroupOwnedBy(unique('group'), alone.id);
    await makeGroupOwnedBy(unique('group'), shared.id, other.id);
    const { body } = await admin.api.delete(`/users/${alone.id}`).expect(409);
    expect(body).toEqual({ message: 'User cannot be removed while is the sole-owner of a group' });
    await admin.api.delete(`/users/${shared.id}`).expect(204);
    await admin.api.delete(`/users/${other.id}`).expect(409);
  });

  it('leaves no group without an owner when both are deleted at once', async () => {
    const [one, two] = [await makeUser(app), await makeUser(app)];
    await makeGroupOwnedBy(unique('group'), one.id, two.id);
    const answers = await Promise.all([one, two].map(({ id }) => admin.api.delete(`/users/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('is refused while a repository of the user is being moved', async () => {
    const user = await makeUser(app);
    const projectId = await makeProject(user.namespaceId, true);
    await admin.api.delete(`/users/${user.id}`).expect(409);
    expect(await row('SELECT pending_delete FROM projects WHERE id = $1', [projectId])).toEqual({
      pending_delete: false,
    });
  });

  it('with hard_delete destroys what the user wrote and owned alone, and nothing else', async () => {
    const [writer, other] = [await makeActor(app), await makeActor(app)];
    const project = await makePublicProject(app, {
      ...PUBLIC,
      namespaceId: other.user.namespaceId,
    });
    const issues = `/projects/${project.id}/issues`;
    const issueOf = async ({ api }: MadeActor): Promise<string> => {
      const { body } = await api.post(issues, { title: 'An issue' }).expect(201);
      return `${issues}/${(body as { iid: number }).iid}`;
    };
    const [own, kept] = [await issueOf(writer), await issueOf(other)];
    await other.api.post(`${own}/notes`, { body: 'Goes with the issue' }).expect(201);
    await writer.api.post(`${kept}/notes`, { body: 'Goes' }).expect(201);
    await other.api.post(`${kept}/notes`, { body: 'Stays' }).expect(201);
    const snippet = await makeSnippet(app, { authorId: writer.user.id, visibility: 20 });
    const [alone, shared] = [unique('alone'), unique('shared')];
    await makeGroupOwnedBy(alone, writer.user.id);
    await makeGroupOwnedBy(shared, writer.user.id, other.user.id);

    await admin.api.delete(`/users/${writer.user.id}?hard_delete=true`).expect(204);

    await admin.api.get(`/users/${writer.user.id}`).expect(404);
    await other.api.get(own).expect(404);
    await admin.api.get(`/snippets/${snippet.id}`).expect(404);
    await admin.api.get(`/groups/${alone}`).expect(404);
    await admin.api.get(`/groups/${shared}`).expect(200);
    const { body } = await other.api.get(`${kept}/notes`).expect(200);
    expect(body).toEqual([expect.objectContaining({ body: 'Stays' })]);
  });

  it('with hard_delete is refused while a snippet of the user is being moved', async () => {
    const user = await makeUser(app);
    const moving = { authorId: user.id, repositoryReadOnly: true, files: null };
    const snippet = await makeSnippet(app, moving);
    await admin.api.delete(`/users/${user.id}?hard_delete=true`).expect(409);
    await admin.api.get(`/snippets/${snippet.id}`).expect(200);
  });

  it('answers 412 when the user changed since the client looked', async () => {
    const user = await makeUser(app);
    await admin.api
      .delete(`/users/${user.id}`)
      .set('If-Unmodified-Since', 'Tue, 01 Jan 2019 00:00:00 GMT')
      .expect(412);
    await admin.api.get(`/users/${user.id}`).expect(200);
  });

  it('answers 403 to others and 404 for an unknown user', async () => {
    const other = await makeActor(app);
    await other.api.delete(`/users/${admin.user.id}`).expect(403);
    const { body } = await admin.api.delete('/users/987654321').expect(404);
    expect(body).toEqual({ message: '404 User Not Found' });
  });
});
