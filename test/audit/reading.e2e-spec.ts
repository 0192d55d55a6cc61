import { beforeAll, describe, expect, it } from '@jest/globals';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, type MadeActor } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeGroup,
} from '../support/project-factories.js';

const ROLES = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;
const KEYSET = 'pagination=keyset&order_by=id&sort=desc';

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

/** Entries of a group's trail, numbered in `action`, one per minute since 2020. */
async function write(group: MadeGroup, count: number): Promise<void> {
  const chunk = 1000;
  for (let first = 1; first <= count; first += chunk) {
    await app.dataSource.query(
      `INSERT INTO audit_events (action, target_type, target_id, entity_type, entity_id, created_at)
       SELECT 'event_' || n, 'Group', $1, 'Group', $1,
              timestamptz '2020-01-01 00:00:00Z' + n * interval '1 minute'
       FROM generate_series($2::int, $3::int) n`,
      [group.id, first, Math.min(count, first + chunk - 1)],
    );
  }
}

function names(body: unknown): string[] {
  return (body as { event_name: string }[]).map(({ event_name }) => event_name);
}

async function namesAt(client: ApiClient, path: string): Promise<string[]> {
  return names((await client.get(path).expect(200)).body);
}

describe('who may read', () => {
  it('the whole log are administrators only', async () => {
    const { id } = await anEvent();
    const user = await makeActor(app);
    for (const path of ['/audit_events', `/audit_events/${id}`, '/audit_events/0']) {
      expect((await api(app.url).get(path).expect(401)).body).toEqual({
        message: '401 Unauthorized',
      });
      expect((await user.api.get(path).expect(403)).body).toEqual({ message: '403 Forbidden' });
    }
    expect((await admin.api.get(`/audit_events/${id}`).expect(200)).body).toMatchObject({ id });
    expect((await admin.api.get('/audit_events/0').expect(404)).body).toEqual({
      message: '404 Audit Event Not Found',
    });
    await admin.api.get('/audit_events/x').expect(400);
  });

  it.each([
    ['groups', 'owner'],
    ['projects', 'maintainer'],
  ] as const)('the audit log of a %s has at least the role %s in it', async (kind, minimum) => {
    for (const visibility of ['private', 'public'] as const) {
      const group = await makeGroup(app, { visibility });
      const project = await makeProject(app, { namespaceId: group.id, visibility });
      const path = `/${kind}/${kind === 'groups' ? group.id : project.id}/audit_events`;
      const seen = visibility === 'public';
      await api(app.url)
        .get(path)
        .expect(seen ? 401 : 404);
      await (await makeActor(app)).api.get(path).expect(seen ? 403 : 404);
      await admin.api.get(path).expect(200);
      for (const role of ROLES) {
        const { user, api: client } = await makeActor(app);
        await makeMember(app, { group, user, role });
        const mayRead = ROLES.indexOf(role) >= ROLES.indexOf(minimum);
        await client.get(path).expect(mayRead ? 200 : 403);
        await client.get(`${path}/0`).expect(mayRead ? 404 : 403);
      }
    }
  });

  it('an event through its own scope only', async () => {
    const owner = await makeActor(app);
    const [group, other] = [await makeGroup(app), await makeGroup(app)];
    for (const it of [group, other])
      await makeMember(app, { group: it, user: owner.user, role: 'owner' });
    const project = await makeProject(app, { namespaceId: group.id });
    await owner.api.put(`/groups/${group.id}`, { name: 'New' }).expect(200);
    await owner.api.put(`/projects/${project.id}`, { name: 'New' }).expect(200);

    const path = `/groups/${group.id}/audit_events`;
    const events = (await owner.api.get(path).expect(200)).body as { id: number }[];
    expect(names(events)).toEqual(['group_updated']);
    const id = events[0]?.id;
    expect((await owner.api.get(`${path}/${id}`).expect(200)).body).toEqual(events[0]);
    await owner.api.get(`/groups/${other.id}/audit_events/${id}`).expect(404);
    await owner.api.get(`/projects/${project.id}/audit_events/${id}`).expect(404);
  });
});

async function anEvent(): Promise<{ id: number; userId: number }> {
  const user = await makeUser(app);
  await admin.api.post(`/users/${user.id}/block`).expect(201);
  const filter = `entity_type=User&entity_id=${user.id}`;
  const [event] = (await admin.api.get(`/audit_events?${filter}`).expect(200)).body as [
    { id: number },
  ];
  return { id: event.id, userId: user.id };
}

