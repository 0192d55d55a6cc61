import { beforeAll, describe, expect, it } from '@jest/globals';
import { UserEmail } from '../../src/identity/users/user.entity.js';
import { NotificationSetting } from '../../src/notifications/notification-setting.entity.js';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeToken, unique, type MadeActor } from '../support/factories.js';
import { makeGroup, makeMember, makeMemberOf, makeProject } from '../support/project-factories.js';
import { changeSettings } from '../support/settings.js';

const OWN = '/notification_settings';

/** Names of all switches in the order of responses; true by default. */
const SWITCHES = {
  new_note: false,
  new_issue: false,
  reopen_issue: false,
  close_issue: false,
  reassign_issue: false,
  issue_due: false,
  new_merge_request: false,
  push_to_merge_request: false,
  reopen_merge_request: false,
  close_merge_request: false,
  reassign_merge_request: false,
  merge_merge_request: false,
  failed_pipeline: true,
  fixed_pipeline: true,
  success_pipeline: false,
  moved_project: true,
  merge_when_pipeline_succeeds: false,
  new_epic: false,
};

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const rowsOf = ({ id: userId }: { id: number }): Promise<NotificationSetting[]> =>
  app.dataSource.manager.findBy(NotificationSetting, { userId });

async function addAddress(user: { id: number }, isConfirmed: boolean): Promise<string> {
  const email = `${unique('Else')}@example.com`;
  const confirmedAt = isConfirmed ? new Date() : null;
  await app.dataSource.manager.insert(UserEmail, { userId: user.id, email, confirmedAt });
  return email;
}

/** A project in a group, both of this visibility, and a developer of the project. */
async function makePlace(visibility: 'private' | 'internal' | 'public' = 'private') {
  const group = await makeGroup(app, { visibility });
  const project = await makeProject(app, { namespaceId: group.id, visibility });
  const bob = await makeMemberOf(app, project, 'developer');
  return { group, project, bob, path: `/projects/${project.id}/notification_settings` };
}

async function put(client: ApiClient, path: string, body: object): Promise<unknown> {
  const response = await client.put(path, body).expect(200);
  return response.body;
}

describe('GET /notification_settings', () => {
  it('says participating and the primary address of who never set anything (N1)', async () => {
    const { user, api: client } = await makeActor(app);
    const { body } = await client.get(OWN).expect(200);
    expect(body).toEqual({ level: 'participating', notification_email: user.email });
    expect(await rowsOf(user)).toEqual([]);
  });

  it('wants a token with the scope api or read_api, not read_user', async () => {
    const { user } = await makeActor(app);
    const ask = async (scope: 'read_user' | 'read_api') =>
      api(app.url, await makeToken(app, user, { scopes: [scope] }));
    await api(app.url).get(OWN).expect(401, { message: '401 Unauthorized' });
    await (await ask('read_user')).get(OWN).expect(403);
    await (await ask('read_api')).get(OWN).expect(200);
    await (await ask('read_api')).put(OWN, { level: 'watch' }).expect(403);
  });
});

