import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertProjectMoves } from '../background-jobs/moves.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

const BY_KEY = { pagination: 'keyset', orderBy: 'id', sort: 'desc', perPage: 2 } as const;

let app: OwnTestApp;
let admin: MadeActor;
let client: Client;
beforeAll(async () => {
  app = await startTestApp({ env: { REPORTED_VERSION: '17.5.0' } });
  admin = await makeAdmin(app);
  client = clientOf(app, admin);
});
afterAll(() => app.close());

describe('the version', () => {
  it('is what features are gated on', async () => {
    expect(await client.Metadata.show()).toMatchObject({
      version: '17.5.0',
      kas: { enabled: false },
      enterprise: expect.any(Boolean),
    });
  });
});

describe('the settings of the instance', () => {
  it('are shown, changed under the names of the library, and hold at once', async () => {
    expect(await client.ApplicationSettings.show()).toMatchObject({
      require_personal_access_token_expiry: true,
    });
    const changed = await client.ApplicationSettings.edit({
      requirePersonalAccessTokenExpiry: false,
      maxPersonalAccessTokenLifetime: null,
      repositoryStoragesWeighted: { default: 70, storage2: 30 },
    });
    expect(changed).toMatchObject({
      require_personal_access_token_expiry: false,
      max_personal_access_token_lifetime: null,
      repository_storages_weighted: { default: 70, storage2: 30 },
    });
    const { user } = await makeActor(app);
    const forever = await client.PersonalAccessTokens.create(user.id, 'Forever', ['api']);
    expect(forever.expires_at).toBeNull();
  });

  it('are refused with the name of the invalid one, and to everyone else', async () => {
    expect(
      await refusalOf(client.ApplicationSettings.edit({ eventRetentionDays: 'long' })),
    ).toEqual({ status: 400, description: 'event_retention_days is invalid' });
    const other = clientOf(app, await makeActor(app));
    expect(await refusalOf(other.ApplicationSettings.show())).toEqual({
      status: 403,
      description: '403 Forbidden',
    });
  });
});

describe('the audit log', () => {
  it('of the instance tells who did what from where', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const user = await makeUser(app);
    await client.Users.block(user.id);
    const [event, ...more] = await client.AuditEvents.all({
      entityType: 'User',
      entityId: user.id,
      createdAfter: since,
    });
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      author_id: admin.user.id,
      entity_type: 'User',
      entity_id: user.id,
      details: {
        author_name: admin.user.name,
        target_details: user.username,
        ip_address: expect.any(String),
        change: 'state',
        from: 'active',
        to: 'blocked',
      },
    });
    const shown = await client.AuditEvents.show(event?.id ?? 0);
    expect(shown).toEqual(event);
  });

  it.each(['group', 'project'] as const)('of a %s is walked through by key', async (kind) => {
    const owner = clientOf(app, await makeActor(app));
    const group = await owner.Groups.create(unique('Group '), unique('group-'));
    const project = await owner.Projects.create({ name: 'lathe', namespaceId: group.id });
    const members = kind === 'group' ? owner.GroupMembers : owner.ProjectMembers;
    const { id } = kind === 'group' ? group : project;
    for (const made of [await makeUser(app), await makeUser(app), await makeUser(app)]) {
      await members.add(id, 30, { userId: made.id });
    }
    const of = kind === 'group' ? { groupId: id } : { projectId: id };
    const events = await owner.AuditEvents.all({ ...of, ...BY_KEY });
    expect(events.length).toBeGreaterThan(3);
    expect(idsOf(events)).toEqual(idsOf(events).toSorted((a, b) => b - a));
    const byOffset = await owner.AuditEvents.all({ ...of, perPage: 100 });
    expect(idsOf(events)).toEqual(idsOf(byOffset));
    const [newest] = events;
    expect(await owner.AuditEvents.show(newest?.id ?? 0, of)).toEqual(newest);
  });
});

describe('the jobs of a project', () => {
  it('are listed by their status and walked through by key', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    await insertProjectMoves(app, project, [
      { state: 'finished' },
      { state: 'failed', error: 'broken' },
      { state: 'finished' },
      { state: 'failed', cancelledBy: 'root' },
      { state: 'scheduled' },
    ]);
    const jobs = await client.Jobs.all(project.id, BY_KEY);
    expect(jobs.map(({ status }) => status)).toEqual([
      'pending',
      'canceled',
      'success',
      'failed',
      'success',
    ]);
    const failed = await client.Jobs.all(project.id, { scope: 'failed' });
    expect(failed).toMatchObject([{ status: 'failed', failure_reason: 'move_failed' }]);
    const [job] = failed;
    expect(await client.Jobs.show(project.id, job?.id ?? 0)).toEqual(job);
  });
});
