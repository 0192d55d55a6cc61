import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { makeTracked } from '../error-tracking/tracked.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeError } from '../support/error-factories.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { makeGroup, makeProject } from '../support/project-factories.js';

const STALE = 'Wed, 01 Jan 2020 00:00:00 GMT';

/** A change of a modified resource, and the request that shows the resource. */
interface Change {
  send: () => Test;
  show: () => Test;
}

let app: TestApp;
let admin: MadeActor;
let actor: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
  actor = await makeActor(app);
});

/** Makes the change once without a precondition. */
async function put(by: MadeActor, path: string, body: object): Promise<Change> {
  await by.api.put(path, body).expect(200);
  return { send: () => by.api.put(path, body), show: () => by.api.get(path) };
}

async function linkedError() {
  const { project, errors, developer } = await makeTracked(app);
  const error = await makeError(app, project);
  const path = `${errors}/${error.id}`;
  await developer.api.post(`${path}/issue`, {}).expect(201);
  const show = () => developer.api.get(path);
  return { id: error.id, errors, path, developer, show };
}

const CHANGES: Record<string, () => Promise<Change>> = {
  'the instance settings': () => put(admin, '/application/settings', { max_login_attempts: 9 }),
  'an application': async () => {
    const { body } = await admin.api
      .post('/applications', { name: 'CI', redirect_uri: 'https://ci.example.com', scopes: 'api' })
      .expect(201);
    const { id } = body as { id: number };
    const show = () => admin.api.get('/applications');
    return { send: () => admin.api.delete(`/applications/${id}`), show };
  },
  'a secondary email address': async () => {
    const { body } = await actor.api.post('/user/emails', { email: 'old@example.com' }).expect(201);
    const path = `/user/emails/${(body as { id: number }).id}`;
    return { send: () => actor.api.delete(path), show: () => actor.api.get(path) };
  },
  'a global notification setting': () => put(actor, '/notification_settings', { level: 'watch' }),
  'a group notification setting': async () => {
    const group = await makeGroup(app, { visibility: 'public' });
    return put(actor, `/groups/${group.id}/notification_settings`, { level: 'watch' });
  },
  'a project notification setting': async () => {
    const project = await makeProject(app, { namespaceId: actor.user.namespaceId });
    return put(actor, `/projects/${project.id}/notification_settings`, { level: 'watch' });
  },
  'alert settings': async () => {
    const project = await makeProject(app, { namespaceId: actor.user.namespaceId });
    return put(actor, `/projects/${project.id}/alert_management/settings`, { send_email: true });
  },
  'storage limits': () =>
    put(admin, '/storage_moves/storages/storage2', { bytes_per_second: 1_000_000 }),
  'a project namespace': async () => {
    const project = await makeProject(app, { namespaceId: actor.user.namespaceId });
    const path = `/projects/${project.id}`;
    const send = () => actor.api.put(`${path}/transfer`, { namespace: '0' });
    return { send, show: () => actor.api.get(path) };
  },
  'an error': async () => {
    const { path, developer, show } = await linkedError();
    return { send: () => developer.api.put(path, { status: 'resolved' }), show };
  },
  'an error by PATCH': async () => {
    const { path, developer, show } = await linkedError();
    return { send: () => developer.api.patch(path, { status: 'resolved' }), show };
  },
  'many errors': async () => {
    const { id, errors, developer, show } = await linkedError();
    const body = { error_ids: [id], status: 'ignored' };
    return { send: () => developer.api.put(errors, body), show };
  },
  'the issue link of an error': async () => {
    const { path, developer, show } = await linkedError();
    return { send: () => developer.api.delete(`${path}/issue`), show };
  },
};

describe('If-Unmodified-Since', () => {
  it.each(Object.keys(CHANGES))('rejects a change of %s after a later change', async (name) => {
    const { send, show } = await CHANGES[name]!();
    const before = await show().expect(200);
    const { body } = await send().set('If-Unmodified-Since', STALE).expect(412);
    expect(body).toEqual({ message: '412 Precondition Failed' });
    expect((await show()).body).toEqual(before.body);
  });

  it('accepts a change based on the latest state', async () => {
    const { send } = await CHANGES['an error']!();
    await send().set('If-Unmodified-Since', new Date().toUTCString()).expect(200);
  });
});
