import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ProjectRepositoryStorageMove } from '../../src/storage-moves/storage-move.entity.js';
import { type OwnTestApp, startTestApp } from '../support/app.js';
import { makeVisitor } from '../support/page-client.js';
import { makeProjectRow } from '../support/storage-move-factories.js';

const PAGES = [
  '/admin',
  '/admin/users',
  '/admin/users/new',
  '/admin/users/1',
  '/admin/users/1/edit',
  '/admin/users/1/impersonation_tokens',
  '/admin/groups',
  '/admin/projects',
  '/admin/application_settings',
  '/admin/audit_logs',
  '/admin/mails',
  '/admin/mails/preview',
  '/admin/storages',
  '/admin/storages/default',
  '/admin/storage_moves',
  '/admin/storage_moves/live',
  '/admin/storage_moves/new',
  '/admin/storage_moves/bulk',
  '/admin/queues',
  '/admin/queues/mails',
];

const FORMS = [
  '/admin/users',
  '/admin/users/1',
  '/admin/users/1/block',
  '/admin/users/1/unlock',
  '/admin/users/1/impersonation_tokens',
  '/admin/users/1/impersonation_tokens/1/revoke',
  '/admin/users/1/reject',
  '/admin/users/1/delete',
  '/admin/application_settings/sign-up',
  '/admin/mails/1/retry',
  '/admin/mails/retry',
  '/admin/storages/default',
  '/admin/storage_moves',
  '/admin/storage_moves/bulk',
  '/admin/storage_moves/project/1/cancel',
  '/admin/storage_moves/project/1/retry',
  '/admin/queues/mails/pause',
  '/admin/queues/mails/retry',
  '/admin/queues/mails/clear',
  '/admin/queues/mails/jobs/1/retry',
  '/admin/queues/mails/jobs/1/remove',
];

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('the pages of administrators', () => {
  it.each(PAGES)('lead from %s to the sign-in page and do not exist for others', async (path) => {
    const { headers } = await request(app.url).get(path).expect(302);
    expect(headers['location']).toMatch(/^\/users\/sign_in/);
    const { pages } = await makeVisitor(app);
    await pages.get(path).expect(404);
  });

  it.each(FORMS)('take no form at %s without its token, nor from others', async (path) => {
    const admin = await makeVisitor(app, { admin: true });
    const cookie = `_svc_session=${admin.pages.cookie}`;
    await request(app.url).post(path).set('Cookie', cookie).type('form').send({}).expect(422);
    const { pages } = await makeVisitor(app);
    await pages.post(path).expect(404);
  });

  it.each(PAGES.filter((path) => !/\/1|live/.test(path)))(
    'show %s in the frame of the site, with nothing to be kept',
    async (path) => {
      const { pages } = await makeVisitor(app, { admin: true });
      const { text, headers } = await pages.get(path).expect(200);
      expect(text).toMatch(/^<!doctype html>[\s\S]*<nav aria-label="Administration"/);
      expect(text).not.toMatch(/<style| style="| on[a-z]+="/);
      expect(text.match(/<h1/g)).toHaveLength(1);
      expect(headers['cache-control']).toBe('no-store');
    },
  );
});

describe('a live part of a page', () => {
  it('leads the whole page to the sign-in page when the session has ended', async () => {
    const { headers } = await request(app.url)
      .get('/admin/storage_moves/live')
      .set({ 'HX-Request': 'true', 'HX-Current-URL': `${app.url}/admin/storage_moves?kind=group` })
      .expect(401);
    expect(headers['hx-redirect']).toBe('/users/sign_in');
    expect(headers['location']).toBeUndefined();
    expect(decodeURIComponent(String(headers['set-cookie']))).toContain(
      '_svc_return_to=/admin/storage_moves?kind=group;',
    );
  });
});

describe('GET /admin', () => {
  it('shows counts and items that need attention', async () => {
    const { pages } = await makeVisitor(app, { admin: true });
    await makeVisitor(app, { state: 'pending' });
    const { text } = await pages.get('/admin').expect(200);
    expect(text).toContain('Pending user approvals: 1');
    expect(text).toMatch(/<meter[^>]*aria-label="Disk usage of default"/);
    expect(text).toContain('href="/admin/queues/storage-moves"');
  });

  it('counts failed storage moves of the last 7 days only', async () => {
    const { user, pages } = await makeVisitor(app, { admin: true });
    const { id: containerId } = await makeProjectRow(app, user);
    const failedDaysAgo = (days: number) =>
      app.dataSource.manager.insert(ProjectRepositoryStorageMove, {
        containerId,
        state: 'failed',
        sourceStorageName: 'default',
        destinationStorageName: 'storage2',
        createdAt: new Date(Date.now() - days * 86_400_000),
      });
    for (const days of [1, 3, 6, 8, 30]) await failedDaysAgo(days);
    const { text } = await pages.get('/admin').expect(200);
    expect(text).toContain('Failed storage moves (last 7 days): 3');
  });
});