describe('filters', () => {
  it('choose by time, both ends included', async () => {
    const group = await makeGroup(app);
    await write(group, 5);
    const path = `/groups/${group.id}/audit_events`;
    const after = 'created_after=2020-01-01T00:02:00Z';
    expect(await namesAt(admin.api, `${path}?${after}`)).toEqual([
      'event_5',
      'event_4',
      'event_3',
      'event_2',
    ]);
    const both = `${after}&created_before=2020-01-01T00:03:00Z`;
    expect(await namesAt(admin.api, `${path}?${both}`)).toEqual(['event_3', 'event_2']);
    expect(await namesAt(admin.api, `${path}?${both}&sort=asc`)).toEqual(['event_2', 'event_3']);
  });

  it('filter by author and scope', async () => {
    const { userId } = await anEvent();
    const path = `/audit_events?entity_type=User&entity_id=${userId}`;
    expect(await namesAt(admin.api, `${path}&author_id=${admin.user.id}`)).toEqual([
      'user_blocked',
    ]);
    expect(await namesAt(admin.api, `${path}&author_id=${userId}`)).toEqual([]);
    // A group can have the same number.
    const ofGroup = `/audit_events?entity_type=Group&entity_id=${userId}`;
    expect(await namesAt(admin.api, ofGroup)).not.toContain('user_blocked');
  });

  it.each([
    ['entity_type=Thing', 'entity_type does not have a valid value'],
    ['entity_id=1', 'entity_type is missing'],
    ['entity_type=User&entity_id=x', 'entity_id is invalid'],
    ['created_after=yesterday', 'created_after is invalid'],
    ['created_before=2020-13-01', 'created_before is invalid'],
    ['author_id=x', 'author_id is invalid'],
    ['order_by=name', 'order_by does not have a valid value'],
    ['pagination=keyset', 'order_by is missing'],
    [`${KEYSET}&cursor=x`, 'cursor is invalid'],
  ])('answer 400 to %s', async (query, error) => {
    const { body } = await admin.api.get(`/audit_events?${query}`).expect(400);
    expect(body).toMatchObject({ error });
  });
});

describe('pages', () => {
  it('go by number, the newest entry first', async () => {
    const group = await makeGroup(app);
    await write(group, 5);
    const answer = await admin.api.get(`/groups/${group.id}/audit_events?per_page=2&page=2`);
    expect(names(answer.body)).toEqual(['event_3', 'event_2']);
    expect(answer.headers).toMatchObject({ 'x-total': '5', 'x-next-page': '3' });
  });

  it.each(['group', 'project', 'instance'])('of a %s go by cursor, too', async (kind) => {
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await write(group, 5);
    await app.dataSource.query(
      `INSERT INTO audit_events (action, target_type, target_id, entity_type, entity_id)
       SELECT action, 'Project', $2, 'Project', $2 FROM audit_events
       WHERE entity_type = 'Group' AND entity_id = $1 ORDER BY id`,
      [group.id, project.id],
    );
    const filter = `entity_type=Group&entity_id=${group.id}`;
    const first = {
      group: `/groups/${group.id}/audit_events?`,
      project: `/projects/${project.id}/audit_events?`,
      instance: `/audit_events?${filter}&`,
    }[kind];
    const pages: string[][] = [];
    let next: string | undefined = `${first}${KEYSET}&per_page=2`;
    while (next !== undefined) {
      const answer = await admin.api.get(next).expect(200);
      pages.push(names(answer.body));
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-total'))).toEqual([]);
      const link = answer.headers['link'] as string | undefined;
      next = link && /^<[^>]*\/api\/v4([^>]*)>; rel="next"$/.exec(link)?.[1];
    }
    expect(pages).toEqual([['event_5', 'event_4'], ['event_3', 'event_2'], ['event_1'], []]);
  });

  it('by cursor go down only', async () => {
    const { body } = await admin.api
      .get('/audit_events?pagination=keyset&order_by=id&sort=asc')
      .expect(405);
    expect(body).toEqual({
      error: 'Keyset pagination is not yet available for this type of request',
    });
  });

  it('of a scope among 10,000 events come from its index', async () => {
    const [large, small] = [await makeGroup(app), await makeGroup(app)];
    await write(small, 3);
    await write(large, 10_000);
    await app.dataSource.query('ANALYZE audit_events');
    const plan: { 'QUERY PLAN': string }[] = await app.dataSource.query(
      `EXPLAIN SELECT e.id FROM audit_events e
       WHERE e.entity_type = 'Group' AND e.entity_id = ${small.id} AND e.id < 1000000
       ORDER BY e.id DESC LIMIT 21`,
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index.* using ix_audit_events_entity/);
    expect(text).not.toMatch(/Sort/);
    const last = await admin.api.get(`/groups/${large.id}/audit_events?per_page=100&page=100`);
    expect(names(last.body).at(-1)).toBe('event_1');
    expect(last.headers['x-total']).toBe('10000');
  });
});
