import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { STATUS } from '../../src/alerts/alert-values.js';
import { Alert } from '../../src/alerts/alert.entity.js';
import { User } from '../../src/identity/users/user.entity.js';
import { makeAlert } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin } from '../support/factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makeManaged, notesOf } from './managed.js';

let app: TestApp;

beforeAll(async () => {
  app = await sharedTestApp();
});

const FINGERPRINT = createHash('sha1').update('disk').digest();

function rowOf(id: number): Promise<Alert> {
  return app.dataSource.manager.findOneByOrFail(Alert, { id });
}

describe('changing the status of an alert', () => {
  it('answers the alert as it is then, and notes who did what', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const { id, iid } = await makeAlert(app, project, { updatedAt: new Date('2026-01-01') });
    const before = await developer.api.get(`${alerts}/${iid}`);
    const changed = await developer.api.put(`${alerts}/${iid}`, { status: 'acknowledged' });

    expect([changed.status, changed.body]).toEqual([
      200,
      { ...before.body, status: 'acknowledged', updated_at: expect.not.stringContaining('-01-01') },
    ]);
    const notes = await developer.api.get(`${alerts}/${iid}/notes`);
    expect(notes.body).toMatchObject([
      {
        body: 'changed the status to **Acknowledged**',
        system: true,
        author: { id: developer.user.id },
        noteable_id: id,
      },
    ]);
  });

  it.each(['triggered', 'acknowledged', 'resolved', 'ignored'] as const)(
    'leads from %s to every other one',
    async (from) => {
      const { project, alerts, developer } = await makeManaged(app);
      for (const to of ['triggered', 'acknowledged', 'resolved', 'ignored'] as const) {
        const { id, iid } = await makeAlert(app, project, { status: STATUS[from] });
        const { body } = await developer.api.put(`${alerts}/${iid}`, { status: to });

        const ended = to === 'resolved' ? expect.any(String) : null;
        expect(body).toMatchObject({ status: to, ended_at: ended });
        expect(await notesOf(app, id)).toHaveLength(from === to ? 0 : 1);
      }
    },
  );

  it('counts a reopened alert as heard of just now', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const longAgo = new Date('2026-01-01T00:00:00Z');
    const old = { status: STATUS.resolved, endedAt: longAgo, lastEventAt: longAgo };
    const { id, iid } = await makeAlert(app, project, old);
    await developer.api.put(`${alerts}/${iid}`, { status: 'triggered' });

    expect((await rowOf(id)).lastEventAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('does not open a resolved alert beside an open one of its fingerprint', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const fingerprint = FINGERPRINT;
    const old = await makeAlert(app, project, { fingerprint, status: STATUS.resolved });
    const open = await makeAlert(app, project, { fingerprint });
    const elsewhere = await makeManaged(app);
    await makeAlert(app, elsewhere.project, { fingerprint });
    const reopen = () => developer.api.put(`${alerts}/${old.iid}`, { status: 'triggered' });
    const refused = await reopen();

    expect([refused.status, refused.body]).toEqual([
      400,
      {
        message:
          'An alert with the same fingerprint is already open. To change the status of this alert, resolve the linked alert.',
      },
    ]);
    expect([(await rowOf(old.id)).status, await notesOf(app, old.id)]).toEqual([2, []]);
    await developer.api.put(`${alerts}/${open.iid}`, { status: 'resolved' });
    expect((await reopen()).body).toMatchObject({ status: 'triggered', ended_at: null });
  });

  it('opens one of several at most, however many are asked for at once', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const make = () => makeAlert(app, project, { fingerprint: FINGERPRINT, status: 2 });
    const made = [await make(), await make(), await make(), await make()];
    const answers = await Promise.all(
      made.map(({ iid }) => developer.api.put(`${alerts}/${iid}`, { status: 'ignored' })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it.each<[object, string]>([
    [{}, 'Please provide attributes to update'],
    [{ title: 'x' }, 'Please provide attributes to update'],
    [{ status: 'done' }, 'Invalid status'],
    [{ status: 'RESOLVED' }, 'Invalid status'],
    [{ status: '' }, 'Invalid status'],
    [{ status: null }, 'Invalid status'],
    [{ status: 'open' }, 'Invalid status'],
  ])('refuses %j', async (body, message) => {
    const { project, alerts, developer } = await makeManaged(app);
    const { iid } = await makeAlert(app, project);
    const response = await developer.api.put(`${alerts}/${iid}`, body);

    expect([response.status, response.body]).toEqual([400, { message }]);
  });

  it('is refused below Developer, in archived projects, and for what changed meanwhile', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const archived = await makeManaged(app, { archived: true });
    const { iid } = await makeAlert(app, project);
    await makeAlert(app, archived.project);
    const reporter = await makeMemberOf(app, project, 'reporter');
    const body = { status: 'resolved' };

    expect((await reporter.api.put(`${alerts}/${iid}`, body)).status).toBe(403);
    expect((await archived.developer.api.put(`${archived.alerts}/1`, body)).body).toEqual({
      message: '403 Forbidden',
    });
    expect((await developer.api.put(`${alerts}/99`, body)).status).toBe(404);
    const stale = developer.api
      .put(`${alerts}/${iid}`, body)
      .set('If-Unmodified-Since', 'Wed, 01 Jan 2020 00:00:00 GMT');
    expect((await stale).status).toBe(412);
  });
});

describe('assigning an alert', () => {
  it('takes the first of those named, by id or username, and clears by an empty list', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const second = await makeMemberOf(app, project, 'maintainer');
    const { id, iid } = await makeAlert(app, project);
    const [one, two] = [developer.user, second.user];
    const put = async (body: object): Promise<string[]> => {
      const response = await developer.api.put(`${alerts}/${iid}`, body);
      expect([response.status, response.body]).toEqual([200, expect.anything()]);
      const { assignees } = response.body as { assignees: { username: string }[] };
      return assignees.map(({ username }) => username);
    };

    expect(await put({ assignee_ids: [one.id, two.id] })).toEqual([one.username]);
    expect(await put({ status: 'ignored' })).toEqual([one.username]);
    expect(await put({ assignee_usernames: [two.username.toUpperCase()] })).toEqual([two.username]);
    expect(await put({ assignee_ids: [two.id] })).toEqual([two.username]);
    expect(await put({ assignee_ids: [] })).toEqual([]);
    expect(await put({ assignee_ids: String(one.id) })).toEqual([one.username]);
    expect(await put({ assignee_ids: [0] })).toEqual([]);
    expect(await put({ assignee_usernames: '', status: 'triggered' })).toEqual([]);
    expect(await notesOf(app, id)).toEqual([
      `assigned to @${one.username}`,
      'changed the status to **Ignored**',
      `assigned to @${two.username} and unassigned @${one.username}`,
      `unassigned @${two.username}`,
      `assigned to @${one.username}`,
      `unassigned @${one.username}`,
      'changed the status to **Triggered**',
    ]);
  });

  it('notes the previous assignee of each of several concurrent changes', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const second = await makeMemberOf(app, project, 'developer');
    const { id, iid } = await makeAlert(app, project);
    const [one, two] = [developer.user, second.user];
    await Promise.all(
      [one, two].map((user) => developer.api.put(`${alerts}/${iid}`, { assignee_ids: [user.id] })),
    );
    const inOrder = ([first, last]: { username: string }[]) => [
      `assigned to @${first?.username}`,
      `assigned to @${last?.username} and unassigned @${first?.username}`,
    ];

    expect([inOrder([one, two]), inOrder([two, one])]).toContainEqual(await notesOf(app, id));
  });

  it('takes administrators, and form fields', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const admin = await makeAdmin(app);
    const { iid } = await makeAlert(app, project);
    const put = developer.api.put(`${alerts}/${iid}?assignee_ids[]=${admin.user.id}`);

    expect((await put).body).toMatchObject({ assignees: [{ id: admin.user.id }] });
  });

  it('refuses who cannot read alerts, and does not tell who there is', async () => {
    const { project, alerts, developer } = await makeManaged(app, { visibility: 'public' });
    const { id, iid } = await makeAlert(app, project);
    const blocked = await makeMemberOf(app, project, 'developer');
    await app.dataSource.manager.update(User, { id: blocked.user.id }, { state: 'blocked' });
    const reporter = await makeMemberOf(app, project, 'reporter');
    const stranger = await makeActor(app);
    const other = await makeManaged(app);
    const wrong = [blocked.user, reporter.user, stranger.user, other.developer.user];

    for (const user of [...wrong, { id: 999_999, username: 'nobody-of-this-name' }]) {
      for (const body of [{ assignee_ids: [user.id] }, { assignee_usernames: [user.username] }]) {
        const response = await developer.api.put(`${alerts}/${iid}`, {
          ...body,
          status: 'ignored',
        });
        expect([response.status, response.body]).toEqual([
          400,
          { message: 'Assignee has no permissions' },
        ]);
      }
    }
    expect([(await rowOf(id)).status, await notesOf(app, id)]).toEqual([0, []]);
  });

  it.each<[object, string]>([
    [
      { assignee_ids: [1], assignee_usernames: ['a'] },
      'assignee_ids, assignee_usernames are mutually exclusive',
    ],
    [{ assignee_ids: ['a'] }, 'assignee_ids is invalid'],
    [{ assignee_usernames: [{}] }, 'assignee_usernames is invalid'],
  ])('refuses %j', async (body, error) => {
    const { project, alerts, developer } = await makeManaged(app);
    const { iid } = await makeAlert(app, project);
    const response = await developer.api.put(`${alerts}/${iid}`, body);

    expect([response.status, response.body]).toMatchObject([400, { error }]);
  });
});
