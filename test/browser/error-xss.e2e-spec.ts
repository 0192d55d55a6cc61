import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { openCollector, type OpenCollector } from '../error-tracking/collector-place.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { makeMember } from '../support/project-factories.js';
import { XSS_PAYLOADS } from '../support/xss-payloads.js';
import { dialogsOn, foreignAt } from './foreign.js';

const GROUPS = 10;
const SIZE = Math.ceil(XSS_PAYLOADS.length / GROUPS);

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

/** A stack with the text in every field of its frames. */
function stackOf(text: string): Record<string, unknown> {
  const place = { filename: text, abs_path: text, function: text, module: text, package: text };
  const source = { pre_context: [text], context_line: text, post_context: [text] };
  const frame = { ...place, ...source, lineno: 7, colno: 9, vars: { [text]: text } };
  return {
    frames: [
      { ...frame, in_app: false },
      { ...frame, in_app: true },
    ],
  };
}

/** An event with the text in every field that there is. */
function eventOf(text: string): Record<string, unknown> {
  const names = ['platform', 'logger', 'release', 'dist', 'environment', 'server_name'];
  const fields = Object.fromEntries([...names, 'transaction'].map((name) => [name, text]));
  const exception = { type: text, value: text, module: text, stacktrace: stackOf(text) };
  const mechanism = { type: text, handled: false, data: { [text]: text } };
  const crumb = { type: text, category: text, level: text, message: text };
  return {
    ...fields,
    level: text,
    sdk: { name: text, version: text },
    logentry: { message: `${text} of a message`, params: [text] },
    exception: { values: [exception, { ...exception, mechanism }] },
    threads: { values: [{ id: text, name: text, crashed: true, stacktrace: stackOf(text) }] },
    breadcrumbs: { values: [{ ...crumb, timestamp: 1772359199, data: { [text]: text } }] },
    tags: { [text.slice(0, 32)]: text, plain: text },
    user: { id: text, username: text, email: text, ip_address: text, [text]: text },
    request: {
      method: text,
      url: text,
      query_string: [[text, text]],
      headers: [[text, text]],
      cookies: [[text, text]],
      data: { [text]: text },
      env: { [text]: text },
    },
    contexts: { [text]: { [text]: text }, browser: { name: text, version: text } },
    extra: { [text]: text },
    modules: { [text]: text },
    fingerprint: [text],
  };
}

/** Sends it as an SDK does; answers its id. */
async function report({ collector }: Place, event: object): Promise<string> {
  const id = randomBytes(16).toString('hex');
  const envelope = `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}`;
  const answer = await collector.send(envelope);
  expect(answer.status).toBe(200);
  return id;
}

describe('texts of events that want to be scripts', () => {
  it.each(Array.from({ length: GROUPS }, (_, at) => at))(
    'stay texts on every page about errors: part %d',
    async (at) => {
      const place = await makePlace();
      const { collector, dialogs } = place;
      const texts = XSS_PAYLOADS.slice(at * SIZE, (at + 1) * SIZE);
      for (const text of texts) await report(place, eventOf(text));
      const errors = await collector.errors();
      expect(errors).toHaveLength(texts.length);
      const paths = ['/error_tracking?status=all&per_page=100', '/settings/error_tracking'];
      for (const { eventId, errorId } of await collector.events()) {
        const own = `/error_tracking/${errorId}`;
        paths.push(`${own}/details`, `${own}/events/${eventId.replaceAll('-', '')}`);
      }
      for (const { id } of errors.slice(0, 2)) paths.push(`/error_tracking/${id}/events`);
      for (const path of paths) expect(await foreignAt(place, path)).toEqual([]);
      expect(dialogs).toEqual([]);
      expect(app.chrome.complaints()).toEqual([]);
    },
    180_000,
  );

  it('stay texts in the issues of errors', async () => {
    const place = await makePlace();
    const { collector, dialogs } = place;
    const texts = XSS_PAYLOADS.filter((_, index) => index % 8 === 0);
    for (const text of texts) await report(place, eventOf(text));
    const { project } = collector;
    const errors = await collector.errors();
    for (const [index, { id }] of errors.entries()) {
      const path = `/projects/${project.id}/error_tracking/errors/${id}/issue`;
      await ada.api.post(path, {}).expect(201);
      expect(await foreignAt(place, `/issues/${index + 1}`)).toEqual([]);
    }
    expect(await foreignAt(place, '/issues?per_page=100')).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  }, 120_000);
});
