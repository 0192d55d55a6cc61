import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { picture } from '../support/images.js';
import { makeGroup, makeMember, makeMemberOf, makeProject } from '../support/project-factories.js';
import { signedIn } from '../support/page-client.js';

type Visibility = 'private' | 'internal' | 'public';

let app: TestApp;
let owner: MadeActor;
let stranger: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  stranger = await makeActor(app);
});

const KINDS = [
  { kind: 'group', collection: 'groups', make: ownedGroup },
  { kind: 'project', collection: 'projects', make: ownedProject },
] as const;

async function ownedGroup(visibility: Visibility): Promise<number> {
  const group = await makeGroup(app, { visibility });
  await makeMember(app, { group, user: owner.user, role: 'owner' });
  return group.id;
}

async function ownedProject(visibility: Visibility): Promise<number> {
  const { namespaceId } = owner.user;
  return (await makeProject(app, { namespaceId, visibility })).id;
}

const pathOf = (url: string): string => url.slice(app.url.length);

describe.each(KINDS)('avatars of a $kind', ({ kind, collection, make }) => {
  const upload = async (id: number): Promise<string> => {
    const { body } = await owner.api
      .put(`/${collection}/${id}`)
      .attach('avatar', await picture(), 'logo.png')
      .expect(200);
    return body.avatar_url;
  };

  it('are set when it is created, replaced, and removed by an empty text', async () => {
    const path = unique('made');
    const { body: made } = await owner.api
      .post(`/${collection}`)
      .field({ name: path, path })
      .attach('avatar', await picture(), 'logo.png')
      .expect(201);
    expect(made.avatar_url).toContain(`${app.url}/uploads/-/system/${kind}/avatar/${made.id}/`);
    const { body: changed } = await owner.api
      .put(`/${collection}/${made.id}`)
      .attach('avatar', await picture('gif', { colour: '#aa2233' }), 'logo.gif')
      .expect(200);
    expect(changed.avatar_url).not.toBe(made.avatar_url);
    await owner.api.put(`/${collection}/${made.id}`, { description: 'Painted' }).expect(200);
    const { body: shown } = await owner.api.get(`/${collection}/${made.id}`).expect(200);
    expect(shown.avatar_url).toBe(changed.avatar_url);
    await owner.api.put(`/${collection}/${made.id}`, { avatar: '' }).expect(200);
    const { body: listed } = await owner.api.get(`/${collection}?search=${path}`).expect(200);
    expect(listed).toMatchObject([{ id: made.id, avatar_url: null }]);
  });

  it('refuses what is no image', async () => {
    const id = await make('private');
    const { body } = await owner.api
      .put(`/${collection}/${id}`)
      .attach('avatar', Buffer.from('<svg/>'), 'logo.svg')
      .expect(400);
    expect(body.message.avatar).toEqual([expect.stringContaining('is not supported')]);
  });

  it('are images for everyone when it is public', async () => {
    const id = await make('public');
    const url = await upload(id);
    const { headers, body } = await request(app.url)
      .get(`${pathOf(url)}?width=64`)
      .expect(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(await sharp(body as Buffer).metadata()).toMatchObject({ format: 'webp', width: 64 });
    await api(app.url).get(`/${collection}/${id}/avatar`).expect(200);
  });

  it('are hidden from those who cannot see it', async () => {
    const id = await make('private');
    const path = pathOf(await upload(id));
    const browser = await signedIn(app, owner.user);
    const { headers } = await browser.get(path).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=300',
      'x-content-type-options': 'nosniff',
    });
    await (await signedIn(app, stranger.user)).get(path).expect(404);
    await request(app.url).get(path).expect(404);
    await stranger.api.get(`/${collection}/${id}/avatar`).expect(404);
    await owner.api.get(`/${collection}/${id}/avatar`).expect(200);
  });

  it('are a 404 where there is none', async () => {
    const id = await make('private');
    const { body } = await owner.api.get(`/${collection}/${id}/avatar`).expect(404);
    expect(body).toEqual({ message: '404 Avatar Not Found' });
  });
});

describe('the avatar of a project', () => {
  it('is for Maintainers to change', async () => {
    const { namespaceId } = owner.user;
    const project = await makeProject(app, { namespaceId });
    const developer = await makeMemberOf(app, project, 'developer');
    const maintainer = await makeMemberOf(app, project, 'maintainer');
    const upload = async ({ api }: MadeActor) =>
      api.put(`/projects/${project.id}`).attach('avatar', await picture(), 'logo.png');
    expect((await upload(developer)).status).toBe(403);
    expect((await upload(maintainer)).status).toBe(200);
  });

  it('comes with that of its group', async () => {
    const group = await ownedGroup('private');
    const { body } = await owner.api
      .put(`/groups/${group}`)
      .attach('avatar', await picture(), 'logo.png')
      .expect(200);
    const project = await makeProject(app, { namespaceId: group });
    const { body: shown } = await owner.api.get(`/projects/${project.id}`).expect(200);
    expect(shown).toMatchObject({ avatar_url: null, namespace: { avatar_url: body.avatar_url } });
    const { body: namespace } = await owner.api.get(`/namespaces/${group}`).expect(200);
    expect(namespace.avatar_url).toBe(body.avatar_url);
  });
});
