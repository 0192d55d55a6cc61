import { beforeAll, describe, expect, it } from '@jest/globals';
import { AlertActivity } from '../../src/alerts/pages/list/alert-listings.service.js';
import { ALERT_SEVERITIES } from '../../src/alerts/alert-values.js';
import { makeAlert } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makeManaged } from './managed.js';

let app: TestApp;

beforeAll(async () => {
  app = await sharedTestApp();
});

describe('notes of an alert', () => {
  it('are comments of people', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const { id, iid } = await makeAlert(app, project, { iid: 3 });
    const made = await developer.api.post(`${alerts}/${iid}/notes`, { body: 'I **look**' });
    const { user } = developer;
    const time = expect.stringMatching(/^2\d{3}-.*Z$/);

    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        type: null,
        body: 'I **look**',
        attachment: null,
        author: {
          id: user.id,
          username: user.username,
          name: user.name,
          state: 'active',
          locked: false,
          avatar_url: null,
          web_url: `${app.url}/${user.username}`,
        },
        created_at: time,
        updated_at: time,
        system: false,
        noteable_id: id,
        noteable_type: 'AlertManagement::Alert',
        project_id: project.id,
        resolvable: false,
        confidential: false,
        internal: false,
        noteable_iid: 3,
        imported: false,
        imported_from: 'none',
        commands_changes: {},
      },
    ]);
    expect((await developer.api.get(`${alerts}/${iid}/notes`)).body).toEqual([made.body]);
  });

  it('are the timeline together with those of the server', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    await makeAlert(app, project);
    await makeAlert(app, project);
    await developer.api.put(`${alerts}/1`, { status: 'acknowledged' });
    await developer.api.post(`${alerts}/1/notes`, { body: 'On it', internal: true });
    await developer.api.post(`${alerts}/2/notes`, { body: 'Elsewhere' });
    const bodies = async (query = ''): Promise<string[]> => {
      const response = await developer.api.get(`${alerts}/1/notes${query}`);
      return (response.body as { body: string }[]).map(({ body }) => body);
    };

    expect(await bodies()).toEqual(['On it', 'changed the status to **Acknowledged**']);
    expect((await bodies('?sort=asc'))[1]).toBe('On it');
    expect(await bodies('?activity_filter=only_comments')).toEqual(['On it']);
    const page = await developer.api.get(`${alerts}/1/notes?per_page=1`);
    expect(page.headers).toMatchObject({ 'x-total': '2', 'x-next-page': '2' });
  });

  it('are dated by owners only', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    await makeAlert(app, project);
    const owner = await makeMemberOf(app, project, 'owner');
    const body = { body: 'Then', created_at: '2026-01-02T03:04:05Z' };

    expect((await owner.api.post(`${alerts}/1/notes`, body)).body).toMatchObject({
      created_at: '2026-01-02T03:04:05.000Z',
    });
    expect((await developer.api.post(`${alerts}/1/notes`, body)).body).not.toMatchObject({
      created_at: '2026-01-02T03:04:05.000Z',
    });
  });

  it.each<[object, object]>([
    [{}, { error: 'body is missing' }],
    [{ body: ' ' }, { message: `400 Bad request - Note {:note=>["can't be blank"]}` }],
  ])('refuse %j', async (body, expected) => {
    const { project, alerts, developer } = await makeManaged(app);
    await makeAlert(app, project);
    const response = await developer.api.post(`${alerts}/1/notes`, body);

    expect([response.status, response.body]).toMatchObject([400, expected]);
  });

  it('are for Developers and above, and not written in archived projects', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    await makeAlert(app, project);
    const reporter = await makeMemberOf(app, project, 'reporter');
    const archived = await makeManaged(app, { archived: true });
    await makeAlert(app, archived.project);
    const body = { body: 'x' };

    expect((await reporter.api.get(`${alerts}/1/notes`)).status).toBe(403);
    expect((await reporter.api.post(`${alerts}/1/notes`, body)).status).toBe(403);
    expect((await developer.api.get(`${alerts}/9/notes`)).status).toBe(404);
    expect((await developer.api.post(`${alerts}/9/notes`, body)).status).toBe(404);
    expect((await archived.developer.api.get(`${archived.alerts}/1/notes`)).status).toBe(200);
    expect((await archived.developer.api.post(`${archived.alerts}/1/notes`, body)).status).toBe(
      403,
    );
  });
});

describe('alerts over time', () => {
  it('are counted by hour or day and severity, without gaps', async () => {
    const { project } = await makeManaged(app);
    const activity = app.app.get(AlertActivity, { strict: false });
    const hour = 3_600_000;
    const thisHour = Math.floor(Date.now() / hour) * hour;
    for (const [hoursAgo, severity] of [
      [0, 0],
      [0, 0],
      [0, 5],
      [2, 1],
      [100, 1],
      [-1, 2],
    ] as const) {
      const startedAt = new Date(thisHour - hoursAgo * hour);
      await makeAlert(app, project, { startedAt, severity });
    }
    const none = Object.fromEntries(ALERT_SEVERITIES.map((name) => [name, 0]));
    const counted = await activity.periods(project.id, {}, { unit: 'hour', wanted: 3 });
    const base = counted.at(-1)?.start.getTime() ?? 0;

    // The hour may have ended meanwhile.
    expect([thisHour, thisHour + hour]).toContain(base);
    const byHour = new Map(counted.map(({ start, counts }) => [start.getTime(), counts]));
    expect([...byHour.keys()]).toEqual([base - 2 * hour, base - hour, base]);
    expect(byHour.get(thisHour)).toEqual({ ...none, critical: 2, unknown: 1 });
    expect(byHour.get(thisHour - hour)).toEqual(none);
    const daily = (wanted: number) => activity.periods(project.id, {}, { unit: 'day', wanted });
    const days = await daily(30);
    expect(days).toHaveLength(30);
    expect(days.reduce((sum, { counts }) => sum + counts.high, 0)).toBe(2);
    expect(await daily(100_000)).toHaveLength(92);
  });
});
