import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { openCollector, type OpenCollector } from '../error-tracking/collector-place.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { makeMember } from '../support/project-factories.js';
import { spread, XSS_ADDRESSES, XSS_PAYLOADS } from '../support/xss-payloads.js';
import { dialogsOn, foreignAt, missingOn } from './foreign.js';

const GROUPS = 10;
const SIZE = Math.ceil(XSS_PAYLOADS.length / GROUPS);
/** Events with pages of their own that each group has. */
const WHOLE = 2;

let app: BrowserApp;
let ada: MadeActor;
beforeAll(async () => {
  app = await sharedBrowserApp();
  ada = await makeActor(app, { username: unique('ada'), name: 'Ada Lovelace' });
});
afterAll(() => app.close());

interface Place {
  collector: OpenCollector;
  page: Page;
  base: string;
  /** Texts of the boxes that scripts opened. */
  dialogs: string[];
}

async function makePlace(): Promise<Place> {
  const collector = await openCollector(app);
  const { project } = collector;
  await makeMember(app, { project, user: ada.user, role: 'maintainer' });
  const page = await app.pageAs(ada.user);
  const dialogs = dialogsOn(page);
  return { collector, page, base: `${app.url}/${project.fullPath}/-`, dialogs };
}

/** Fields that an event has once. Neighbours are shown alike, so that two texts get there. */
const FIELDS = [
  'type',
  'value',
  'transaction',
  'release',
  'environment',
  'dist',
  'platform',
  'logger',
  'server_name',
  'level',
  'message',
  'sdk',
  'version',
  'method',
  'body',
  'id',
  'username',
  'email',
  'ip_address',
  'fingerprint',
] as const;
type Fields = Record<(typeof FIELDS)[number], string>;

/** A call with the text in every field. */
function frameOf(text: string): Record<string, unknown> {
  const place = { filename: text, abs_path: text, function: text, module: text, package: text };
  const source = { pre_context: [text], context_line: text, post_context: [text] };
  return { ...place, ...source, lineno: 7, colno: 9, vars: { [text]: text } };
}

/** An event with a different text in each field, and all of them where it can have many. */
function eventOf(fields: Fields, texts: readonly string[], url: string): Record<string, unknown> {
  const { type, value, message, sdk, version, method, body, fingerprint, ...labels } = fields;
  const pairs = texts.map((text) => [text, text]);
  const named = Object.fromEntries(pairs) as Record<string, string>;
  const frames = texts.flatMap((text) =>
    [false, true].map((in_app) => ({ ...frameOf(text), in_app })),
  );
  const causes = texts.map((text) => {
    const mechanism = { type: text, handled: false, data: { [text]: text } };
    return { type: text, value: text, module: text, mechanism };
  });
  const crumbs = texts.map((text) => ({ type: text, category: text, level: text, message: text }));
  return {
    ...labels,
    sdk: { name: sdk, version },
    logentry: { message: `${message} of a message`, params: [message] },
    exception: { values: [...causes, { type, value, module: value, stacktrace: { frames } }] },
    threads: {
      values: texts.map((text) => {
        const stacktrace = { frames: [frameOf(text)] };
        return { id: text, name: text, crashed: true, stacktrace };
      }),
    },
    breadcrumbs: {
      values: crumbs.map((crumb) => ({ ...crumb, timestamp: 1772359199, data: named })),
    },
    tags: Object.fromEntries(texts.map((text) => [text.slice(0, 32), text])),
    user: { ...labels, ...named },
    request: {
      method,
      url,
      query_string: pairs,
      headers: pairs,
      cookies: pairs,
      data: { [body]: body },
      env: named,
    },
    contexts: {
      ...Object.fromEntries(texts.map((text) => [text, { [text]: text }])),
      browser: { name: sdk, version },
    },
    extra: named,
    modules: named,
    fingerprint: [fingerprint],
  };
}

