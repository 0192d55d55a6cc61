import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES, type Scope } from '../../src/core/access/scopes.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeToken } from '../support/factories.js';
import { IS_FULL } from '../support/scale.js';
import { Asker, forAll } from './ask.js';
import { countChanges, watchChanges } from './changes.js';
import { statusWithScopes } from './expectation.js';
import { POLICY } from './policy.js';
import { makeWorld, VISIBILITIES, type World } from './world.js';

const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
const HOLDERS = ['developer', 'owner', 'admin'] as const;

let app: OwnTestApp;
let world: World;
let viewer: Asker;

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWorld(app);
  viewer = new Asker(app.url);
  await watchChanges(app);
}, 120_000);
afterAll(async () => {
  viewer.close();
  await app.close();
});

describe('a token with one scope', () => {
  it.each(ALL_SCOPES)(
    '%s opens exactly what the policy says',
    async (scope) => {
      for (const actor of HOLDERS) {
        const token = await makeToken(app, world.users[actor], { scopes: [scope] });
        const before = await countChanges(app);
        const cells = POLICY.flatMap((operation) =>
          (IS_FULL ? VISIBILITIES : (['public'] as const)).map((visibility) => ({
            operation,
            visibility,
          })),
        );
        const wrong = await forAll(cells, async ({ operation, visibility }) => {
          const place = world.places[visibility];
          const presented = { headers: { 'PRIVATE-TOKEN': token } };
          const { status } = await viewer.ask(operation, place, presented);
          const expected = statusWithScopes(operation, { actor, visibility, scopes: [scope] });
          return status === expected
            ? null
            : `${operation.route}, ${visibility}, ${actor}: ${status}, not ${expected}`;
        });
        expect(wrong.filter((line) => line !== null)).toEqual([]);
        if (scope !== 'api') expect(await countChanges(app)).toBe(before);
      }
    },
    180_000,
  );
});
