import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import {
  makeActor,
  makeAdmin,
  makeToken,
  makeUser,
  unique,
  type MadeActor,
} from '../support/factories.js';
import { blackPng, photoWithPosition, picture } from '../support/images.js';
import { makeMember, makeProject } from '../support/project-factories.js';

const UNSUPPORTED =
  'file format is not supported. Please try one of the following supported formats: ' +
  'png, jpg, jpeg, gif, webp';

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

const upload = (actor: MadeActor, content: Buffer, name = 'me.png') =>
  actor.api.put('/user/avatar').attach('avatar', content, name);

const pathOf = (url: string): string => url.slice(app.url.length);

describe('PUT /user/avatar', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('takes a %s', async (format) => {
    const actor = await makeActor(app);
    const { body } = await upload(actor, await picture(format), `me.${format}`).expect(200);
    const { body: self } = await actor.api.get('/user').expect(200);
    expect(body).toEqual({ avatar_url: self.avatar_url });
    expect(body.avatar_url).toMatch(
      new RegExp(`^${app.url}/uploads/-/system/user/avatar/${actor.user.id}/[0-9a-f]{32}\\.webp$`),
    );
  });

  it('serves the avatar to everyone, cacheable forever, and as nothing but an image', async () => {
    const actor = await makeActor(app);
    const { body } = await upload(actor, await picture()).expect(200);
    const { headers, body: image } = await request(app.url)
      .get(pathOf(body.avatar_url))
      .expect(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^inline; filename="[0-9a-f]{32}\.webp"/),
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(await sharp(image as Buffer).metadata()).toMatchObject({ width: 256, height: 256 });
  });

  it.each([
    [1, 64],
    [64, 64],
    [65, 128],
    [200, 256],
    [4000, 256],
  ])('answers ?width=%d with %d pixels', async (asked, sent) => {
    const actor = await makeActor(app);
    const { body } = await upload(actor, await picture()).expect(200);
    const { body: image } = await request(app.url)
      .get(`${pathOf(body.avatar_url)}?width=${asked}`)
      .expect(200);
    expect(await sharp(image as Buffer).metadata()).toMatchObject({ format: 'webp', width: sent });
  });

  it('strips location and author of a photo', async () => {
    const actor = await makeActor(app);
    const photo = await photoWithPosition();
    expect((await sharp(photo).metadata()).exif?.toString('latin1')).toContain('Ada Lovelace');
    const { body } = await upload(actor, photo, 'me.jpg').expect(200);
    const { body: image } = await request(app.url).get(pathOf(body.avatar_url)).expect(200);
    expect((await sharp(image as Buffer).metadata()).exif).toBeUndefined();
    expect((image as Buffer).includes('Ada Lovelace')).toBe(false);
  });

  it('keeps only the pixels of a file that is a script as well', async () => {
    const actor = await makeActor(app);
    const script = '<script>alert(document.domain)</script>';
    const polyglot = Buffer.concat([await picture('gif'), Buffer.from(script)]);
    const { body } = await upload(actor, polyglot, 'me.gif').expect(200);
    const { body: image } = await request(app.url).get(pathOf(body.avatar_url)).expect(200);
    expect((image as Buffer).includes('script')).toBe(false);
  });

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a page that begins like a GIF', () => Buffer.from('GIF89a<script>alert(1)</script>')],
    ['a TIFF', () => picture('tiff')],
    ['half a PNG', async () => (await picture()).subarray(0, 60)],
    ['an empty file', () => Buffer.alloc(0)],
  ])('refuses %s', async (_, content) => {
    const actor = await makeActor(app);
    const { body } = await upload(actor, await content()).expect(400);
    expect(body).toEqual({ message: { avatar: [UNSUPPORTED] } });
  });

  it('refuses more than 200 KiB', async () => {
    const actor = await makeActor(app);
    const content = Buffer.concat([await picture(), Buffer.alloc(200 * 1024)]);
    const { body } = await upload(actor, content).expect(400);
    expect(body).toEqual({ message: { avatar: ['is too big (should be at most 200 KiB)'] } });
  });

  it('refuses a small file that decodes to a huge image', async () => {
    const actor = await makeActor(app);
    const bomb = blackPng(30_000);
    expect(bomb.length).toBeLessThan(200 * 1024);
    const { body } = await upload(actor, bomb).expect(400);
    const problem = 'is too large (should be at most 4096 x 4096 pixels)';
    expect(body).toEqual({ message: { avatar: [problem] } });
  });

  it('needs a file, or an empty text to remove the avatar', async () => {
    const actor = await makeActor(app);
    await upload(actor, await picture()).expect(200);
    expect((await actor.api.put('/user/avatar').expect(400)).body.error).toBe('avatar is missing');
    const text = await actor.api.put('/user/avatar', { avatar: 'me.png' }).expect(400);
    expect(text.body.error).toBe('avatar is invalid');
    const { body } = await actor.api.put('/user/avatar').field('avatar', '').expect(200);
    expect(body).toEqual({ avatar_url: null });
    expect(await imagesOf(actor.user.id)).toBe(0);
  });

  it('makes the address of the former avatar a 404', async () => {
    const actor = await makeActor(app);
    const { body } = await upload(actor, await picture()).expect(200);
    await upload(actor, await picture('png', { colour: '#cc2222' })).expect(200);
    await request(app.url).get(pathOf(body.avatar_url)).expect(404);
    expect(await imagesOf(actor.user.id)).toBe(3);
  });

  it('is for signed-in users whose token can change them', async () => {
    await api(app.url).put('/user/avatar').expect(401);
    const user = await makeUser(app);
    const token = await makeToken(app, user, { scopes: ['read_user'] });
    await upload({ user, token, api: api(app.url, token) }, await picture()).expect(403);
  });
});

