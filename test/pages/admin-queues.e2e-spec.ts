import { getQueueToken } from '@nestjs/bull';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Queue } from 'bull';
import request from 'supertest';
import { QUEUES } from '../../src/core/durable-work/queues.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';

const PAUSE = '/admin/queues/api/queues/deletions/pause';

let app: OwnTestApp;
let pages: PageClient;
let queue: Queue;
beforeAll(async () => {
  app = await startTestApp();
  ({ pages } = await makeVisitor(app, { admin: true }));
  queue = app.app.get<Queue>(getQueueToken(QUEUES.deletions), { strict: false });
});
afterAll(() => app.close());

/** A change as the board's script asks for it. */
function change(path: string, headers: Record<string, string>, cookie = pages.cookie) {
  return request(app.url)
    .put(path)
    .set({ Cookie: `_svc_session=${cookie}`, ...headers });
}

describe('GET /admin/queues', () => {
  it('sends the board with a policy of its own', async () => {
    const { text, headers } = await pages.get('/admin/queues').expect(200);
    expect(text).toContain('<base href="/admin/queues/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "font-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'self'; " +
        "form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
    expect(headers['x-powered-by']).toBeUndefined();
    const script = /src="(static\/js\/main[^"]+)"/.exec(text)?.[1] ?? '';
    const file = await pages.get(`/admin/queues/${script}`).expect(200);
    expect(file.headers['content-type']).toMatch(/javascript/);
  });

  it('tells of every queue', async () => {
    const { body } = await pages.get('/admin/queues/api/queues').expect(200);
    const names = (body as { queues: { name: string }[] }).queues.map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.values(QUEUES).toSorted());
  });

  it('answers 404 for what it does not know', async () => {
    await pages.get('/admin/queues/api/nothing').expect(404);
    await pages.get('/admin/queues/static/../../package.json').expect(404);
  });
});

describe('a change of a queue', () => {
  const proofs: [string, () => Record<string, string>][] = [
    ['Sec-Fetch-Site: same-origin', () => ({ 'Sec-Fetch-Site': 'same-origin' })],
    ['the token of the session', () => ({ 'X-CSRF-Token': pages.csrfToken })],
    ['our own Origin', () => ({ Origin: app.url })],
  ];

  it.each(proofs)('is done when it comes with %s', async (_, headers) => {
    const given = headers();
    await change(PAUSE, given).expect(200);
    expect(await queue.isPaused()).toBe(true);
    await change(PAUSE.replace(/pause$/, 'resume'), given).expect(200);
    expect(await queue.isPaused()).toBe(false);
  });

  it.each<Record<string, string>>([
    {},
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'X-CSRF-Token': 'wrong' },
  ])('is refused when it comes with %j', async (headers) => {
    await change(PAUSE, headers).expect(422);
    expect(await queue.isPaused()).toBe(false);
  });

  it('is 404 for everyone else', async () => {
    const other = await makeVisitor(app);
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    await change(PAUSE, headers, other.pages.cookie).expect(404);
    await change(PAUSE, headers, 'unknown').expect(404);
    expect(await queue.isPaused()).toBe(false);
  });

  it('comes with what the board wants to be done', async () => {
    const job = { name: 'delete-container', data: { kind: 'project', id: -1 }, options: {} };
    await request(app.url)
      .post('/admin/queues/api/queues/deletions/add')
      .set({ Cookie: `_svc_session=${pages.cookie}`, 'Sec-Fetch-Site': 'same-origin' })
      .send(job)
      .expect(200);
    const [added] = await queue.getWaiting();
    expect(added).toMatchObject({ name: job.name, data: job.data });
  });

  it('goes into the audit log', async () => {
    const admin = await makeVisitor(app, { admin: true });
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    await change(PAUSE.replace(/pause$/, 'resume'), headers, admin.pages.cookie).expect(200);
    const entries = await app.dataSource.query(
      'SELECT action, details FROM audit_events WHERE author_id = $1',
      [admin.user.id],
    );
    expect(entries).toEqual([
      {
        action: 'queue_change_requested',
        details: { request: 'PUT /api/queues/deletions/resume' },
      },
    ]);
  });
});
