import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { hashOf, incomingEvent, ingest } from '../support/error-ingest.js';
import { textOf } from '../support/html.js';
import { makeErrorsPlace, makeErrorsVisitor } from '../pages/error-place.js';
import { makeMember } from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const NOON = Date.now() - 3_600_000;
const at = (minutes: number): Date => new Date(NOON + minutes * 60_000);

interface Shown {
  id: number;
  message: string;
  count: number;
  user_count: number;
  first_seen: string;
  last_seen: string;
  frequency: number[][];
  tags: Record<string, unknown>;
}

/** A project whose developer has a token and a session, and whose programs report errors. */
async function makePlace() {
  const { project, member, pages, path } = await makeErrorsPlace(app);
  const source = {
    projectId: project.id,
    keyId: null,
    scrubData: true,
    scrubIpAddresses: false,
    sensitiveFields: [],
    safeFields: [],
    retentionDays: 30,
  };
  const errors = `/projects/${project.id}/error_tracking/errors`;
  /** Reports one event of the error with that name. */
  const report = (
    name: string,
    minutes: number,
    [user, browser = name]: [user: string, browser?: string],
  ): Promise<void> =>
    ingest(app, source, [
      incomingEvent(name, {
        receivedAt: at(minutes),
        userHash: hashOf(user),
        release: name,
        tags: new Map([['browser', browser]]),
      }),
    ]);
  const { api } = member;
  const list = async (): Promise<Shown[]> => (await api.get(errors)).body as Shown[];
  const idOf = async (name: string): Promise<number> =>
    (await list()).find(({ message }) => message === name)?.id ?? 0;
  const read = async (id: number): Promise<Shown> =>
    (await api.get(`${errors}/${id}`)).body as Shown;
  return { project, api, pages, path, errors, report, list, idOf, read };
}

