import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { generateCredential } from '../../src/core/secrets.js';
import { TokenLookup } from '../../src/identity/tokens/token-lookup.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser } from '../support/factories.js';
import { cases, FUZZ_TIMEOUT_MS } from '../support/scale.js';
import { SEPARATION, separation } from '../support/welch.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Guess {
  kind: 'near' | 'far';
  guess: string;
}

/**
 * Guesses that share all but four characters with the real token, and others; made alike and
 * beforehand, so that nothing differs but what they share.
 */
function guessesAt(real: string, count: number): Guess[] {
  return Array.from({ length: count }, () => {
    const kind = randomInt(2) === 0 ? 'near' : 'far';
    const random = generateCredential('svcpat-');
    const start = kind === 'near' ? real : generateCredential('svcpat-');
    // Copied, or the one would still be a rope of strings and the other not.
    const guess = Buffer.from(start.slice(0, -4) + random.slice(-4)).toString();
    return { kind, guess };
  });
}

describe('looking up a token', () => {
  it(
    'takes the same time however much of a real token is guessed right',
    async () => {
      const real = await makeToken(app, await makeUser(app));
      const lookup = app.app.get(TokenLookup, { strict: false });
      const samples = { near: [] as number[], far: [] as number[] };
      for (const { kind, guess } of guessesAt(real, cases({ sample: 1_000, full: 10_000 }))) {
        const startedAt = performance.now();
        await lookup.findAny(guess);
        samples[kind].push(performance.now() - startedAt);
      }
      expect(separation(samples.near, samples.far)).toBeLessThan(SEPARATION);
    },
    FUZZ_TIMEOUT_MS,
  );
});
