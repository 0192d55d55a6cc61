import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { VisibilityName } from '../../src/identity/members/visibility.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { IS_FULL } from '../support/scale.js';
import { Asker, forAll } from './ask.js';
import { expectedStatus } from './expectation.js';
import type { Operation } from './operation.js';
import { POLICY } from './policy.js';
import { guardedRoutesOf, routesOf } from './routes.js';
import {
  ACTORS,
  CREDENTIALS,
  makeWorld,
  VISIBILITIES,
  type ActorName,
  type CredentialName,
  type Place,
  type World,
} from './world.js';

/** Ends the token that asks: tested where tokens are. */
const NOT_ASKED = ['DELETE /personal_access_tokens/self'];

/** Those that are judged each in their own way; the others differ in where they are presented. */
const SAMPLE: readonly CredentialName[] = [
  'personal',
  'oauth',
  'session',
  'sudo',
  'basic',
  'expired',
  'job',
];

/** Routes that keys and tokens of their own open: of integrations, of programs, for Git. */
const GUARDED = [
  'post_alerts: POST /:group/*project/alerts/notify',
  'post_alerts: POST /:group/*project/alerts/notify.:format',
  'post_alerts: POST /:group/*project/alerts/notify/*rest',
  'report_errors: POST /api/v4/error_tracking/collector/api/:project/envelope',
  'report_errors: POST /api/v4/error_tracking/collector/api/:project/security',
  'report_errors: POST /api/v4/error_tracking/collector/api/:project/store',
  'use_git: ALL /*repository.git/HEAD',
  'use_git: ALL /*repository.git/git-receive-pack',
  'use_git: ALL /*repository.git/git-upload-archive',
  'use_git: ALL /*repository.git/git-upload-pack',
  'use_git: ALL /*repository.git/info/*path',
  'use_git: ALL /*repository.git/info/refs',
  'use_git: ALL /*repository.git/objects/*path',
  'use_git: GET /*repository.git/info/refs',
  'use_git: POST /*repository.git/git-receive-pack',
  'use_git: POST /*repository.git/git-upload-pack',
];

/** Credentials of bots, and of users only. */
const OF_RESOURCES: readonly CredentialName[] = ['project', 'group'];
const OF_BROWSERS: readonly CredentialName[] = ['session', 'cookie'];

interface Cell {
  operation: Operation;
  actor: ActorName;
  visibility: VisibilityName;
  credential: CredentialName;
}

let app: OwnTestApp;
let world: World;
let viewer: Asker;

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWorld(app);
  viewer = new Asker(app.url);
}, 120_000);
afterAll(async () => {
  viewer.close();
  await app.close();
});

/**
 * Anonymous callers present nothing, so for them all credentials are one. Only bots have tokens of
 * projects and groups, which may rotate themselves: asked where those tokens are tested.
 */
function cellsOf(operation: Operation, index: number): Cell[] {
  return ACTORS.flatMap((actor, row) =>
    credentialsOf(actor, operation).flatMap((credential, column) =>
      visibilitiesOf({ actor, credential }, index + row + column).map((visibility) => ({
        operation,
        actor,
        visibility,
        credential,
      })),
    ),
  );
}

/**
 * Returns all visibilities for personal tokens and anonymous callers. The sample rotates the other
 * credentials, so that twelve neighbouring operations cover each with every visibility.
 */
function visibilitiesOf(
  { actor, credential }: Pick<Cell, 'actor' | 'credential'>,
  turn: number,
): readonly VisibilityName[] {
  if (IS_FULL || credential === 'personal' || actor === 'anonymous') return VISIBILITIES;
  return VISIBILITIES.filter((_, index) => index === turn % (4 * VISIBILITIES.length));
}

function credentialsOf(actor: ActorName, { route }: Operation): readonly CredentialName[] {
  if (actor === 'anonymous') return ['basic'];
  const hasResource = actor === 'bot' && !route.endsWith('/self/rotate');
  const asked = IS_FULL || hasResource ? CREDENTIALS : SAMPLE;
  const absent = actor === 'bot' ? OF_BROWSERS : [];
  return asked.filter(
    (name) => !absent.includes(name) && (hasResource || !OF_RESOURCES.includes(name)),
  );
}

function present({ actor, credential }: Cell): { headers: Record<string, string>; query?: string } {
  return actor === 'anonymous' ? { headers: {} } : world.present(actor, credential);
}

/** The place, but with ids that nothing has. */
function nowhere(place: Place): Place {
  const none = 999_999_999;
  return { ...place, groupId: none, projectId: none, spareId: none, snippetId: none };
}

describe('the matrix of authorisation', () => {
  it('has a line for every route of the API', () => {
    const known = POLICY.map(({ route }) => route);
    expect([...known, ...NOT_ASKED].sort()).toEqual(routesOf(app));
  });

  it('lists the routes that other credentials open, which have tests of their own', () => {
    expect(guardedRoutesOf(app).sort()).toEqual(GUARDED);
  });

  it.each(POLICY.map((operation, index) => [operation.route, operation, index] as const))(
    'is the policy for %s',
    async (_, operation, index) => {
      const cells = cellsOf(operation, index);
      const wrong = await forAll(cells, async (cell) => {
        const place = world.places[cell.visibility];
        const { status } = await viewer.ask(operation, place, present(cell));
        const expected = expectedStatus(operation, cell);
        return status === expected ? null : `${describeCell(cell)}: ${status}, not ${expected}`;
      });
      expect(wrong.filter((line) => line !== null)).toEqual([]);
    },
  );

  it('never tells what is invisible from what does not exist', async () => {
    const hidden = POLICY.flatMap(cellsOf).filter(
      (cell) =>
        typeof cell.operation.who === 'object' &&
        expectedStatus(cell.operation, cell) === 404 &&
        cell.operation.allowed !== 404 &&
        cell.credential !== 'parameter' &&
        (IS_FULL || cell.credential === 'personal' || cell.actor === 'anonymous'),
    );
    const leaks = await forAll(hidden, async (cell) => {
      const place = world.places[cell.visibility];
      const one = await viewer.ask(cell.operation, place, present(cell));
      const other = await viewer.ask(cell.operation, nowhere(place), present(cell));
      return one.status === other.status && one.body === other.body ? null : describeCell(cell);
    });
    expect(leaks.filter((line) => line !== null)).toEqual([]);
    expect(hidden.length).toBeGreaterThan(100);
  });
});

function describeCell({ operation, actor, visibility, credential }: Cell): string {
  return `${operation.route} as ${actor} by ${credential}, ${visibility}`;
}
