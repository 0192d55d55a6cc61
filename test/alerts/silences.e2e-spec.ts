import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  makeAlert,
  makeEnvironment,
  makeIntegration,
  monitoringBody,
  monitoringItem,
  postAlert,
  setAlertSettings,
} from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeMemberOf } from '../support/project-factories.js';
import { archive, makePlace, trailOf } from './integration-place.js';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const titled = (value: string, rest: object = {}): object => ({ name: 'title', value, ...rest });

interface Silence {
  id: number;
  state: string;
  ends_at: string;
}

interface Alert {
  iid: number;
  silenced: boolean;
}

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function makeSilenceable() {
  const { project, maintainer } = await makePlace(app);
  const { api } = maintainer;
  const base = `/projects/${project.id}`;
  const silences = `${base}/alert_management_silences`;
  const create = (matchers: object[], rest: object = {}) =>
    api.post(silences, { matchers, ends_at: inHours(1), comment: 'Maintenance', ...rest });
  const silenced = async (query = ''): Promise<number[]> => {
    const { body } = await api.get(`${base}/alert_management_alerts?sort=asc${query}`);
    return (body as Alert[]).filter((alert) => alert.silenced).map(({ iid }) => iid);
  };
  return { project, maintainer, api, base, silences, create, silenced };
}

function reactionsOf(projectId: number): Promise<{ iid: number; kind: string }[]> {
  return app.dataSource.query(
    `SELECT a.iid, r.kind FROM alert_reactions r JOIN alerts a ON a.id = r.alert_id
     WHERE a.project_id = $1 ORDER BY a.iid, r.kind`,
    [projectId],
  );
}

