import { beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeUser, unique, type MadeActor } from '../support/factories.js';

let app: TestApp;
let actor: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  actor = await makeActor(app);
});

function linkTo(query: string, ...rels: string[]): string {
  return rels.map((rel) => `<${app.url}/api/v4/users?${query}>; rel="${rel}"`).join(', ');
}

describe('a list by pages', () => {
  it('that is empty has one page without neighbours', async () => {
    const { body, headers } = await actor.api.get('/users?search=nobody-at-all').expect(200);
    expect(body).toEqual([]);
    expect(headers).toMatchObject({
      'x-total': '0',
      'x-total-pages': '1',
      'x-page': '1',
      'x-per-page': '20',
      'x-next-page': '',
      'x-prev-page': '',
      link: linkTo('page=1&per_page=20&search=nobody-at-all', 'first', 'last'),
    });
  });

  it('is empty beyond its end, where its totals are still told', async () => {
    const name = unique('few');
    await makeUser(app, { name });
    const query = `search=${name}&per_page=1`;
    const { body, headers } = await actor.api.get(`/users?${query}&page=7`).expect(200);
    expect(body).toEqual([]);
    expect(headers).toMatchObject({
      'x-total': '1',
      'x-total-pages': '1',
      'x-page': '7',
      'x-next-page': '',
      'x-prev-page': '',
      link: linkTo(`page=1&per_page=1&search=${name}`, 'first', 'last'),
    });
  });

  it.each(['page=0', 'page=-3', 'per_page=-5', 'page=&per_page='])(
    'begins at its first page of 20 for %s',
    async (query) => {
      const { headers } = await actor.api.get(`/users?${query}`).expect(200);
      expect(headers).toMatchObject({ 'x-page': '1', 'x-per-page': '20' });
    },
  );

  it('is refused when neither page nor size is a number, both being named', async () => {
    const { body } = await actor.api.get('/users?page=x&per_page=y').expect(400);
    const error = 'page is invalid, per_page is invalid';
    expect(body).toEqual({ message: `400 (Bad request) ${error}`, error });
  });

  it('of projects ends at 50,000, with the way to go on', async () => {
    await api(app.url).get('/projects?page=500&per_page=100').expect(200, []);
    const { body } = await api(app.url).get('/projects?page=501&per_page=100').expect(405);
    expect(body).toEqual({
      error:
        'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project. Remaining records can be retrieved using keyset pagination.',
    });
  });

  it('answers HEAD with the same headers', async () => {
    const path = `/users?search=${unique('none')}`;
    const { headers: whole } = await actor.api.get(path).expect(200);
    const { headers } = await actor.api.head(path).expect(200);
    expect([headers['x-total'], headers['link']]).toEqual([whole['x-total'], whole['link']]);
  });
});