describe('PUT /notification_settings', () => {
  it('answers 200 with the level that holds from now on (N2)', async () => {
    const { user, api: client } = await makeActor(app);
    const expected = { level: 'watch', notification_email: user.email };
    expect(await put(client, OWN, { level: 'watch' })).toEqual(expected);
    await client.get(OWN).expect(200, expected);
  });

  it.each(['invalid', 'Watch', '2', 'constructor'])('knows no level %s (N2)', async (level) => {
    const { api: client } = await makeActor(app);
    const { body } = await client.put(OWN, { level }).expect(400);
    expect(body).toEqual({ message: `'${level}' is not a valid level` });
  });

  it.each(['', null])('refuses the blank level %j', async (level) => {
    const { api: client } = await makeActor(app);
    await client.put(OWN, { level }).expect(400, { message: { level: ["can't be blank"] } });
  });

  it('refuses addresses of others and changes nothing then (N3)', async () => {
    const { user, api: client } = await makeActor(app);
    const other = await makeActor(app);
    const unconfirmed = await addAddress(user, false);
    const confirmedByOther = await addAddress(other.user, true);
    const wrong = ['else@example.com', other.user.email, unconfirmed, confirmedByOther];
    for (const notification_email of wrong) {
      const body = { notification_email, level: 'mention', new_note: true };
      const message = { notification_email: ['is not an email you own'] };
      await client.put(OWN, body).expect(400, { message });
    }
    await client.get(OWN).expect({ level: 'participating', notification_email: user.email });
    expect(await rowsOf(user)).toEqual([]);
  });

  it('takes a confirmed further address in its own spelling, until it is empty again (N3)', async () => {
    const { user, api: client } = await makeActor(app);
    const email = await addAddress(user, true);
    const answer = await put(client, OWN, { notification_email: email.toLowerCase() });
    expect(answer).toEqual({ level: 'participating', notification_email: email });
    const reset = await put(client, OWN, { notification_email: '' });
    expect(reset).toEqual({ level: 'participating', notification_email: user.email });
  });

  it('shows the primary address once the chosen one is gone', async () => {
    const { user, api: client } = await makeActor(app);
    const email = await addAddress(user, true);
    await put(client, OWN, { notification_email: email });
    await app.dataSource.manager.delete(UserEmail, { email });
    await client.get(OWN).expect({ level: 'participating', notification_email: user.email });
  });

  it('takes the level global, too', async () => {
    const { api: client } = await makeActor(app);
    expect(await put(client, OWN, { level: 'global' })).toMatchObject({ level: 'global' });
  });

  it('keeps switches while the level is another (N6)', async () => {
    const { user, api: client } = await makeActor(app);
    const watching = await put(client, OWN, { level: 'watch', new_issue: true });
    expect(watching).toEqual({ level: 'watch', notification_email: user.email });
    expect(await put(client, OWN, { level: 'custom' })).toEqual({
      level: 'custom',
      notification_email: user.email,
      events: { ...SWITCHES, new_issue: true },
    });
  });

  it('keeps what other changes of the same moment say', async () => {
    const { api: client } = await makeActor(app);
    const names = Object.keys(SWITCHES).filter((name) => name !== 'failed_pipeline');
    await Promise.all(names.map((name) => put(client, OWN, { [name]: true })));
    const off = { failed_pipeline: false, level: 'custom' };
    const { events } = (await put(client, OWN, off)) as { events: Record<string, boolean> };
    expect(Object.entries(events).filter(([, on]) => !on)).toEqual([['failed_pipeline', false]]);
  });
});

