import { beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeToken, unique, type MadeActor } from '../support/factories.js';
import { makeGroup, makeProject } from '../support/project-factories.js';

const KEYSET = '/projects?pagination=keyset';
const PAGE_HEADER = /^x-(total|page|per|next|prev)/;

let app: TestApp;
let owner: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

/** IDs of public projects with a common word in their names. */
async function makeProjects(mark: string, count: number): Promise<number[]> {
  const made: number[] = [];
  for (let index = 0; index < count; index++) {
    const { namespaceId } = owner.user;
    const name = `${mark} ${unique('number')}`;
    made.push((await makeProject(app, { namespaceId, name, visibility: 'public' })).id);
  }
  return made;
}

interface Walk {
  pages: number[][];
  links: string[];
}

/** Follows the links of the answers alone, from the first page to the one without a link. */
async function walk(start: string, client = api(app.url)): Promise<Walk> {
  const [pages, links]: [number[][], string[]] = [[], []];
  let path = start;
  for (;;) {
    const answer = await client.get(path).expect(200);
    const headers = answer.headers as Record<string, string>;
    expect(Object.keys(headers).filter((name) => PAGE_HEADER.test(name))).toEqual([]);
    pages.push((answer.body as { id: number }[]).map(({ id }) => id));
    if (headers['link'] === undefined) return { pages, links };
    const [, link = ''] = /^<([^>]*)>; rel="next"$/.exec(headers['link']) ?? [];
    links.push(link);
    path = link.slice(`${app.url}/api/v4`.length);
  }
}

describe('keyset pagination of projects', () => {
  it('ends with an empty list without a link, in both directions and for everyone', async () => {
    const mark = unique('ends');
    const [a = 0, b = 0, c = 0, d = 0] = await makeProjects(mark, 4);
    const query = `${KEYSET}&order_by=id&per_page=2&search=${mark}`;
    for (const client of [api(app.url), owner.api]) {
      const up = await walk(`${query}&sort=asc`, client);
      expect(up.pages).toEqual([[a, b], [c, d], []]);
      expect(up.links.map((link) => new URL(link).searchParams.get('id_after'))).toEqual([
        String(b),
        String(d),
      ]);
      const down = await walk(`${query}&sort=desc`, client);
      expect(down.pages).toEqual([[d, c], [b, a], []]);
      expect(down.links.map((link) => new URL(link).searchParams.get('id_before'))).toEqual([
        String(c),
        String(a),
      ]);
    }
  });

  it('goes from the newest when the direction is left out', async () => {
    const mark = unique('silent');
    const [a, b, c] = await makeProjects(mark, 3);
    const { pages } = await walk(`${KEYSET}&order_by=id&per_page=2&search=${mark}`);
    expect(pages).toEqual([[c, b], [a], []]);
  });

  it('neither skips nor repeats when projects come and go between the pages', async () => {
    const mark = unique('moving');
    const [a = 0, b = 0, c = 0] = await makeProjects(mark, 3);
    const query = `${KEYSET}&order_by=id&sort=desc&per_page=2&search=${mark}`;
    const first = await api(app.url).get(query).expect(200);
    await makeProjects(mark, 2);
    const [, link = ''] = /^<([^>]*)>/.exec(first.headers['link'] as string) ?? [];
    const { pages } = await walk(link.slice(`${app.url}/api/v4`.length));
    expect([first.body, pages]).toEqual([
      [expect.objectContaining({ id: c }), expect.objectContaining({ id: b })],
      [[a], []],
    ]);
  });

  it('keeps the client’s own parameters in the link and leaves its credential out', async () => {
    const mark = unique('link');
    const [, b = 0] = await makeProjects(mark, 2);
    const token = await makeToken(app, owner.user);
    const query = `&order_by=id&sort=desc&per_page=1&simple=true&search=${mark}`;
    const answer = await api(app.url).get(`${KEYSET}${query}&private_token=${token}`).expect(200);
    expect(answer.headers['link']).toBe(
      `<${app.url}/api/v4/projects?id_before=${b}&order_by=id&pagination=keyset&per_page=1` +
        `&search=${mark}&simple=true&sort=desc>; rel="next"`,
    );
    const head = await api(app.url).head(`${KEYSET}${query}`).expect(200);
    expect(head.headers['link']).toBe(answer.headers['link']);
  });

  it.each([
    ['', 400, 'order_by is missing'],
    ['&sort=asc', 400, 'order_by is missing'],
    ['&order_by=zzz', 400, 'order_by does not have a valid value'],
    ['&order_by=id&sort=up', 400, 'sort does not have a valid value'],
    ['&order_by=id&per_page=0', 400, 'per_page has a value not allowed'],
    ['&order_by=id&id_after=x', 400, 'id_after is invalid'],
    ['&order_by=name', 405, 'Keyset pagination is not yet available for this type of request'],
    [
      '&order_by=created_at',
      405,
      'Keyset pagination is not yet available for this type of request',
    ],
  ])('answers to %p with %i', async (query, status, error) => {
    const answer = await api(app.url).get(`${KEYSET}${query}`).expect(status);
    expect(answer.body).toMatchObject({ error });
    expect(answer.headers).not.toHaveProperty('link');
  });

  it('refuses another value of pagination and ignores it where there is no keyset', async () => {
    const { body } = await api(app.url).get('/projects?pagination=cursor').expect(400);
    expect(body).toMatchObject({ error: 'pagination does not have a valid value' });
    const users = await owner.api.get('/users?pagination=keyset&per_page=1').expect(200);
    expect(users.headers).toMatchObject({ 'x-page': '1' });
  });
});

describe('keyset pagination of groups', () => {
  it('is for anonymous callers only', async () => {
    const path = '/groups?pagination=keyset&order_by=name&sort=asc';
    await makeGroup(app, { visibility: 'public' });
    await api(app.url).get(path).expect(200);
    const refused = await owner.api.get(path).expect(405);
    expect(refused.headers['allow']).toBe('OPTIONS, GET, HEAD');
  });

  it('follows cursors through names of every kind to an empty page without a link', async () => {
    const mark = unique('names');
    const names = ['é', 'z', '"', '漢字', 'a', '\\', 'É', '😀', 'a'].map(
      (name) => `${mark} ${name}`,
    );
    const made: number[] = [];
    for (const name of names) made.push((await makeGroup(app, { name, visibility: 'public' })).id);
    const query = `&order_by=name&sort=asc&per_page=2&search=${mark}`;
    const { pages, links } = await walk(`/groups?pagination=keyset${query}`);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 2, 1, 0]);
    expect(pages.flat().toSorted((a, b) => a - b)).toEqual(made);
    const cursors = links.map((link) => new URL(link).searchParams.get('cursor') ?? '');
    const [first] = cursors.map((text): unknown =>
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    expect(first).toEqual({
      name: expect.stringContaining(mark),
      id: String(pages[0]?.[1]),
      _kd: 'n',
    });
  });
});
