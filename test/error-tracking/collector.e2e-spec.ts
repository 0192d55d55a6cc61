import { beforeAll, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { ERROR_STATUS, ERROR_LEVELS } from '../../src/error-tracking/error-values.js';
import { ErrorGroup } from '../../src/error-tracking/error-group.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { EVENT_ID, HEADER, openCollector, SMALL } from './collector-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const TAKEN = { status: 200, body: { id: EVENT_ID } };

describe('an envelope with an event', () => {
  it('is stored with what it leaves open filled in', async () => {
    const place = await openCollector(app);
    expect(await place.answer(SMALL)).toEqual(TAKEN);
    const [error] = await place.errors();
    const [event, ...others] = await place.events();
    expect(others).toEqual([]);
    expect(error).toMatchObject({ value: 'm', eventsCount: 1, status: ERROR_STATUS.unresolved });
    expect(event).toMatchObject({
      eventId: expect.stringContaining('9ec79c33') as unknown,
      environment: 'production',
      level: ERROR_LEVELS.indexOf('error'),
      sent: { message: 'm' },
    });
  });

  it('is found without a slash at the end, and at the plain address of an id', async () => {
    const place = await openCollector(app);
    const query = `?sentry_key=${place.key}`;
    const plain = `${app.url}/api/${place.project.id}`;
    const urls = [`${place.base}/envelope`, `${plain}/envelope/`, `${plain}/envelope`];
    for (const url of urls) {
      const response = await fetch(url + query, { method: 'POST', body: SMALL });
      expect([response.status, await response.json()]).toEqual([200, { id: EVENT_ID }]);
    }
    expect(await place.events()).toHaveLength(1);
  });

  it('is found by the path of the project', async () => {
    const { project, key, events } = await openCollector(app);
    const path = encodeURIComponent(project.fullPath);
    const url = `${app.url}/api/v4/error_tracking/collector/api/${path}/envelope/`;
    const response = await fetch(`${url}?sentry_key=${key}`, { method: 'POST', body: SMALL });
    expect(response.status).toBe(200);
    expect(await events()).toHaveLength(1);
  });

  it.each(['X-Sentry-Auth', 'Authorization'])('may bring its key in %s', async (name) => {
    const place = await openCollector(app);
    const auth = `Sentry sentry_version=7,sentry_key=${place.key}, sentry_client=x/1`;
    expect(await place.answer(SMALL, { query: '', headers: { [name]: auth } })).toEqual(TAKEN);
  });

  it('may bring its key in its own header', async () => {
    const place = await openCollector(app);
    const dsn = `http://${place.key}@h/api/v4/error_tracking/collector/${place.project.id}`;
    const header = JSON.stringify({ event_id: EVENT_ID, dsn });
    const body = SMALL.replace(HEADER, header);
    expect(await place.answer(body, { query: '' })).toEqual(TAKEN);
    expect(await place.events()).toHaveLength(1);
  });

  it('is taken after an attachment, by stated lengths', async () => {
    const place = await openCollector(app);
    const attachment = '{"type":"attachment","length":10,"filename":"hello.txt"}\n\ufeffHello\r\n';
    const event = '{"type":"event","length":41}\n{"message":"hello world","level":"error"}\n';
    expect(await place.answer(`${HEADER}\n${attachment}\n${event}`)).toEqual(TAKEN);
    expect((await place.events()).map(({ sent }) => sent)).toEqual([
      expect.objectContaining({ message: 'hello world', level: 'error' }),
    ]);
  });

  it('is taken beside an item of an unknown type', async () => {
    const place = await openCollector(app);
    const body = `${HEADER}\n{"type":"brand_new","length":3}\na\nb\n{"type":"event"}\n{"message":"m"}`;
    expect(await place.answer(body)).toEqual(TAKEN);
    expect(await place.events()).toHaveLength(1);
  });

  it.each<[string, (text: string) => Uint8Array]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
  ])('may be packed as %s', async (encoding, pack) => {
    const place = await openCollector(app);
    const headers = { 'Content-Encoding': encoding };
    expect(await place.answer(pack(SMALL), { headers })).toEqual(TAKEN);
    expect((await place.events()).map(({ sent }) => sent)).toEqual([
      expect.objectContaining({ message: 'm' }),
    ]);
  });

  it.each([
    'text/plain;charset=UTF-8',
    'application/x-sentry-envelope',
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('may be called %s', async (type) => {
    const place = await openCollector(app);
    expect(await place.answer(SMALL, { headers: { 'Content-Type': type } })).toEqual(TAKEN);
  });

  it('counts once, however often it is sent', async () => {
    const place = await openCollector(app);
    expect(await place.answer(SMALL)).toEqual(TAKEN);
    expect(await place.answer(SMALL)).toEqual(TAKEN);
    expect(await place.events()).toHaveLength(1);
    expect((await place.errors()).map(({ eventsCount }) => eventsCount)).toEqual([1]);
  });

  it('has an ID of 32 lowercase digits, in every spelling of the request', async () => {
    const place = await openCollector(app);
    const dashed = SMALL.replace(EVENT_ID, '9EC79C33-EC99-42AB-8353-589FCB2E04DC');
    expect(await place.answer(dashed)).toEqual(TAKEN);
  });

  it('is known by the id of the envelope before its own, and by its own before none', async () => {
    const place = await openCollector(app);
    const own = 'a'.repeat(32);
    const event = `{"type":"event"}\n{"message":"m","event_id":"${own}"}`;
    expect(await place.answer(`${HEADER}\n${event}`)).toEqual(TAKEN);
    expect(await place.answer(`{}\n${event}`)).toEqual({ status: 200, body: { id: own } });
    expect(await place.answer('{}\n{"type":"event"}\n{"message":"m"}')).toEqual({
      status: 200,
      body: { id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown },
    });
    expect(await place.events()).toHaveLength(3);
  });

  it('is taken when headers of the envelope cannot be read', async () => {
    const place = await openCollector(app);
    const header = `{"event_id":"${EVENT_ID}","sent_at":"garbage","dsn":"x"}`;
    expect(await place.answer(SMALL.replace(HEADER, header))).toEqual(TAKEN);
  });

  it('reopens an error that was resolved', async () => {
    const place = await openCollector(app);
    const before = new Date(Date.now() - 60_000);
    await place.answer(SMALL);
    await app.dataSource.manager.update(
      ErrorGroup,
      { projectId: place.project.id },
      { status: ERROR_STATUS.resolved, statusChangedAt: before },
    );
    await place.answer(SMALL.replace(EVENT_ID, 'b'.repeat(32)));
    const [error, ...others] = await place.errors();
    expect(others).toEqual([]);
    expect(error).toMatchObject({ status: ERROR_STATUS.unresolved, eventsCount: 2 });
    expect(error?.regressedAt).toBeInstanceOf(Date);
  });

  it('may hold numbers for texts, bare lists, and NUL', async () => {
    const place = await openCollector(app);
    const event = {
      message: 'a\u0000b',
      tags: [
        ['a', 1],
        ['b', true],
      ],
      user: { id: 7 },
      breadcrumbs: [{ message: 'x' }],
    };
    expect(await place.answer(`${HEADER}\n{"type":"event"}\n${JSON.stringify(event)}`)).toEqual(
      TAKEN,
    );
    const [error] = await place.errors();
    expect(error?.value).not.toContain('\u0000');
    expect(error?.value).toMatch(/^a.b$/u);
    expect((await place.events())[0]).toMatchObject({ userLabel: '7' });
  });
});