describe('settings of projects and groups', () => {
  it('are global by default (N4)', async () => {
    const { bob, path } = await makePlace();
    await bob.api.get(path).expect(200, { level: 'global' });
    expect(await rowsOf(bob.user)).toEqual([]);
  });

  it('show all switches in their order while the level is custom (N5)', async () => {
    const { bob, path } = await makePlace();
    const body = await put(bob.api, path, { level: 'custom', new_note: true });
    expect(body).toEqual({ level: 'custom', events: { ...SWITCHES, new_note: true } });
    const { events } = body as { events: object };
    expect(Object.keys(events)).toEqual(Object.keys(SWITCHES));
    await bob.api.get(path).expect(200, { level: 'custom', events });
  });

  it.each(['free', 'premium'] as const)('know no epics on the tier %s (N5)', async (tier) => {
    const { bob, path } = await makePlace();
    await changeSettings(app, { tier });
    const body = await put(bob.api, path, { level: 'custom', new_epic: true });
    await changeSettings(app, { tier: 'ultimate' });
    const { new_epic, ...others } = SWITCHES;
    expect(body).toEqual({ level: 'custom', events: others });
    const { body: later } = await bob.api.get(path).expect(200);
    expect(later).toMatchObject({ events: { new_epic } });
  });

  it('read the switches of forms and JSON, and nothing else (N7)', async () => {
    const { bob, path } = await makePlace();
    const { body } = await bob.api.put(path, { new_note: 'maybe', level: 'watch' }).expect(400);
    expect(body).toMatchObject({ error: 'new_note is invalid' });
    await bob.api.get(path).expect({ level: 'global' });
    const spelled = { new_note: 'yes', new_issue: 1, close_issue: 'on', moved_project: 'f' };
    const off = { failed_pipeline: '0', fixed_pipeline: false };
    const { events } = (await put(bob.api, path, { level: 'custom', ...spelled, ...off })) as {
      events: Record<string, boolean>;
    };
    const on = Object.keys(events).filter((name) => events[name]);
    expect(on).toEqual(['new_note', 'new_issue', 'close_issue']);
  });

  it('stay as they are without a parameter that is known (N7)', async () => {
    const { bob, path } = await makePlace();
    expect(await put(bob.api, path, { foo: 1 })).toEqual({ level: 'global' });
    const { user } = bob;
    expect(await put(bob.api, path, { notification_email: 'x@example.com' })).toEqual({
      level: 'global',
    });
    expect(await rowsOf(user)).toEqual([]);
    await put(bob.api, path, { level: 'mention' });
    expect(await put(bob.api, path, {})).toEqual({ level: 'mention' });
  });

  it('require read access to the project (N8)', async () => {
    const hidden = await makePlace('private');
    const open = await makePlace('public');
    const { api: stranger } = await makeActor(app);
    const gone = { message: '404 Project Not Found' };
    await stranger.put(hidden.path, { level: 'watch' }).expect(404, gone);
    await stranger.get(hidden.path).expect(404, gone);
    expect(await put(stranger, open.path, { level: 'watch' })).toEqual({ level: 'watch' });
    await open.bob.api.get(open.path).expect({ level: 'global' });
  });

  it('are not for external users where a project is internal', async () => {
    const { path } = await makePlace('internal');
    const { api: external } = await makeActor(app, { external: true });
    await external.put(path, { level: 'watch' }).expect(404);
  });

  it('are shown to guests of the group, and 401 comes before 404 (N9)', async () => {
    const { group, path } = await makePlace();
    const gus = await makeGuest(group);
    const groupPath = `/groups/${encodeURIComponent(group.fullPath)}/notification_settings`;
    await gus.api.get(groupPath).expect(200, { level: 'global' });
    const anonymous = api(app.url);
    for (const one of [groupPath, path, '/groups/0/notification_settings']) {
      await anonymous.get(one).expect(401, { message: '401 Unauthorized' });
      await anonymous.put(one, { level: 'watch' }).expect(401);
    }
    const { api: stranger } = await makeActor(app);
    await stranger.get(groupPath).expect(404, { message: '404 Group Not Found' });
  });

  it('are set by the full path of a subgroup, too (N10)', async () => {
    const { group } = await makePlace();
    const below = await makeGroup(app, { parentId: group.id });
    const gus = await makeGuest(group);
    const path = `/groups/${encodeURIComponent(below.fullPath)}/notification_settings`;
    expect(await put(gus.api, path, { level: 'disabled' })).toEqual({ level: 'disabled' });
    await gus.api.get(`/groups/${group.id}/notification_settings`).expect({ level: 'global' });
    await gus.api.get(`/groups/${below.id}/notification_settings`).expect({ level: 'disabled' });
  });

  it('hold in archived projects, too', async () => {
    const { bob, project, path } = await makePlace();
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    expect(await put(bob.api, path, { level: 'mention' })).toEqual({ level: 'mention' });
  });

  async function makeGuest(group: { id: number }): Promise<MadeActor> {
    const gus = await makeActor(app);
    await makeMember(app, { group, user: gus.user, role: 'guest' });
    return gus;
  }
});
