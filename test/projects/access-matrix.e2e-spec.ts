import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/members/roles.js';
import type { VisibilityName } from '../../src/identity/members/visibility.js';
import { api, type ApiClient } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

const VISIBILITIES: VisibilityName[] = ['private', 'internal', 'public'];
const ROLES: Role[] = ['guest', 'reporter', 'developer', 'maintainer', 'owner'];
const ACTORS = ['anonymous', 'stranger', 'external', 'blocked', 'admin', ...ROLES] as const;
type ActorName = (typeof ACTORS)[number];

/** Requests that never change anything: with invalid parameters where they would succeed. */
const REQUESTS = {
  show: { send: (client: ApiClient, id: string) => client.get(`/projects/${id}`), allowed: 200 },
  members: {
    send: (client: ApiClient, id: string) => client.get(`/projects/${id}/members`),
    allowed: 200,
  },
  update: { send: (client: ApiClient, id: string) => client.put(`/projects/${id}`), allowed: 400 },
  addMember: {
    send: (client: ApiClient, id: string) => client.post(`/projects/${id}/members`),
    allowed: 400,
  },
  transfer: {
    send: (client: ApiClient, id: string) => client.put(`/projects/${id}/transfer`),
    allowed: 400,
  },
  delete: {
    send: (client: ApiClient, id: string) =>
      client.delete(`/projects/${id}`).set('If-Unmodified-Since', 'Wed, 01 Jan 2020 00:00:00 GMT'),
    allowed: 412,
  },
} as const;
type RequestName = keyof typeof REQUESTS;

const MINIMUM: Record<RequestName, Role> = {
  show: 'guest',
  members: 'guest',
  update: 'maintainer',
  addMember: 'maintainer',
  transfer: 'owner',
  delete: 'owner',
};
const READS: RequestName[] = ['show', 'members'];

/** The whole rule in one place: who is asked to sign in, who sees nothing, who may not. */
function expectedStatus(
  actor: ActorName,
  visibility: VisibilityName,
  request: RequestName,
): number {
  const isRead = READS.includes(request);
  const { allowed } = REQUESTS[request];
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
  return ROLES.indexOf(actor) >= ROLES.indexOf(MINIMUM[request]) ? allowed : 403;
}

const CASES = ACTORS.flatMap((actor) =>
  VISIBILITIES.flatMap((visibility) =>
    (Object.keys(REQUESTS) as RequestName[]).map(
      (request) =>
        [actor, request, visibility, expectedStatus(actor, visibility, request)] as const,
    ),
  ),
);

let app: OwnTestApp;
const clients = new Map<ActorName, ApiClient>();
const projects = new Map<VisibilityName, MadeProject>();

beforeAll(async () => {
  app = await startTestApp();
  const group = await makeGroup(app, { visibility: 'public' });
  for (const visibility of VISIBILITIES) {
    projects.set(visibility, await makeProject(app, { namespaceId: group.id, visibility }));
  }
  clients.set('anonymous', api(app.url));
  clients.set('stranger', (await makeActor(app)).api);
  clients.set('external', (await makeActor(app, { external: true })).api);
  clients.set('blocked', (await makeActor(app, { state: 'blocked' })).api);
  clients.set('admin', (await makeAdmin(app)).api);
  for (const role of ROLES) {
    const actor = await makeActor(app);
    await makeMember(app, { group, user: actor.user, role });
    clients.set(role, actor.api);
  }
});
afterAll(() => app.close());

function client(actor: ActorName): ApiClient {
  return clients.get(actor) as ApiClient;
}

describe('access to projects', () => {
  it.each(CASES)('%s asking for %s of a %s project gets %i', async (...row) => {
    const [actor, request, visibility, status] = row;
    const { id, fullPath } = projects.get(visibility) as MadeProject;

    const byId = await REQUESTS[request].send(client(actor), String(id));
    const byPath = await REQUESTS[request].send(client(actor), encodeURIComponent(fullPath));

    expect([byId.status, byPath.status]).toEqual([status, status]);
  });

  it('makes no difference between an invisible project and none', async () => {
    const { fullPath } = projects.get('private') as MadeProject;
    const hidden = encodeURIComponent(fullPath);
    const unknown = encodeURIComponent(`${fullPath}x`);
    for (const actor of ['anonymous', 'stranger', 'external'] as const) {
      for (const { send } of Object.values(REQUESTS)) {
        const [one, other] = [
          await send(client(actor), hidden),
          await send(client(actor), unknown),
        ];
        expect([one.status, one.body]).toEqual([other.status, other.body]);
      }
    }
  });

  it('shows in the list exactly what can be opened', async () => {
    for (const actor of ACTORS.filter((name) => name !== 'blocked')) {
      const { body } = await client(actor).get('/projects?order_by=id&sort=asc').expect(200);
      const seen = VISIBILITIES.filter((name) => expectedStatus(actor, name, 'show') === 200);
      expect((body as { id: number }[]).map(({ id }) => id)).toEqual(
        seen.map((name) => projects.get(name)?.id),
      );
    }
    await client('blocked').get('/projects').expect(403);
  });
});
