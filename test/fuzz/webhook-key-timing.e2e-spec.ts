import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newIntegrationKey } from '../../src/alerts/integration-keys.js';
import { ProjectDisclosure } from '../../src/alerts/webhook/project-disclosure.service.js';
import { makeIntegration, makeWebhook } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { cases, FUZZ_TIMEOUT_MS } from '../support/scale.js';
import { SEPARATION, welch } from '../support/welch.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

describe('comparing a key with those of a project', () => {
  it(
    'takes the same time however much of one of them is guessed right',
    async () => {
      const { project, integration } = await makeWebhook(app);
      for (let count = 0; count < 9; count += 1) await makeIntegration(app, project);
      const disclosure = app.app.get(ProjectDisclosure, { strict: false });
      const samples = { near: [] as number[], far: [] as number[] };
      for (let left = cases({ sample: 1_000, full: 10_000 }); left > 0; left -= 1) {
        const kind = randomInt(2) === 0 ? 'near' : 'far';
        const random = newIntegrationKey();
        const start = kind === 'near' ? integration.token : newIntegrationKey();
        // Copied, or the one would still be a rope of strings and the other not.
        const guess = Buffer.from(start.slice(0, -4) + random.slice(-4)).toString();
        const startedAt = performance.now();
        expect(await disclosure.isTold(project.id, guess)).toBe(false);
        samples[kind].push(performance.now() - startedAt);
      }
      expect(Math.abs(welch(samples.near, samples.far))).toBeLessThan(SEPARATION);
    },
    FUZZ_TIMEOUT_MS,
  );
});
