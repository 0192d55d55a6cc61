import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { api, type ApiClient } from '../support/api-client.js';
import { makeActor, makeAdmin, makeUser, type MadeActor } from '../support/factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

const VISIBILITIES = { private: 0, internal: 10, public: 20 } as const;
type VisibilityName = keyof typeof VISIBILITIES;
const NAMES = Object.keys(VISIBILITIES) as VisibilityName[];

/** Visible personal snippets by viewer. */
const SEES: Record<string, VisibilityName[]> = {
  nobody: ['public'],
  'another user': ['internal', 'public'],
  'an external user': ['public'],
  'the author': ['private', 'internal', 'public'],
  'an administrator': ['private', 'internal', 'public'],
};

let app: OwnTestApp;
let author: MadeActor;
const clients: Record<string, ApiClient> = {};
const ids = {} as Record<VisibilityName, number>;

beforeAll(async () => {
  app = await startTestApp();
  author = await makeActor(app);
  clients['nobody'] = api(app.url);
  clients['another user'] = (await makeActor(app)).api;
  clients['an external user'] = (await makeActor(app, { external: true })).api;
  clients['the author'] = author.api;
  clients['an administrator'] = (await makeAdmin(app)).api;
  for (const name of NAMES) {
    const visibility = VISIBILITIES[name];
    ids[name] = (await makeSnippet(app, { authorId: author.user.id, visibility })).id;
  }
});
afterAll(() => app.close());

function clientOf(who: string): ApiClient {
  const client = clients[who];
  if (client === undefined) throw new Error(`No client for ${who}`);
  return client;
}

function listed(body: unknown): number[] {
  return (body as { id: number }[]).map(({ id }) => id);
}

const CASES = Object.keys(SEES).flatMap((who) => NAMES.map((name) => [who, name] as const));

describe('a personal snippet', () => {
  it.each(CASES)('towards %s, being %s, shows itself everywhere or nowhere', async (who, name) => {
    const client = clientOf(who);
    const isSeen = SEES[who]?.includes(name) === true;
    const id = ids[name];
    const single = await client.get(`/snippets/${id}`);
    const raws = [
      await client.get(`/snippets/${id}/raw`),
      await client.get(`/snippets/${id}/files/main/notes.txt/raw`),
    ];

    expect([single.status, ...raws.map(({ status }) => status)]).toEqual(
      isSeen ? [200, 200, 200] : [404, 404, 404],
    );
    const unknown = await client.get('/snippets/999999');
    const hidden = [single, ...raws].filter(({ status }) => status === 404);
    expect(hidden.map(({ body }) => body as unknown)).toEqual(hidden.map(() => unknown.body));
    const all = await client.get('/snippets/all?per_page=100');
    if (who === 'nobody') expect(all.status).toBe(401);
    else expect(listed(all.body).includes(id)).toBe(isSeen);
  });

  it.each(['another user', 'an external user'])(
    'cannot be changed or deleted by %s: 403 when visible, 404 when not',
    async (who) => {
      const client = clientOf(who);
      for (const name of NAMES) {
        const expected = SEES[who]?.includes(name) === true ? 403 : 404;
        const change = await client.put(`/snippets/${ids[name]}`, { title: 'Taken over' });
        const removal = await client.delete(`/snippets/${ids[name]}`);
        expect([change.status, removal.status]).toEqual([expected, expected]);
      }
    },
  );
});

describe('the listings', () => {
  it('GET /snippets has the own ones, newest first, and is for the signed-in', async () => {
    const response = await author.api.get('/snippets');

    expect(listed(response.body)).toEqual([ids.public, ids.internal, ids.private]);
    expect((await clientOf('another user').get('/snippets')).body).toEqual([]);
    expect((await clientOf('an administrator').get('/snippets')).body).toEqual([]);
    expect((await clientOf('nobody').get('/snippets')).status).toBe(401);
  });

  it('GET /snippets/public has public ones only, for anyone', async () => {
    for (const who of Object.keys(SEES)) {
      const response = await clientOf(who).get('/snippets/public');
      expect([who, listed(response.body)]).toEqual([who, [ids.public]]);
    }
  });

  it('GET /snippets/public is the same object as GET /snippets/:id', async () => {
    const [listing, single] = [
      await clientOf('nobody').get('/snippets/public'),
      await clientOf('nobody').get(`/snippets/${ids.public}`),
    ];

    expect(listing.body).toEqual([single.body]);
    expect(single.body).not.toHaveProperty('repository_storage');
  });

  it('are paged', async () => {
    const { headers, body } = await author.api.get('/snippets?per_page=1&page=2');

    expect(listed(body)).toEqual([ids.internal]);
    expect(headers).toMatchObject({
      'x-total': '3',
      'x-total-pages': '3',
      'x-next-page': '3',
      'x-prev-page': '1',
    });
  });

  it('filter by time of creation', async () => {
    await app.dataSource.query(`UPDATE snippets SET created_at = $2 WHERE id = $1`, [
      ids.private,
      '2020-05-07T04:27:17Z',
    ]);
    const list = async (query: string): Promise<number[]> =>
      listed((await author.api.get(`/snippets?${query}`)).body);

    expect(await list('created_before=2021-01-01')).toEqual([ids.private]);
    expect(await list('created_after=2021-01-01')).toEqual([ids.public, ids.internal]);
    const bad = await author.api.get('/snippets?created_after=yesterday');
    expect([bad.status, (bad.body as { error: string }).error]).toEqual([
      400,
      'created_after is invalid',
    ]);
  });

  it('filter by storage for administrators and drop that filter for others', async () => {
    const owner = await makeUser(app);
    const moved = await makeSnippet(app, {
      authorId: owner.id,
      visibility: 20,
      repositoryStorage: 'storage2',
    });
    const path = '/snippets/all?repository_storage=storage2';

    expect(listed((await clientOf('an administrator').get(path)).body)).toEqual([moved.id]);
    const unfiltered = listed((await clientOf('another user').get(path)).body);
    expect(unfiltered).toEqual([moved.id, ids.public, ids.internal]);
  });
});
