import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { makeGroup, makeMemberOf, makeProject } from '../support/project-factories.js';
import { Document, DSN, follows } from './document.js';

follows('docs/tutorials/migrate-from-sentry.md', 'sh', 'environment');

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await sharedTestApp();
  folder = await mkdtemp(join(tmpdir(), 'guildhall-sentry-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Finds the DSN in its environment, and still sends what the tutorial tells to leave out. */
const PROGRAM = `
import * as Sentry from '@sentry/node';
Sentry.init({ environment: 'production', release: 'shop@1.4.0', tracesSampleRate: 1 });
Sentry.setUser({ id: '42' });
Sentry.setTag('shelf', 'upper');
Sentry.addBreadcrumb({ message: 'cart opened' });
Sentry.startSpan({ name: 'checkout' }, () => {});
for (const order of [17, 18]) {
  const fingerprint = ['orders'];
  Sentry.captureException(new Error(\`order \${order} has no items\`), { fingerprint });
}
await Sentry.flush(5000);
`;

interface SeenError {
  id: number;
  title: string;
  count: number;
}

describe('the tutorial migrate-from-sentry', () => {
  it('moves a program by its DSN alone; errors keep their context, transactions are counted', async () => {
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    const { api, token } = await makeMemberOf(app, project, 'maintainer');
    const setUp = new Document('docs/tutorials/migrate-from-sentry.md', [
      ['acme%2Fshop', encodeURIComponent(project.fullPath)],
      ['svcpat-…', token],
      ['https://code.example.com/api', `${app.url}/api`],
    ]);
    const [, dsn = ''] = /"tracker_dsn":"([^"]+)"/.exec(await setUp.run()) ?? [];

    await writeFile(join(folder, 'shop.mjs'), PROGRAM);
    const migrated = new Document('docs/tutorials/migrate-from-sentry.md', [[DSN, dsn]]);
    const deploy = `${migrated.named('environment')}exec node shop.mjs`;
    const { code, stderr } = await runCommand('sh', ['-ec', deploy], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);

    const at = `/projects/${project.id}/error_tracking`;
    const [error, ...others] = await eventually(async () => {
      const { body } = await api.get(`${at}/errors`).expect(200);
      const found = body as SeenError[];
      expect(found).toEqual([expect.objectContaining({ count: 2 })]);
      return found;
    });
    expect(others).toEqual([]);
    const { body: events } = await api.get(`${at}/errors/${error?.id}/events`).expect(200);
    const [{ event_id: eventId }] = events as [{ event_id: string }];
    const { body: event } = await api.get(`${at}/events/${eventId}`).expect(200);
    expect(event).toMatchObject({
      environment: 'production',
      release: 'shop@1.4.0',
      user: '42',
      tags: [{ name: 'shelf', value: 'upper' }],
      breadcrumbs: expect.arrayContaining([expect.objectContaining({ message: 'cart opened' })]),
    });
    await eventually(async () => {
      const { body: usage } = await api.get(`${at}/usage`).expect(200);
      const counted = { outcome: 'dropped', category: 'transaction', reason: 'not_supported' };
      expect(usage).toContainEqual(expect.objectContaining(counted));
    });
  });
});
