import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { VisibilityName } from '../../src/identity/members/visibility.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { forAll } from './ask.js';
import { ACTORS, makeWorld, VISIBILITIES, type ActorName, type World } from './world.js';

const KINDS = ['personal', 'oauth', 'impersonation', 'expired', 'revoked'] as const;
const SERVICES = ['git-upload-pack', 'git-receive-pack'] as const;
type Service = (typeof SERVICES)[number];

/** Reading code of a private project begins with Reporters, writing with Developers everywhere. */
const READERS: readonly ActorName[] = [
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
  'bot',
];
const WRITERS: readonly ActorName[] = READERS.filter((name) => name !== 'reporter');

let app: OwnTestApp;
let world: World;

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWorld(app);
}, 120_000);
afterAll(() => app.close());

interface Cell {
  actor: ActorName;
  visibility: VisibilityName;
  kind: (typeof KINDS)[number];
}

function expectedStatus(service: Service, { actor, visibility, kind }: Cell): number {
  const isFetch = service === 'git-upload-pack';
  if (actor === 'anonymous') return isFetch && visibility === 'public' ? 200 : 401;
  if (kind === 'expired' || kind === 'revoked') return 401;
  if (actor === 'blocked' || actor === 'deactivated') return 403;
  const isOpen = visibility === 'public' || (visibility === 'internal' && actor !== 'external');
  const isMember = READERS.includes(actor) || actor === 'guest';
  if (!isOpen && !isMember) return 404;
  const may = isFetch ? isOpen || READERS.includes(actor) : WRITERS.includes(actor);
  return may ? 200 : 403;
}

async function statusOf(service: Service, { actor, visibility, kind }: Cell): Promise<number> {
  const url = `${app.url}/${world.places[visibility].projectPath}.git/info/refs?service=${service}`;
  const headers = new Headers();
  if (actor !== 'anonymous') {
    const password = world.token(actor, kind);
    headers.set('Authorization', `Basic ${Buffer.from(`oauth2:${password}`).toString('base64')}`);
  }
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response.status;
}

describe('the matrix of Git over HTTPS', () => {
  const cells = ACTORS.flatMap((actor) =>
    VISIBILITIES.flatMap((visibility) => KINDS.map((kind) => ({ actor, visibility, kind }))),
  );

  it.each(SERVICES)('is the policy for %s', async (service) => {
    const wrong = await forAll(cells, async (cell) => {
      const [status, expected] = [await statusOf(service, cell), expectedStatus(service, cell)];
      return status === expected ? null : `${JSON.stringify(cell)}: ${status}, not ${expected}`;
    });
    expect(wrong.filter((line) => line !== null)).toEqual([]);
  });
});
