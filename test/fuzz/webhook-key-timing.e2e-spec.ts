import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newIntegrationKey } from '../../src/alerts/alert-integrations.repository.js';
import { IntegrationLookup } from '../../src/alerts/webhook/integration-lookup.service.js';
import { makeIntegration, makeWebhook } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { cases, FUZZ_TIMEOUT_MS } from '../support/scale.js';
import { SEPARATION, separation } from '../support/welch.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** Guesses made alike and beforehand, so that they differ only in the characters they share. */
function guessesAt(real: string, count: number): { kind: 'near' | 'far'; guess: string }[] {
  return Array.from({ length: count }, () => {
    const kind = randomInt(2) === 0 ? 'near' : 'far';
    const random = newIntegrationKey();
    const start = kind === 'near' ? real : newIntegrationKey();
    // Copied, or the one would still be a rope of strings and the other not.
    const guess = Buffer.from(start.slice(0, -4) + random.slice(-4)).toString();
    return { kind, guess };
  });
}

describe('comparing a key with those of a project', () => {
  it(
    'takes the same time however much of one of them is guessed right',
    async () => {
      const { project, integration } = await makeWebhook(app);
      for (let count = 0; count < 9; count += 1) await makeIntegration(app, project);
      const lookup = app.app.get(IntegrationLookup, { strict: false });
      const samples = { near: [] as number[], far: [] as number[] };
      const count = cases({ sample: 1_000, full: 10_000 });
      for (const { kind, guess } of guessesAt(integration.token, count)) {
        const startedAt = performance.now();
        expect(await lookup.mayRevealProject(project.id, guess)).toBe(false);
        samples[kind].push(performance.now() - startedAt);
      }
      expect(separation(samples.near, samples.far)).toBeLessThan(SEPARATION);
    },
    FUZZ_TIMEOUT_MS,
  );
});
