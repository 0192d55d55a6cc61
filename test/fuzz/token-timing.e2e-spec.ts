import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TokenLookup } from '../../src/tokens/token-lookup.service.js';
import { generateCredential } from '../../src/core/digest.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser } from '../support/factories.js';
import { cases, FUZZ_TIMEOUT_MS } from '../support/scale.js';

/** Samples above this rank are noise of the machine, the same for both kinds. */
const KEPT = 0.8;
const SEPARATION = 4.5;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Welch's t: how surely two samples have different means. */
function welch(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [momentsOf(first), momentsOf(second)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function momentsOf(samples: readonly number[]): { mean: number; variance: number; count: number } {
  const kept = [...samples].sort((a, b) => a - b).slice(0, Math.floor(samples.length * KEPT));
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  const squares = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (kept.length - 1), count: kept.length };
}

describe('looking up a token', () => {
  it(
    'takes the same time however much of a real token is guessed right',
    async () => {
      const real = await makeToken(app, await makeUser(app));
      const lookup = app.app.get(TokenLookup, { strict: false });
      const guesses = {
        near: (): string => real.slice(0, -1) + (real.endsWith('0') ? '1' : '0'),
        far: (): string => generateCredential('svcpat-'),
      };
      const samples = { near: [] as number[], far: [] as number[] };
      const rounds = cases({ sample: 1_000, full: 10_000 });
      for (let round = 0; round < rounds + 200; round += 1) {
        const kind = Math.random() < 0.5 ? 'near' : 'far';
        const guess = guesses[kind]();
        const startedAt = performance.now();
        await lookup.findAny(guess);
        const took = performance.now() - startedAt;
        if (round >= 200) samples[kind].push(took);
      }
      expect(Math.abs(welch(samples.near, samples.far))).toBeLessThan(SEPARATION);
    },
    FUZZ_TIMEOUT_MS,
  );
});
