import { beforeAll, describe, expect, it } from '@jest/globals';
import { ClientKey } from '../../src/error-tracking/client-keys/client-keys.repository.js';
import { newPublicKey } from '../../src/error-tracking/client-keys/dsn.js';
import { ErrorGroup } from '../../src/error-tracking/error-group.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeOutcome } from '../support/error-factories.js';
import { clientKeysOf, makeCollectingPlace, makeSetUpPlace } from '../support/error-set-up.js';
import { textOf } from '../support/html.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

describe('client keys on the page', () => {
  it('are replaced by a new one', async () => {
    const { pages, project, path, key, dsn } = await makeCollectingPlace(app);
    await pages.post(`${path}/keys`).expect(303);
    const [, second] = await clientKeysOf(app, project);
    const both = await pages.get(path).expect(200);
    expect(both.text).toContain(`value="${dsn}"`);
    expect(both.text).toContain(second?.publicKey);
    await pages.post(`${path}/keys/${key.id}/delete`).expect(303);
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain(key.publicKey);
    expect(text).toContain(`value="${dsn.replace(key.publicKey, second?.publicKey ?? '')}"`);
    await pages.post(`${path}/keys/${key.id}/delete`).expect(404);
  });

  it('of which none is left say that programs are refused', async () => {
    const { pages, path, key } = await makeCollectingPlace(app);
    await pages.post(`${path}/keys/${key.id}/delete`).expect(303);
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toContain('No active key');
  });

  it('are 50 at most', async () => {
    const { pages, project, path } = await makeCollectingPlace(app);
    const more = Array.from({ length: 49 }, () => ({
      projectId: project.id,
      publicKey: newPublicKey(),
    }));
    await app.dataSource.manager.insert(ClientKey, more);
    await pages.post(`${path}/keys`).expect(303);
    expect(await clientKeysOf(app, project)).toHaveLength(50);
  });

  it('of another project are not there', async () => {
    const other = await makeCollectingPlace(app);
    const { pages, path } = await makeCollectingPlace(app);
    await pages.post(`${path}/keys/${other.key.id}/delete`).expect(404);
    expect(await clientKeysOf(app, other.project)).toHaveLength(1);
  });
});

describe('a test event', () => {
  it('leads to its error, and is counted like any other', async () => {
    const { pages, project, path } = await makeCollectingPlace(app);
    const first = await pages.post(`${path}/test`).expect(303);
    const second = await pages.post(`${path}/test`).expect(303);
    expect(second.headers['location']).toBe(first.headers['location']);
    const error = await app.dataSource.manager.findOneByOrFail(ErrorGroup, {
      projectId: project.id,
    });
    expect(first.headers['location']).toBe(
      `/${project.fullPath}/-/error_tracking/${error.id}/details`,
    );
    expect(error).toMatchObject({ type: 'TestError', eventsCount: 2, platform: 'node' });
    expect(error.value).toContain(project.name);
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toMatch(/Accepted Error 2/);
  });

  it('is not sent where no errors are collected', async () => {
    const { pages, project, path } = await makeSetUpPlace(app);
    const { headers } = await pages.post(`${path}/test`).expect(303);
    expect(headers['location']).toBe(path);
    expect(await app.dataSource.manager.countBy(ErrorGroup, { projectId: project.id })).toBe(0);
  });
});

describe('usage on the page', () => {
  it('is drawn by day and summed up by outcome, kind and reason', async () => {
    const { pages, project, path } = await makeCollectingPlace(app);
    await makeOutcome(app, project, { quantity: 1234 });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const quota = { outcome: 'refused', reason: 'quota' } as const;
    await makeOutcome(app, project, { ...quota, quantity: 2 });
    await makeOutcome(app, project, { ...quota, day: yesterday, quantity: 3 });
    const session = { outcome: 'dropped', category: 'session', reason: 'not_supported' } as const;
    await makeOutcome(app, project, { ...session, quantity: 7 });
    const text = textOf((await pages.get(path).expect(200)).text);
    expect(text).toContain('Accepted Error 1,234');
    expect(text).toContain('Dropped Session Not supported 7');
    expect(text).toContain('Rejected Error Quota 5');
    expect(text).toContain(`${yesterday}: 3 rejected`);
  });
});
