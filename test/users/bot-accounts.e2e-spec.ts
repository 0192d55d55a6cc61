import { beforeAll, describe, expect, it } from '@jest/globals';
import { User, type UserType } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeAdmin, makeUser, type MadeActor } from '../support/factories.js';

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

describe.each<UserType>(['project_bot', 'internal'])('a user of the type %s', (userType) => {
  it('is made no administrator and gets no password', async () => {
    const { id } = await makeUser(app, { userType });
    const wish = { admin: true, password: 'correct-horse-battery', bio: 'Beep' };
    const { body } = await admin.api.put(`/users/${id}`, wish).expect(400);
    const problem = ['is for people only'];
    expect(body).toEqual({ message: { admin: problem, password: problem } });
    const row = await app.dataSource.manager.findOneByOrFail(User, { id });
    expect(row).toMatchObject({ admin: false, passwordDigest: null, bio: '' });
  });

  it('is changed in every other way', async () => {
    const { id } = await makeUser(app, { userType });
    const { body } = await admin.api.put(`/users/${id}`, { admin: false, bio: 'Beep' }).expect(200);
    expect(body).toMatchObject({ is_admin: false, bio: 'Beep' });
  });

  it('is no administrator in the database either', async () => {
    const { id } = await makeUser(app, { userType });
    const change = app.dataSource.manager.update(User, { id }, { admin: true });
    await expect(change).rejects.toThrow('ck_users_admin');
  });
});