/** An event of an error that only lists show. */
function listedEvent(text: string): Record<string, unknown> {
  const names = ['release', 'environment', 'platform', 'logger', 'transaction', 'level'];
  const labels = Object.fromEntries(names.map((name) => [name, text]));
  const values = [{ type: text, value: text }];
  return { ...labels, exception: { values }, fingerprint: ['listed', text] };
}

/** The address of a request: each is in one event at least. */
function addressOf(group: number, nth: number): string {
  return XSS_ADDRESSES[(group * WHOLE + nth) % XSS_ADDRESSES.length] ?? '';
}

/** Sends it as an SDK does; answers its id. */
async function report({ collector }: Place, event: object): Promise<string> {
  const id = randomBytes(16).toString('hex');
  const envelope = `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}`;
  const answer = await collector.send(envelope);
  expect(answer.status).toBe(200);
  return id;
}

/** The pages with whole events, which show all of the texts, and others that show some. */
async function waysTo(
  collector: OpenCollector,
  ids: readonly string[],
): Promise<{ whole: string[]; others: string[] }> {
  const events = await collector.events();
  const own = ids.map((id) => {
    const event = events.find(({ eventId }) => eventId.replaceAll('-', '') === id);
    return { id, path: `/error_tracking/${event?.errorId}` };
  });
  // A page is called after its error, and these could end its title.
  const titled = (await collector.errors()).filter(({ type }) => type?.includes('</title>'));
  return {
    whole: own.flatMap(({ id, path }) => [`${path}/details`, `${path}/events/${id}`]),
    others: [
      ...own.map(({ path }) => `${path}/events`),
      ...titled.map(({ id }) => `/error_tracking/${id}/details`),
    ],
  };
}

describe('texts of events that want to be scripts', () => {
  it.each(Array.from({ length: GROUPS }, (_, at) => at))(
    'stay texts on every page about errors: part %d',
    async (at) => {
      const place = await makePlace();
      const { collector, dialogs } = place;
      const texts = XSS_PAYLOADS.slice(at * SIZE, (at + 1) * SIZE);
      await Promise.all(texts.map((text) => report(place, listedEvent(text))));
      const whole = spread(texts, FIELDS, { atLeast: WHOLE });
      const ids = await Promise.all(
        whole.map((fields, nth) => report(place, eventOf(fields, texts, addressOf(at, nth)))),
      );
      expect(await collector.errors()).toHaveLength(texts.length + whole.length);
      const ways = await waysTo(collector, ids);
      for (const path of ['/error_tracking?status=all&per_page=100', ...ways.whole]) {
        expect(await foreignAt(place, path)).toEqual([]);
        expect(await missingOn(place.page, texts)).toEqual([]);
      }
      for (const path of ['/settings/error_tracking', ...ways.others]) {
        expect(await foreignAt(place, path)).toEqual([]);
      }
      expect(dialogs).toEqual([]);
      expect(app.chrome.complaints()).toEqual([]);
    },
    180_000,
  );

  it('stay texts in the issues of errors', async () => {
    const place = await makePlace();
    const { collector, dialogs } = place;
    const texts = XSS_PAYLOADS.filter((_, index) => index % 8 === 0);
    // In half as many issues each text is once in the title, and once in each kind of row.
    const events = spread(texts, FIELDS, { atLeast: texts.length / 2 });
    for (const [nth, fields] of events.entries()) {
      await report(place, eventOf(fields, texts, addressOf(0, nth)));
    }
    const { project } = collector;
    const errors = await collector.errors();
    expect(errors).toHaveLength(events.length);
    for (const [index, { id }] of errors.entries()) {
      const path = `/projects/${project.id}/error_tracking/errors/${id}/issue`;
      await ada.api.post(path, {}).expect(201);
      expect(await foreignAt(place, `/issues/${index + 1}`)).toEqual([]);
      // Its stack trace has all of them.
      expect(await missingOn(place.page, texts)).toEqual([]);
    }
    expect(await foreignAt(place, '/issues?per_page=100')).toEqual([]);
    expect(await missingOn(place.page, texts)).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  }, 120_000);
});
