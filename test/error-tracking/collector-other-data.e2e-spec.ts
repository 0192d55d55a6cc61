import { beforeAll, describe, expect, it } from '@jest/globals';
import { deflateSync, gzipSync } from 'node:zlib';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { EVENT_ID, HEADER, openCollector, type Body } from './collector-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const TAKEN = { status: 200, body: { id: EVENT_ID } };
const EMPTY = { status: 200, body: {} };

describe('an envelope without an event', () => {
  it.each<[string, string, unknown]>([
    ['headers only', '{}', EMPTY],
    ['headers with an end of line', '{}\n', EMPTY],
    ['an id only', HEADER, TAKEN],
    [
      'empty attachments',
      `${HEADER}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}\n`,
      TAKEN,
    ],
    [
      'a session',
      '{}\n{"type":"session"}\n{"started":"2020-02-07T14:16:00Z","attrs":{"release":"a@1"}}',
      EMPTY,
    ],
    ['a transaction', `${HEADER}\n{"type":"transaction"}\n{"type":"transaction"}`, TAKEN],
  ])('is taken: %s', async (_, body, expected) => {
    const place = await openCollector(app);
    expect(await place.answer(body)).toEqual(expected);
    expect(await place.errors()).toEqual([]);
    expect(await place.events()).toEqual([]);
  });

  it('is counted: what was dropped here, and what its sender lost', async () => {
    const place = await openCollector(app);
    const report = {
      timestamp: 1,
      discarded_events: [
        { reason: 'ratelimit_backoff', category: 'error', quantity: 3 },
        { reason: 'brand_new', category: 'error', quantity: 1 },
      ],
    };
    const items = [
      `{"type":"client_report"}\n${JSON.stringify(report)}`,
      '{"type":"session"}\n{}',
      '{"type":"transaction"}\n{}',
      '{"type":"user_report"}\n{}',
      '{"type":"brand_new"}\n{}',
    ];
    expect(await place.answer(`{}\n${items.join('\n')}`)).toEqual(EMPTY);
    await eventually(async () => {
      expect(await place.outcomes()).toEqual({
        'lost_by_client error ratelimit_backoff': 3,
        'lost_by_client error other': 1,
        'dropped session not_supported': 1,
        'dropped transaction not_supported': 1,
        'dropped default not_supported': 2,
      });
    });
  });
});

describe('an event in an envelope', () => {
  it('is stored without what came with it, however that was packed', async () => {
    const place = await openCollector(app);
    const log = 'x'.repeat(100);
    const items = [
      `{"type":"event"}\n{"message":"m"}`,
      `{"type":"attachment","length":100}\n${log}`,
    ];
    const headers = { 'Content-Encoding': 'gzip' };
    const body = gzipSync(`${HEADER}\n${items.join('\n')}`);
    expect(await place.answer(body, { headers })).toEqual(TAKEN);
    expect(await place.events()).toMatchObject([{ isEnvelope: false, sent: { message: 'm' } }]);
  });
});

describe('an envelope with two events', () => {
  it('brings the first one, and the other is counted as dropped', async () => {
    const place = await openCollector(app);
    const items = ['first', 'second'].map(
      (message) => `{"type":"event"}\n{"message":"${message}"}`,
    );
    expect(await place.answer(`${HEADER}\n${items.join('\n')}`)).toEqual(TAKEN);
    expect(await place.errors()).toMatchObject([{ value: 'first' }]);
    await eventually(async () => {
      expect(await place.outcomes()).toEqual({
        'accepted error ': 1,
        'dropped error more_than_one': 1,
      });
    });
  });
});

describe('the older endpoint', () => {
  const store = { endpoint: 'store' };
  const GO = '{"exception":[{"type":"E","value":"v"}],"platform":"go","timestamp":"1630945472.13"}';

  it('takes an event without an envelope, and makes an id', async () => {
    const place = await openCollector(app);
    expect(await place.answer(GO, store)).toEqual({
      status: 200,
      body: { id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown },
    });
    expect(await place.errors()).toMatchObject([{ type: 'E', value: 'v', platform: 'go' }]);
  });

  it.each<[string, Record<string, string>, Body]>([
    ['gzip', { 'Content-Encoding': 'gzip' }, gzipSync(GO)],
    ['deflate', { 'Content-Encoding': 'deflate' }, deflateSync(GO)],
    ['zlib in base64', {}, deflateSync(GO).toString('base64')],
    ['zlib in base64 with ends of lines', {}, `${deflateSync(GO).toString('base64')}\n`],
  ])('takes it packed as %s', async (_, headers, body) => {
    const place = await openCollector(app);
    expect((await place.answer(body, { ...store, headers })).status).toBe(200);
    expect((await place.events()).map(({ sent }) => sent)).toEqual([
      expect.objectContaining({ platform: 'go' }),
    ]);
  });

  it('groups what differs in numbers only, and shows the newest', async () => {
    const place = await openCollector(app);
    for (const id of [17, 18]) {
      const event = { exception: { values: [{ type: 'A', value: `id ${id}` }] } };
      expect((await place.answer(JSON.stringify(event), store)).status).toBe(200);
    }
    expect(await place.errors()).toMatchObject([{ value: 'id 18', eventsCount: 2 }]);
  });

  it('groups by the fingerprint that a program gives', async () => {
    const place = await openCollector(app);
    for (const type of ['A', 'B']) {
      const event = { fingerprint: ['x'], exception: { values: [{ type }] } };
      expect((await place.answer(JSON.stringify(event), store)).status).toBe(200);
    }
    expect(await place.errors()).toMatchObject([{ eventsCount: 2 }]);
  });
});

describe('reports of browsers about the security of pages', () => {
  it('are taken, and only counted', async () => {
    const place = await openCollector(app);
    const report = JSON.stringify({ 'csp-report': { 'document-uri': 'http://a' } });
    expect(await place.answer(report, { endpoint: 'security' })).toEqual(EMPTY);
    expect(await place.events()).toEqual([]);
    await eventually(async () => {
      expect(await place.outcomes()).toEqual({ 'dropped security not_supported': 1 });
    });
  });
});
