import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Subscription } from '../../src/workspace/subscriptions/subscriptions.repository.js';
import { UnsubscribeKeys } from '../../src/workspace/subscriptions/unsubscribe-keys.js';
import { NotificationSetting } from '../../src/notifications/notification-setting.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { User } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { effortOfAnswer } from '../support/effort.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { signedIn } from '../support/page-client.js';
import { makeGroup, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let ann: MadeActor;
let eve: MadeActor;
let hidden: MadeProject;
let open: MadeProject;
beforeAll(async () => {
  app = await sharedTestApp();
  ann = await makeActor(app);
  eve = await makeActor(app);
  hidden = await makeProject(app, { namespaceId: ann.user.namespaceId });
  open = await makeProject(app, { namespaceId: ann.user.namespaceId, visibility: 'public' });
});

const SETTINGS = '/notification_settings';

const rowsOf = ({ user }: MadeActor): Promise<NotificationSetting[]> =>
  app.dataSource.manager.findBy(NotificationSetting, { userId: user.id });

describe('notification settings', () => {
  it.each([
    ['level', []],
    ['level', {}],
    ['level', ['watch']],
    ['level', 7],
    ['level', true],
    ['level', '__proto__'],
    ['level', 'constructor'],
    ['level', 'watch\u0000'],
    ['level', 'w'.repeat(100_000)],
    ['new_note', 'maybe'],
    ['new_note', [true]],
    ['new_note', { a: 1 }],
    ['notification_email', ['a@example.com']],
    ['notification_email', 'a@example.com\r\nBcc: b@example.com'],
    ['notification_email', '\u0000'],
    ['notification_email', `${'a'.repeat(200_000)}@example.com`],
  ])('refuse %s = %j and stay as they are', async (name, value) => {
    const { status } = await eve.api.put(SETTINGS, { [name]: value });
    expect([name, status]).toEqual([name, 400]);
    expect(await rowsOf(eve)).toEqual([]);
  });

  it('belong to the viewer, whatever else a request contains', async () => {
    const mallory = await makeActor(app);
    const body = {
      ...{ level: 'watch', user_id: ann.user.id, id: 1, project_id: hidden.id, own_activity: true },
      ...{ namespace_id: 1, email: ann.user.email, events: 65_535, source_id: hidden.id },
    };
    await mallory.api.put(`/projects/${open.id}${SETTINGS}?user_id=${ann.user.id}`, body);
    expect(await rowsOf(ann)).toEqual([]);
    expect(await rowsOf(mallory)).toMatchObject([
      { projectId: open.id, namespaceId: null, email: null, ownActivity: false },
    ]);
  });

  it('do not tell a project or group that is hidden from one that there is none', async () => {
    const { id } = await makeGroup(app, { visibility: 'private' });
    const answers = await Promise.all(
      [hidden.id, 999_999_999].map(async (one) => {
        const path = `/projects/${one}${SETTINGS}`;
        const [get, put] = [await eve.api.get(path), await eve.api.put(path, { level: 'watch' })];
        return [get.status, get.body, put.status, put.body];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    const [known, none] = await Promise.all(
      [id, 999_999_999].map((one) => eve.api.put(`/groups/${one}${SETTINGS}`, { level: 'x' })),
    );
    expect([known?.status, known?.body]).toEqual([404, none?.body]);
  });

  it('are one row after many changes at the same time, and none of them fails', async () => {
    const actor = await makeActor(app);
    const levels = ['watch', 'disabled', 'mention', 'custom', 'participating'];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        actor.api.put(`/projects/${open.id}${SETTINGS}`, { level: levels[at % 5] }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await rowsOf(actor)).toHaveLength(1);
  });

  it('answer 200 or 404 while their project or their user is deleted', async () => {
    for (let round = 0; round < 5; round += 1) {
      const actor = await makeActor(app);
      const { id } = await makeProject(app, {
        namespaceId: ann.user.namespaceId,
        visibility: 'public',
      });
      const doomed = round % 2 === 0 ? [Project, { id }] : [User, { id: actor.user.id }];
      const [entity, where] = doomed as [typeof Project, { id: number }];
      const puts = Array.from({ length: 8 }, () =>
        actor.api.put(`/projects/${id}${SETTINGS}`, { level: 'watch' }),
      );
      const [, ...answers] = await Promise.all([
        app.dataSource.manager.delete(entity, where),
        ...puts,
      ]);
      for (const { status } of answers) expect([200, 401, 404]).toContain(status);
    }
  });

  it('name no place on their page that is closed to its reader since', async () => {
    const bob = await makeActor(app);
    const group = await makeGroup(app, { visibility: 'public' });
    const inner = await makeProject(app, { namespaceId: group.id, visibility: 'public' });
    await bob.api.put(`/groups/${group.id}${SETTINGS}`, { level: 'watch' }).expect(200);
    await bob.api.put(`/projects/${inner.id}${SETTINGS}`, { level: 'watch' }).expect(200);
    const pages = await signedIn(app, bob.user);
    expect((await pages.get('/-/profile/notifications')).text).toContain(inner.path);
    await app.dataSource.query('UPDATE projects SET visibility = 0 WHERE id = $1', [inner.id]);
    await app.dataSource.query('UPDATE groups SET visibility = 0 WHERE id = $1', [group.id]);
    const { text } = await pages.get('/-/profile/notifications');
    expect([text.includes(inner.path), text.includes(group.path)]).toEqual([false, false]);
    for (const path of [`projects/${inner.id}`, `groups/${group.id}`]) {
      await pages.get(`/-/profile/notifications/${path}`).expect(404);
    }
  });
});

describe('the unsubscribe link', () => {
  const link = (key: string): string => `/-/sent_notifications/${key}/unsubscribe`;
  const subscriptions = (): Promise<number> => app.dataSource.manager.count(Subscription);

  it('answers 404 to what is no key of ours, however it is sent, and changes nothing', async () => {
    const { id } = await createIssue(ann.api, open);
    const key = app.app.get(UnsubscribeKeys).keyOf({ kind: 'issue', id }, ann.user.id);
    const before = await subscriptions();
    const forged = [
      ...[key.slice(0, -1), `${key}=`, key.toUpperCase(), `%20${key}`, `${key}%00`, `${key}%0a`],
      ...[key.replace(/-\d+-/, `-${eve.user.id}-`), key.replace('i', 'm'), key.replace('i', 'p')],
      ...['x', '%00', '%ff', '..%2f..%2fx', 'a'.repeat(6_000), key.replace('i', 'i0'), '-'],
    ];
    for (const one of forged) {
      for (const method of ['get', 'head', 'post'] as const) {
        const { status } = await request(app.url)[method](link(one));
        expect([one, method, status]).toEqual([one, method, status === 400 ? 400 : 404]);
      }
    }
    expect(await subscriptions()).toBe(before);
  });

  it('changes nothing by GET, HEAD or OPTIONS, which scanners of links send', async () => {
    const { id } = await createIssue(ann.api, open);
    const key = app.app.get(UnsubscribeKeys).keyOf({ kind: 'issue', id }, eve.user.id);
    const before = await subscriptions();
    for (const method of ['get', 'head', 'options'] as const) {
      const { status } = await request(app.url)[method](link(key));
      expect(status).toBeLessThan(500);
    }
    expect(await subscriptions()).toBe(before);
  });

  it('refuses bodies that are too big or broken, without an error of its own', async () => {
    const { id } = await createIssue(ann.api, open);
    const key = app.app.get(UnsubscribeKeys).keyOf({ kind: 'issue', id }, eve.user.id);
    const parts = Array.from(
      { length: 8_000 },
      (_, at) => `--b\r\nContent-Disposition: form-data; name="${at}"\r\n\r\nx\r\n`,
    );
    const bodies: [string, string][] = [
      ['multipart/form-data; boundary=b', `${parts.join('')}--b--\r\n`],
      ['multipart/form-data; boundary=b', parts.join('')],
      ['multipart/form-data', 'x'],
      ['application/x-www-form-urlencoded', 'a[b]'.repeat(100_000)],
      ['application/x-www-form-urlencoded', '%'.repeat(1_000)],
      ['application/json', '['.repeat(100_000)],
      ['application/x-www-form-urlencoded', 'x'.repeat(2_000_000)],
    ];
    for (const [type, body] of bodies) {
      const effort = await effortOfAnswer(async () => {
        const { status } = await request(app.url)
          .post(link(key))
          .set('content-type', type)
          .send(body);
        expect([type, status < 500]).toEqual([type, true]);
      });
      expect(effort).toBeLessThan(10);
    }
  });
});
