import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import { makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { changeSettings } from '../support/settings.js';
import { newBrowser, PASSWORD } from '../support/sign-in.js';

const PROBLEM = 'cannot contain line breaks, control characters or text direction characters';

const BAD_NAMES = [
  'Ada\nLovelace',
  'Ada\r\nLovelace',
  'Ada\tLovelace',
  'Ada\u0007',
  'Ada\u0085Lovelace',
  'Ada\u2028Lovelace',
  'Ada\u200e',
  '\u200fAda',
  'Ada \u202egnp.exe',
  'Ada \u2066Lovelace\u2069',
];

let app: TestApp;
let admin: MadeActor;
let adminPages: PageClient;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
  ({ pages: adminPages } = await makeVisitor(app, { admin: true }));
});

/** Expects a 400 of the API that names the property. */
async function expectRefused(answer: PromiseLike<{ status: number; body: unknown }>) {
  const { status, body } = await answer;
  expect({ status, body }).toEqual({ status: 400, body: { message: { name: [PROBLEM] } } });
}

/** Expects the form again, with the message at its field. */
async function expectShownAgain(answer: PromiseLike<{ status: number; text: string }>) {
  const { status, text } = await answer;
  expect(status).toBe(422);
  expect(textOf(text)).toContain(`Name ${PROBLEM}.`);
}

describe.each(BAD_NAMES)('the name %j', (name) => {
  const person = (): Record<string, string> => {
    const username = unique('new');
    return { name, username, email: `${username}@example.com`, password: PASSWORD };
  };

  it('is refused for a user', async () => {
    const { id } = await makeUser(app);
    await expectRefused(admin.api.post('/users', person()));
    await expectRefused(admin.api.put(`/users/${id}`, { name }));
    await expectShownAgain(adminPages.post('/admin/users', person()));
    await expectShownAgain(adminPages.post(`/admin/users/${id}`, { name }));
    const { pages } = await makeVisitor(app);
    await expectShownAgain(pages.post('/-/user_settings/profile', { name }));
    await changeSettings(app, { signup_enabled: true });
    await expectShownAgain(newBrowser(app).post('/users/sign_up', person()));
  });

  it('is refused for a group', async () => {
    const { user, api } = await makeActor(app);
    const group = await makeOwnedGroup(app, { user });
    await expectRefused(api.post('/groups', { name, path: unique('group') }));
    await expectRefused(api.put(`/groups/${group.id}`, { name }));
    const form = { name, path: unique('group'), visibility: 'private' };
    await expectShownAgain(adminPages.post('/groups/new', form));
    await expectShownAgain(adminPages.post(`/groups/${group.fullPath}/-/edit`, form));
  });

  it('is refused for a project', async () => {
    const { namespaceId } = admin.user;
    const project = await makeProject(app, { namespaceId });
    await expectRefused(admin.api.post('/projects', { name, path: unique('project') }));
    await expectRefused(admin.api.put(`/projects/${project.id}`, { name }));
    const form = { name, path: unique('project'), visibility: 'private' };
    const namespace = { namespace_id: String(namespaceId) };
    await expectShownAgain(adminPages.post('/projects/new', { ...form, ...namespace }));
    await expectShownAgain(adminPages.post(`/${project.fullPath}/-/edit`, form));
  });
});

describe('a name in another script', () => {
  it.each(['אדה לאבלייס', 'آدا لافلايس', 'Zoë 👩‍💻', 'Д. И. Менделеев'])(
    'is kept: %s',
    async (name) => {
      const { id } = await makeUser(app);
      const { body } = await admin.api.put(`/users/${id}`, { name }).expect(200);
      expect(body).toMatchObject({ name });
    },
  );
});
