import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/members/roles.js';
import type { VisibilityName } from '../../src/identity/members/visibility.js';
import { api, type ApiClient } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin } from '../support/factories.js';
import { makeGroup, makeMember, type MadeGroup } from '../support/project-factories.js';

const VISIBILITIES: VisibilityName[] = ['private', 'internal', 'public'];
const ROLES: Role[] = ['guest', 'reporter', 'developer', 'maintainer', 'owner'];
const ACTORS = ['anonymous', 'stranger', 'external', 'blocked', 'admin', ...ROLES] as const;
type ActorName = (typeof ACTORS)[number];

interface Case {
  send(client: ApiClient, id: string): ReturnType<ApiClient['get']>;
  minimum: Role;
  /** Status for those who may; nothing is ever changed. */
  allowed: number;
}

const LONG_AGO = 'Wed, 01 Jan 2020 00:00:00 GMT';
const REQUESTS: Record<string, Case> = {
  show: { send: (client, id) => client.get(`/groups/${id}`), minimum: 'guest', allowed: 200 },
  subgroups: {
    send: (client, id) => client.get(`/groups/${id}/subgroups`),
    minimum: 'guest',
    allowed: 200,
  },
  projects: {
    send: (client, id) => client.get(`/groups/${id}/projects`),
    minimum: 'guest',
    allowed: 200,
  },
  members: {
    send: (client, id) => client.get(`/groups/${id}/members/all`),
    minimum: 'guest',
    allowed: 200,
  },
  update: {
    send: (client, id) => client.put(`/groups/${id}`, { visibility: 'none' }),
    minimum: 'owner',
    allowed: 400,
  },
  addMember: {
    send: (client, id) => client.post(`/groups/${id}/members`),
    minimum: 'owner',
    allowed: 400,
  },
  transfer: {
    send: (client, id) => client.post(`/groups/${id}/transfer`, { group_id: 'x' }),
    minimum: 'owner',
    allowed: 400,
  },
  delete: {
    send: (client, id) => client.delete(`/groups/${id}`).set('If-Unmodified-Since', LONG_AGO),
    minimum: 'owner',
    allowed: 412,
  },
};

/** The whole rule in one place: who is asked to sign in, who sees nothing, who may not. */
function expectedStatus(actor: ActorName, visibility: VisibilityName, request: Case): number {
  const { minimum, allowed } = request;
  const isRead = minimum === 'guest';
  if (actor === 'blocked') return 403;
  if (actor === 'admin') return allowed;
  if (actor === 'anonymous') {
    if (!isRead) return 401;
    return visibility === 'public' ? allowed : 404;
  }
  if (actor === 'stranger' || actor === 'external') {
    const isOpen = visibility === 'public' || (visibility === 'internal' && actor === 'stranger');
    if (!isOpen) return 404;
    return isRead ? allowed : 403;
  }
  return ROLES.indexOf(actor) >= ROLES.indexOf(minimum) ? allowed : 403;
}

const CASES = ACTORS.flatMap((actor) =>
  VISIBILITIES.flatMap((visibility) =>
    Object.entries(REQUESTS).map(
      ([name, request]) =>
        [actor, name, visibility, expectedStatus(actor, visibility, request)] as const,
    ),
  ),
);

let app: OwnTestApp;
const clients = new Map<ActorName, ApiClient>();
const groups = new Map<VisibilityName, MadeGroup>();

beforeAll(async () => {
  app = await startTestApp();
  for (const visibility of VISIBILITIES) {
    groups.set(visibility, await makeGroup(app, { visibility }));
  }
  clients.set('anonymous', api(app.url));
  clients.set('stranger', (await makeActor(app)).api);
  clients.set('external', (await makeActor(app, { external: true })).api);
  clients.set('blocked', (await makeActor(app, { state: 'blocked' })).api);
  clients.set('admin', (await makeAdmin(app)).api);
  for (const role of ROLES) {
    const actor = await makeActor(app);
    for (const group of groups.values()) await makeMember(app, { group, user: actor.user, role });
    clients.set(role, actor.api);
  }
});
afterAll(() => app.close());

describe('access to groups', () => {
  it.each(CASES)('%s asking for %s of a %s group gets %i', async (...row) => {
    const [actor, name, visibility, status] = row;
    const client = clients.get(actor) as ApiClient;
    const { id, path } = groups.get(visibility) as MadeGroup;

    const byId = await (REQUESTS[name] as Case).send(client, String(id));
    const byPath = await (REQUESTS[name] as Case).send(client, path);

    expect([byId.status, byPath.status]).toEqual([status, status]);
  });

  it('makes no difference between an invisible group and none', async () => {
    const { path } = groups.get('private') as MadeGroup;
    for (const actor of ['anonymous', 'stranger', 'external'] as const) {
      const client = clients.get(actor) as ApiClient;
      for (const { send } of Object.values(REQUESTS)) {
        const [one, other] = [await send(client, path), await send(client, `${path}x`)];
        expect([one.status, one.body]).toEqual([other.status, other.body]);
      }
    }
  });
});
