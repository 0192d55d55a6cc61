import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { User } from '../../src/identity/users/user.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeAdmin, makeUser, type MadeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { follow, signedIn } from '../support/page-client.js';

const ROLE_PROBLEM = ['cannot be removed from the only active administrator'];
const DELETION_PROBLEM =
  'The only active administrator cannot be deleted. Make another user an administrator first.';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Makes exactly these many active administrators; earlier ones lose the role. */
async function makeAdmins(count: number): Promise<MadeActor[]> {
  await app.dataSource.manager.update(User, { admin: true }, { admin: false });
  return Promise.all(Array.from({ length: count }, () => makeAdmin(app)));
}

async function countAdmins(): Promise<number> {
  return app.dataSource.manager.countBy(User, { admin: true, state: 'active' });
}

describe('the only active administrator', () => {
  let admin: MadeActor;
  beforeEach(async () => {
    [admin] = (await makeAdmins(1)) as [MadeActor];
    await makeUser(app, { admin: true, state: 'blocked' });
  });

  it('cannot delete their own account', async () => {
    const { user, api } = admin;
    const { body } = await api.delete(`/users/${user.id}`).expect(409);
    expect(body).toEqual({ message: DELETION_PROBLEM });
    await api.delete(`/users/${user.id}?hard_delete=true`).expect(409);
    const pages = await signedIn(app, user);
    const answer = await pages.post(`/admin/users/${user.id}/delete`).expect(303);
    expect(await follow(pages, answer)).toContain(DELETION_PROBLEM);
    expect(await countAdmins()).toBe(1);
  });

  it('cannot give up the role', async () => {
    const { user, api } = admin;
    const { body } = await api.put(`/users/${user.id}`, { admin: false, bio: 'x' }).expect(400);
    expect(body).toEqual({ message: { admin: ROLE_PROBLEM } });
    const pages = await signedIn(app, user);
    const form = { name: user.name, username: user.username, email: user.email, admin: 'false' };
    const { text } = await pages.post(`/admin/users/${user.id}`, form).expect(422);
    expect(textOf(text)).toContain(`Admin ${ROLE_PROBLEM[0]}.`);
    const row = await app.dataSource.manager.findOneByOrFail(User, { id: user.id });
    expect(row).toMatchObject({ admin: true, bio: '' });
  });

  it('changes everything else, and administrators who are blocked', async () => {
    const { user, api } = admin;
    await api.put(`/users/${user.id}`, { admin: true, bio: 'x' }).expect(200);
    const blocked = await makeUser(app, { admin: true, state: 'blocked' });
    await api.put(`/users/${blocked.id}`, { admin: false }).expect(200);
    const other = await makeUser(app, { admin: true, state: 'deactivated' });
    await api.delete(`/users/${other.id}`).expect(204);
  });

  it('can leave once there is another', async () => {
    const { user, api } = admin;
    await makeAdmin(app);
    await api.put(`/users/${user.id}`, { admin: false }).expect(200);
  });
});

describe('two administrators who leave at once', () => {
  const ways: [string, (admin: MadeActor, other: MadeActor) => PromiseLike<{ status: number }>][] =
    [
      ['give up the role', ({ api, user }) => api.put(`/users/${user.id}`, { admin: false })],
      ['delete themselves', ({ api, user }) => api.delete(`/users/${user.id}`)],
      ['delete each other', ({ api }, { user }) => api.delete(`/users/${user.id}`)],
      ['block each other', ({ api }, { user }) => api.post(`/users/${user.id}/block`)],
    ];

  it.each(ways)('%s: one stays', async (_, leave) => {
    for (let round = 0; round < 5; round += 1) {
      const [first, second] = (await makeAdmins(2)) as [MadeActor, MadeActor];
      const answers = await Promise.all([leave(first, second), leave(second, first)]);
      const refused = answers.filter(({ status }) => status >= 400);
      expect(refused.map(({ status }) => status < 500)).toEqual([true]);
      expect(await countAdmins()).toBe(1);
    }
  });
});