describe('merging errors', () => {
  it('adds up what they counted, and unmerging gives back exactly what was theirs', async () => {
    const { api, errors, report, list, idOf, read } = await makePlace();
    await report('cart', 1, ['ada']);
    await report('cart', 5, ['ben']);
    await report('shop', 0, ['ada', 'Firefox']);
    await report('shop', 9, ['eve', 'Firefox']);
    const [cart, shop] = [await idOf('cart'), await idOf('shop')];
    const [cartBefore, shopBefore] = [await read(cart), await read(shop)];

    const merged = await api.post(`${errors}/${cart}/merged_errors`, { error_ids: [shop] });
    expect([merged.status, merged.body]).toEqual([
      201,
      [
        {
          id: shop,
          title: 'TypeError: shop',
          culprit: 'sumOf(cart)',
          count: 2,
          last_seen: at(9).toISOString(),
        },
      ],
    ]);
    expect((await list()).map(({ id }) => id)).toEqual([cart]);
    expect(await read(shop)).toEqual(await read(cart));
    expect(await read(cart)).toMatchObject({
      id: cart,
      message: 'shop',
      count: 4,
      user_count: 3,
      first_seen: at(0).toISOString(),
      last_seen: at(9).toISOString(),
      tags: {
        browser: [
          { value: 'Firefox', count: 2 },
          { value: 'cart', count: 2 },
        ],
      },
    });
    const events = (await api.get(`${errors}/${cart}/events`)).body as unknown[];
    expect(events).toHaveLength(4);

    expect((await api.delete(`${errors}/${cart}/merged_errors/${shop}`)).status).toBe(204);
    const compared = ({ frequency, tags, ...rest }: Shown) => ({
      ...rest,
      tags,
      total: frequency.reduce((sum, [, count = 0]) => sum + count, 0),
    });
    expect(compared(await read(cart))).toEqual(compared(cartBefore));
    expect(compared(await read(shop))).toEqual(compared(shopBefore));
    expect((await api.get(`${errors}/${cart}/merged_errors`)).body).toEqual([]);
  });

  it('sends new events of a merged fingerprint to the target, and back with it', async () => {
    const { api, errors, report, list, idOf, read } = await makePlace();
    await report('cart', 0, ['ada']);
    await report('shop', 0, ['ben']);
    const [cart, shop] = [await idOf('cart'), await idOf('shop')];
    await api.post(`${errors}/${cart}/merged_errors`, { error_ids: [shop] });
    await api.put(`${errors}/${cart}`, { status: 'resolved' });
    await report('cart', 2, ['ada']);
    expect(await read(cart)).toMatchObject({ status: 'resolved', count: 3, user_count: 2 });
    await report('shop', 90, ['ada']);
    await report('shop', 91, ['eve']);
    expect(await list()).toMatchObject([
      { id: cart, status: 'unresolved', message: 'shop', count: 5, user_count: 3 },
    ]);
    await api.delete(`${errors}/${cart}/merged_errors/${shop}`);
    expect(await read(cart)).toMatchObject({
      message: 'cart',
      count: 2,
      user_count: 1,
      last_seen: at(2).toISOString(),
    });
    expect(await read(shop)).toMatchObject({ status: 'unresolved', count: 3, user_count: 3 });
    await report('shop', 92, ['eve']);
    expect([(await read(cart)).count, (await read(shop)).count]).toEqual([2, 4]);
  });

  it('moves what was merged before along, each of it to be given back', async () => {
    const { api, errors, report, idOf, read } = await makePlace();
    for (const name of ['one', 'two', 'three']) await report(name, 0, [name]);
    const ids = [await idOf('one'), await idOf('two'), await idOf('three')];
    const [one = 0, two = 0, three = 0] = ids;
    await api.post(`${errors}/${two}/merged_errors`, { error_ids: [three] });
    const all = await api.post(`${errors}/${one}/merged_errors`, { error_ids: [two] });
    expect(all.body).toMatchObject([
      { id: two, count: 1 },
      { id: three, count: 1 },
    ]);
    expect(await read(one)).toMatchObject({ count: 3, user_count: 3 });
    await api.delete(`${errors}/${one}/merged_errors/${two}`);
    expect(await read(one)).toMatchObject({ count: 2, user_count: 2 });
    expect(await read(two)).toMatchObject({ id: two, message: 'two', count: 1, user_count: 1 });
    expect(await read(three)).toMatchObject({ id: one });
  });

  it('is refused to reporters, for other projects, without others and for too many', async () => {
    const { project, api, errors, report, idOf } = await makePlace();
    const other = await makePlace();
    await report('cart', 0, ['ada']);
    await other.report('cart', 0, ['ada']);
    const cart = await idOf('cart');
    const path = `${errors}/${cart}/merged_errors`;
    const reporter = await makeErrorsVisitor(app);
    await makeMember(app, { project, user: reporter.user, role: 'reporter' });
    const many = Array.from({ length: 51 }, (_, index) => index + 1);
    const answers = [
      await reporter.api.post(path, { error_ids: [cart] }),
      await api.post(path, { error_ids: [await other.idOf('cart')] }),
      await api.post(path, { error_ids: [cart] }),
      await api.post(path, { error_ids: many }),
      await api.post(path, {}),
      await api.delete(`${path}/${cart}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 400, 400, 400, 404]);
  });

  it('works on pages without script, and redirects old addresses', async () => {
    const { pages, path, report, idOf } = await makePlace();
    await report('cart', 0, ['ada']);
    await report('shop', 0, ['ada']);
    const [cart, shop] = [await idOf('cart'), await idOf('shop')];
    const form = { error_ids: [`${cart}`, `${shop}`], back: '' };
    const done = await pages.post(`${path}/merge`, form).expect(303);
    expect(done.headers['location']).toBe(`${path}/${cart}/details`);
    const moved = await pages.get(`${path}/${shop}/details`).expect(303);
    expect(moved.headers['location']).toBe(`${path}/${cart}/details`);
    const text = textOf((await pages.get(`${path}/${cart}/details`).expect(200)).text);
    expect(text).toContain('Merged errors TypeError: shop 1 event Unmerge');
    expect(text).toContain('merged “TypeError: shop”');
    await pages.post(`${path}/${cart}/merged/${shop}/unmerge`).expect(303);
    const given = textOf((await pages.get(`${path}/${shop}/details`).expect(200)).text);
    expect(given).not.toContain('Merged errors');
    await pages.post(`${path}/merge`, { error_ids: [`${cart}`], back: '' }).expect(303);
  });
});
