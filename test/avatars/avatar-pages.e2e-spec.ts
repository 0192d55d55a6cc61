import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { CSRF_FIELD } from '../../src/core/access/csrf.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { picture } from '../support/images.js';
import { follow, makeVisitor, type PageClient } from '../support/page-client.js';
import { makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { makeToken, makeUser, unique } from '../support/factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function upload(pages: PageClient, path: string, content: Buffer): Test {
  return request(app.url)
    .post(path)
    .set('Cookie', `_svc_session=${pages.cookie}`)
    .field(CSRF_FIELD, pages.csrfToken)
    .attach('avatar', content, 'me.png');
}

const PAGES: [string, () => Promise<{ pages: PageClient; form: string; image: RegExp }>][] = [
  [
    'the profile',
    async () => {
      const { pages, user } = await makeVisitor(app);
      return { pages, form: '/-/user_settings/profile', image: imageOf('user', user.id) };
    },
  ],
  [
    "an administrator's form of a user",
    async () => {
      const { pages } = await makeVisitor(app, { admin: true });
      const { id } = await makeUser(app);
      return { pages, form: `/admin/users/${id}/edit`, image: imageOf('user', id) };
    },
  ],
  [
    "a group's settings",
    async () => {
      const { pages, user } = await makeVisitor(app);
      const group = await makeOwnedGroup(app, { user });
      const form = `/groups/${group.fullPath}/-/edit`;
      return { pages, form, image: imageOf('group', group.id) };
    },
  ],
  [
    "a project's settings",
    async () => {
      const { pages, user } = await makeVisitor(app);
      const project = await makeProject(app, { namespaceId: user.namespaceId });
      return {
        pages,
        form: `/${project.fullPath}/-/edit`,
        image: imageOf('project', project.id),
      };
    },
  ],
];

function imageOf(kind: string, id: number): RegExp {
  return new RegExp(
    `src="(/uploads/-/system/${kind}/avatar/${id}/[0-9a-f]{32}\\.webp\\?width=96)"`,
  );
}

/** Where the form that takes a file is sent to. */
function actionIn(html: string): string {
  const [form = ''] = /<form[^>]*multipart\/form-data[^>]*>/.exec(html) ?? [];
  return /action="([^"]+)"/.exec(form)?.[1] ?? '';
}

describe.each(PAGES)('the avatar on %s', (_, open) => {
  it('is uploaded, shown and removed without a script', async () => {
    const { pages, form, image } = await open();
    const { text: before } = await pages.get(form).expect(200);
    expect(before).not.toMatch(image);
    expect(before).not.toContain('Remove avatar');
    const action = actionIn(before);
    const uploaded = await upload(pages, action, await picture()).expect(303);
    expect(uploaded.headers['location']).toBe(form);
    const shown = await follow(pages, uploaded);
    expect(shown).toContain('Avatar updated.');
    const [, path = ''] = image.exec(shown) ?? [];
    await pages.get(path).expect(200).expect('Content-Type', 'image/webp');
    expect(shown).toContain('Remove avatar');
    await pages.post(action, { avatar: '' }).expect(303);
    expect((await pages.get(form).expect(200)).text).not.toMatch(image);
  });

  it('says what is wrong with a file', async () => {
    const { pages, form } = await open();
    const action = actionIn((await pages.get(form).expect(200)).text);
    const { text } = await upload(pages, action, Buffer.from('<svg/>')).expect(422);
    expect(text).toContain('Avatar file format is not supported.');
    const { text: tooBig } = await upload(pages, action, Buffer.alloc(200 * 1024 + 1)).expect(422);
    expect(tooBig).toContain('Avatar is too big (should be at most 200 KiB)');
    await pages.post(action).expect(422);
  });

  it('is changed only from a page of the session', async () => {
    const { pages, form } = await open();
    const action = actionIn((await pages.get(form).expect(200)).text);
    const forged = { ...pages, csrfToken: 'guessed' };
    await upload(forged, action, await picture()).expect(422);
    expect((await pages.get(form).expect(200)).text).not.toContain('Remove avatar');
  });
});

describe('an avatar', () => {
  it('is shown in the menu, on the page of the user and beside what they wrote', async () => {
    const { pages, user } = await makeVisitor(app);
    await upload(pages, '/-/user_settings/profile/avatar', await picture()).expect(303);
    const profile = await pages.get(`/${user.username}`).expect(200);
    expect(profile.text).toMatch(imageOf('user', user.id));
    const inMenu =
      /<button [^>]*popovertarget="user-menu"[^>]*><img [^>]*\.webp\?width=64" alt width="32" height="32"/;
    expect(profile.text).toMatch(inMenu);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const client = api(app.url, await makeToken(app, user));
    const issues = `/projects/${project.id}/issues`;
    await client.post(issues, { title: 'Paint it' }).expect(201);
    await client.post(`${issues}/1/notes`, { body: 'Blue it is' }).expect(201);
    const { text } = await pages.get(`/${project.fullPath}/-/issues/1`).expect(200);
    expect(text.split('.webp?width=64')).toHaveLength(4);
  });

  it('without an image has the initials of a group alone, not of the groups above it', async () => {
    const { pages, user } = await makeVisitor(app, { admin: true });
    const above = await makeOwnedGroup(app, { user }, { name: 'Acme Works' });
    const path = unique('shop');
    await makeOwnedGroup(app, { user }, { name: 'Web Shop', path, parentId: above.id });
    const { text } = await pages.get(`/admin/groups?search=${path}`).expect(200);
    expect(text).toContain('Acme Works / Web Shop');
    expect(initialsIn(text)).toEqual(['WS']);
  });
});

/** Initials of groups on a page. */
function initialsIn(text: string): string[] {
  const avatars = text.matchAll(/<span class="avatar"[^>]* data-kind="group"[^>]*>([^<]*)</g);
  return [...avatars].map(([, initials = '']) => initials);
}
