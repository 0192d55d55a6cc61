import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, type MadeActor } from '../support/factories.js';

let app: OwnTestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeAdmin(app, { username: 'root' });
});
afterAll(() => app.close());

describe('the Sudo header', () => {
  it('is 403 for a user who is no administrator, whether the target exists or not', async () => {
    const { api: client } = await makeActor(app);
    for (const target of ['root', '123']) {
      const { body } = await client.get('/user').set('Sudo', target).expect(403);
      expect(body).toEqual({ message: '403 Forbidden - Must be admin to use sudo' });
    }
  });

  it('shows the current user as the one who is named, in whatever case', async () => {
    const john = await makeUser(app, { username: 'john' });
    const { body } = await admin.api.get('/user').set('Sudo', 'JoHn').expect(200);
    expect(body).toMatchObject({ id: john.id, username: 'john' });
    expect(body).not.toHaveProperty('is_admin');
  });

  it('is 401 without a token and with an unknown one, on public lists as well', async () => {
    for (const client of [api(app.url), api(app.url, 'bad')]) {
      const { body } = await client.get('/projects').set('Sudo', 'root').expect(401);
      expect(body).toEqual({ message: '401 Unauthorized' });
    }
  });
});

describe('the sudo parameter', () => {
  it('creates a project in the name of the user, from the body of the request', async () => {
    const { id, username } = await makeUser(app);
    const { body } = await admin.api.post('/projects', { name: 'Lent', sudo: id }).expect(201);
    expect(body).toMatchObject({ creator_id: id, path_with_namespace: `${username}/lent` });
  });
});