describe('silences of alerts', () => {
  it('have a life from a start to an end, with a trail', async () => {
    const { project, maintainer, api, silences, create } = await makeSilenceable();
    const endsAt = inHours(2);
    const matchers = [titled('Disk*'), { name: 'environment', value: 'dev', is_equal: 'false' }];
    const made = await create(matchers, { ends_at: endsAt });
    const { id } = made.body as Silence;
    const { id: userId, username, name } = maintainer.user;
    expect([made.status, made.body]).toEqual([
      201,
      {
        id,
        project_id: project.id,
        state: 'active',
        matchers: [
          { name: 'title', value: 'Disk*', is_equal: true },
          { name: 'environment', value: 'dev', is_equal: false },
        ],
        comment: 'Maintenance',
        starts_at: expect.any(String),
        ends_at: endsAt,
        author: {
          id: userId,
          username,
          name,
          state: 'active',
          locked: false,
          avatar_url: null,
          web_url: `${app.url}/${username}`,
        },
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect((await api.get(`${silences}/${id}`)).body).toEqual(made.body);
    const pending = await create([titled('x')], { starts_at: inHours(1), ends_at: inHours(3) });
    const next = (pending.body as Silence).id;
    const statesOf = async (query: string): Promise<[number, string][]> =>
      ((await api.get(`${silences}${query}`)).body as Silence[]).map((one) => [one.id, one.state]);
    expect(await statesOf('')).toEqual([
      [next, 'pending'],
      [id, 'active'],
    ]);
    const changed = await api.put(`${silences}/${id}`, { comment: 'Longer', ends_at: inHours(4) });
    expect(changed.body).toMatchObject({ comment: 'Longer', state: 'active' });
    expect((await api.put(`${silences}/${id}`, changed.body as object)).body).toEqual(changed.body);
    expect((await api.put(`${silences}/${id}`, { starts_at: inHours(1) })).status).toBe(409);
    expect((await api.delete(`${silences}/${id}`)).status).toBe(204);
    expect((await api.delete(`${silences}/${id}`)).status).toBe(409);
    expect((await api.put(`${silences}/${id}`, { comment: 'Late' })).status).toBe(409);
    expect((await api.delete(`${silences}/${next}`)).status).toBe(204);
    expect(await statesOf('?state=active')).toEqual([]);
    expect((await statesOf('?state=expired')).sort()).toEqual([
      [id, 'expired'],
      [next, 'expired'],
    ]);
    const trail = (await trailOf(app, project)) as { action: string; target_name: string }[];
    expect(trail.map(({ action, target_name: target }) => [action, target])).toEqual([
      ['alert_silence_created', `Silence ${id}`],
      ['alert_silence_created', `Silence ${next}`],
      ['alert_silence_updated', `Silence ${id}`],
      ['alert_silence_expired', `Silence ${id}`],
      ['alert_silence_expired', `Silence ${next}`],
    ]);
  });

  it('are refused with a reason', async () => {
    const { project, api, silences, create } = await makeSilenceable();
    const cases: [object[], object, object][] = [
      [[], {}, { message: { matchers: ["can't be blank"] } }],
      [[{ name: 'host', value: 'x' }], {}, { error: expect.stringContaining('matchers') }],
      [[titled('')], {}, { error: expect.stringContaining('matchers') }],
      [
        [titled('x')],
        { ends_at: inHours(-1) },
        { message: { ends_at: ['must be in the future'] } },
      ],
      [
        [titled('x')],
        { starts_at: inHours(2) },
        { message: { ends_at: ['must be after starts_at'] } },
      ],
      [
        [titled('x')],
        { ends_at: inHours(24 * 400) },
        { message: { ends_at: ['must be at most a year after starts_at'] } },
      ],
      [[titled('x')], { comment: ' ' }, { error: 'comment is empty' }],
      [Array(11).fill(titled('x')) as object[], {}, { error: expect.stringContaining('matchers') }],
    ];
    for (const [matchers, rest, body] of cases) {
      const refused = await create(matchers, rest);
      expect([refused.status, refused.body]).toEqual([400, expect.objectContaining(body)]);
    }
    const { id } = (await create([titled('x')])).body as Silence;
    expect((await api.put(`${silences}/${id}`, {})).status).toBe(400);
    const reporter = await makeMemberOf(app, project, 'reporter');
    expect((await reporter.api.get(silences)).status).toBe(403);
    const other = await makePlace(app);
    const foreign = `/projects/${other.project.id}/alert_management_silences/${id}`;
    expect((await other.maintainer.api.get(foreign)).status).toBe(404);
    await archive(app, project);
    expect((await create([titled('x')])).status).toBe(403);
    expect((await api.delete(`${silences}/${id}`)).status).toBe(403);
  });

  it('match title, environment, severity and fingerprint, with wildcards and negation', async () => {
    const { project, api, base, silences, create, silenced } = await makeSilenceable();
    const { id: environmentId } = await makeEnvironment(app, project, { name: 'production' });
    const fingerprint = Buffer.alloc(20, 7);
    await makeAlert(app, project, { title: 'Disk 100% full on web_1', environmentId, severity: 1 });
    await makeAlert(app, project, { title: 'Disk 100x full on webx1', severity: 3, fingerprint });
    const matching = async (matchers: object[]): Promise<number[]> => {
      const { id } = (await create(matchers)).body as Silence;
      const found = await silenced();
      expect(await silenced('&silenced=true')).toEqual(found);
      expect(await silenced('&silenced=false')).toEqual([]);
      const shown = await api.get(`${base}/alert_management_alerts_statistics?silenced=true`);
      expect(shown.body).toMatchObject({ statistics: { counts: { all: found.length } } });
      await api.delete(`${silences}/${id}`);
      return found;
    };
    expect(await matching([titled('Disk*full on web*')])).toEqual([1, 2]);
    expect(await matching([titled('Disk 100% full on web_1')])).toEqual([1]);
    expect(await matching([titled('disk*')])).toEqual([]);
    expect(await matching([titled('*'), { name: 'severity', value: 'low' }])).toEqual([2]);
    expect(await matching([{ name: 'environment', value: 'prod*' }])).toEqual([1]);
    const others = { name: 'environment', value: 'production', is_equal: false };
    expect(await matching([others])).toEqual([2]);
    expect(await matching([{ name: 'environment', value: '*' }, titled('*web*')])).toEqual([1, 2]);
    expect(await matching([{ name: 'fingerprint', value: '07'.repeat(20) }])).toEqual([2]);
    expect(await matching([titled(String.raw`Disk\*`)])).toEqual([]);
    await makeAlert(app, project, { title: String.raw`C:\*.log is full` });
    expect(await matching([titled(String.raw`C:\\\*.log*`)])).toEqual([3]);
    expect(await matching([titled(String.raw`C:\\*full`)])).toEqual([3]);
    expect(await matching([titled(String.raw`C:\*full`)])).toEqual([]);
  });

  it('let events be counted without incidents and emails until they end', async () => {
    const { project, api, base, silences, create } = await makeSilenceable();
    await makeEnvironment(app, project, { name: 'staging' });
    await setAlertSettings(app, project, { createIssue: true, sendEmail: true });
    const { url, token } = await makeIntegration(app, project);
    const { id } = (await create([titled('Disk*'), { name: 'environment', value: 'staging' }]))
      .body as Silence;
    const post = async (body: object): Promise<void> => {
      expect((await postAlert(url, token, body)).status).toBe(200);
    };
    const disk = { title: 'Disk full', gitlab_environment_name: 'staging', fingerprint: 'disk' };
    await post(disk);
    await post({ ...disk, title: 'Other title of the same alert' });
    await post({ title: 'No environment, but the same alert', fingerprint: 'disk' });
    await post({ ...disk, fingerprint: 'gone' });
    await post({ ...disk, fingerprint: 'gone', end_time: new Date().toISOString() });
    expect(await reactionsOf(project.id)).toEqual([]);
    const shown = await api.get(`${base}/alert_management_alerts/1`);
    expect(shown.body).toMatchObject({ event_count: 3, silenced: true, status: 'triggered' });
    await post({ title: 'Disk full', fingerprint: 'elsewhere' });
    expect(await reactionsOf(project.id)).toEqual([
      { iid: 3, kind: 'mail_firing' },
      { iid: 3, kind: 'open_incident' },
    ]);
    await api.delete(`${silences}/${id}`);
    await post(disk);
    expect((await reactionsOf(project.id)).filter(({ iid }) => iid === 1)).toEqual([
      { iid: 1, kind: 'mail_firing' },
      { iid: 1, kind: 'open_incident' },
    ]);
  });

  it('are decided anew for what fires after a recovery in the same call', async () => {
    const { project, create } = await makeSilenceable();
    await setAlertSettings(app, project, { createIssue: true, sendEmail: true });
    const { url, token } = await makeIntegration(app, project, { type: 'prometheus' });
    await create([titled('Disk*')]);
    const of = (title: string, changes: object = {}): object =>
      monitoringItem('Disks', { fingerprint: 'disk', annotations: { title }, ...changes });
    const end = { status: 'resolved', endsAt: '2026-03-01T11:00:00Z' };
    const post = (...items: object[]) => postAlert(url, token, monitoringBody(items));
    await post(of('Disk full'));
    const answer = await post(
      of('Disk full', end),
      of('Array lost'),
      of('Array lost', end),
      of('Disk lost'),
    );
    expect(answer.status).toBe(200);
    expect(await reactionsOf(project.id)).toEqual([
      { iid: 2, kind: 'mail_firing' },
      { iid: 2, kind: 'mail_recovery' },
      { iid: 2, kind: 'open_incident' },
    ]);
  });
});