describe('avatars of users', () => {
  it('are set, changed and removed by administrators', async () => {
    const username = unique('painter');
    const { body: user } = await admin.api
      .post('/users')
      .field({ username, name: 'Painter', email: `${username}@example.com` })
      .field('force_random_password', 'true')
      .attach('avatar', await picture(), 'me.png')
      .expect(201);
    expect(user.avatar_url).toContain(`/user/avatar/${user.id}/`);
    const { body: changed } = await admin.api
      .put(`/users/${user.id}`)
      .attach('avatar', await picture('jpeg', { colour: '#222222' }), 'me.jpg')
      .expect(200);
    expect(changed.avatar_url).not.toBe(user.avatar_url);
    await admin.api.put(`/users/${user.id}`, { bio: 'Paints' }).expect(200);
    const { body: removed } = await admin.api.put(`/users/${user.id}`, { avatar: '' }).expect(200);
    expect(removed).toMatchObject({ avatar_url: null, bio: 'Paints' });
  });

  it('go with their users', async () => {
    const actor = await makeActor(app);
    const { body } = await upload(actor, await picture()).expect(200);
    await admin.api.delete(`/users/${actor.user.id}`).expect(204);
    await request(app.url).get(pathOf(body.avatar_url)).expect(404);
    expect(await imagesOf(actor.user.id)).toBe(0);
  });

  it('are shown wherever a user is mentioned', async () => {
    const actor = await makeActor(app);
    const { body } = await upload(actor, await picture()).expect(200);
    const shown = { id: actor.user.id, avatar_url: body.avatar_url };
    const project = await makeProject(app, {
      namespaceId: actor.user.namespaceId,
      creatorId: actor.user.id,
    });
    const at = `/projects/${project.id}`;
    const issue = await actor.api
      .post(`${at}/issues`, { title: 'Paint', assignee_ids: [actor.user.id] })
      .expect(201);
    expect(issue.body).toMatchObject({ author: shown, assignees: [shown] });
    const note = await actor.api
      .post(`${at}/issues/${issue.body.iid}/notes`, { body: 'Blue' })
      .expect(201);
    expect(note.body.author).toMatchObject(shown);
    const events = await actor.api.get(`${at}/events`).expect(200);
    expect(events.body[0].author).toMatchObject(shown);
    await makeMember(app, { project, user: actor.user, role: 'owner' });
    const members = await actor.api.get(`${at}/members`).expect(200);
    expect(members.body).toMatchObject([shown]);
    const snippet = await actor.api
      .post('/snippets', { title: 'Paint', file_name: 'a.txt', content: 'blue' })
      .expect(201);
    expect(snippet.body.author).toMatchObject(shown);
    const found = await actor.api.get(at).expect(200);
    expect(found.body).toMatchObject({
      owner: shown,
      namespace: { kind: 'user', avatar_url: shown.avatar_url },
    });
    const namespaces = await actor.api.get('/namespaces?owned_only=true').expect(200);
    expect(namespaces.body).toMatchObject([{ kind: 'user', avatar_url: shown.avatar_url }]);
  });
});

describe('GET /avatar', () => {
  it('finds an avatar by a public email address, for everyone', async () => {
    const publicEmail = `${unique('ada')}@example.com`;
    const actor = await makeActor(app, { publicEmail });
    const { body } = await upload(actor, await picture()).expect(200);
    const found = await api(app.url).get(`/avatar?email=${publicEmail.toUpperCase()}`).expect(200);
    expect(found.body).toEqual(body);
    const sized = await api(app.url).get(`/avatar?email=${publicEmail}&size=64`).expect(200);
    expect(sized.body).toEqual({ avatar_url: `${body.avatar_url}?width=64` });
  });

  it('tells nothing about private addresses', async () => {
    const actor = await makeActor(app);
    await upload(actor, await picture()).expect(200);
    const { body } = await api(app.url).get(`/avatar?email=${actor.user.email}`).expect(200);
    expect(body).toEqual({ avatar_url: null });
    const unknown = await api(app.url).get('/avatar?email=nobody@example.com').expect(200);
    expect(unknown.body).toEqual({ avatar_url: null });
  });

  it('needs an address and a size above zero', async () => {
    expect((await api(app.url).get('/avatar').expect(400)).body.error).toBe('email is missing');
    await api(app.url).get('/avatar?email=a@example.com&size=0').expect(400);
  });
});

async function imagesOf(userId: number): Promise<number> {
  const text = 'SELECT count(*)::int AS count FROM avatars WHERE user_id = $1';
  const [row] = await app.dataSource.query<{ count: number }[]>(text, [userId]);
  return row?.count ?? 0;
}
