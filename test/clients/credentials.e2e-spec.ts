import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeToken, unique, type MadeActor } from '../support/factories.js';
import { clientOf, refusalOf, type Client } from './client.js';

let app: OwnTestApp;
let admin: MadeActor;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeAdmin(app);
  client = clientOf(app, admin);
});
afterAll(() => app.close());

describe('a token', () => {
  it('is taken as private token and as bearer, also from a function', async () => {
    const { user, token } = await makeActor(app);
    const ways = [
      new Gitlab({ host: app.url, token }),
      new Gitlab({ host: app.url, token: () => Promise.resolve(token) }),
      new Gitlab({ host: app.url, oauthToken: token }),
    ];
    for (const way of ways) {
      expect(await way.Users.showCurrentUser()).toMatchObject({ id: user.id });
    }
  });

  it('that is unknown or missing differs from one without the scope', async () => {
    const { user } = await makeActor(app);
    const unknown = clientOf(app, { token: 'svcpat-unknown' });
    const nobody = clientOf(app, { token: '' });
    for (const way of [unknown, nobody]) {
      expect(await refusalOf(way.Users.showCurrentUser())).toEqual({
        status: 401,
        description: '401 Unauthorized',
      });
    }
    const reader = clientOf(app, { token: await makeToken(app, user, { scopes: ['read_api'] }) });
    expect(await refusalOf(reader.Projects.create({ name: unique('project-') }))).toEqual({
      status: 403,
      description: 'insufficient_scope',
    });
  });

  it('of a job is anonymous where job tokens are not accepted', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const { body } = await admin.api.post(`/projects/${project.id}/job_tokens`).expect(201);
    const job = new Gitlab({ host: app.url, jobToken: String(body.token) });
    // The library refuses to make this call itself: it looks for the header where it never is.
    const own = await fetch(`${app.url}/api/v4/job`, { headers: { 'JOB-TOKEN': body.token } });
    expect(await own.json()).toMatchObject({ user: { id: admin.user.id } });
    expect((await refusalOf(job.Users.showCurrentUser())).status).toBe(401);
    expect((await refusalOf(job.Projects.show(project.id))).status).toBe(404);
  });
});

describe('sudo', () => {
  it('acts as another user in one call, by ID and by name', async () => {
    const { user } = await makeActor(app);
    expect(await client.Users.showCurrentUser({ sudo: user.id })).toMatchObject({ id: user.id });
    expect(await client.Users.showCurrentUser({ sudo: user.username })).toMatchObject({
      id: user.id,
    });
    const project = await client.Projects.create({ name: unique('project-'), sudo: user.id });
    expect(project).toMatchObject({ creator_id: user.id });
    await client.Projects.edit(project.id, { description: 'Changed', sudo: user.username });
    await client.Projects.remove(project.id, { sudo: user.id });
  });

  it('acts as another user in all calls and on all pages', async () => {
    const { user, api } = await makeActor(app);
    for (const n of [1, 2, 3]) await api.post('/projects', { name: `mine-${n}` }).expect(201);
    const acting = new Gitlab({ host: app.url, token: admin.token, sudo: user.username });
    expect(await acting.Users.showCurrentUser()).toMatchObject({ id: user.id });
    expect(await acting.Projects.all({ owned: true, perPage: 1 })).toHaveLength(3);
    const perCall = await client.Projects.all({ owned: true, perPage: 1, sudo: user.id });
    expect(perCall).toHaveLength(3);
  });

  it('is refused with a reason', async () => {
    const { user, token } = await makeActor(app);
    expect(await refusalOf(clientOf(app, { token }).Users.showCurrentUser({ sudo: 1 }))).toEqual({
      status: 403,
      description: '403 Forbidden - Must be admin to use sudo',
    });
    const name = `${user.username}x`;
    expect(await refusalOf(client.Users.showCurrentUser({ sudo: name }))).toEqual({
      status: 404,
      description: `404 User with ID or username '${name}' Not Found`,
    });
  });
});
