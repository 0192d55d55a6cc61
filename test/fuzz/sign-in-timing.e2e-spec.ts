import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordSignIn } from '../../src/identity/auth/password-sign-in.service.js';
import { SignInRefusedError } from '../../src/identity/auth/user-state.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, unique } from '../support/factories.js';
import { cases, FUZZ_TIMEOUT_MS, IS_FULL } from '../support/scale.js';
import { changeSettings } from '../support/settings.js';
import { makePerson } from '../support/sign-in.js';

/** Difference that is too small to measure across a network with limited guesses. */
const TOLERANCE_MS = 5;
/**
 * Of a busy machine, on which a hash waits for its turn. The sample shares its machine with other
 * tests; a login without a hash takes no part of the time of others.
 */
const NOISE = IS_FULL ? 0.1 : 0.5;

/** A difference of the code shows in every batch, one of a busy moment in some. */
const BATCHES = 3;

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
  await changeSettings(app, { max_login_attempts: 1_000 });
});

describe('a wrong password', () => {
  it(
    'is refused after the same time whether the login exists or not',
    async () => {
      const passwords = app.app.get(PasswordSignIn, { strict: false });
      const known = await makePerson(app);
      const locked = await makePerson(app, { lockedAt: new Date(), failedAttempts: 1_000 });
      const bare = await makeUser(app);
      const logins = [known, locked, bare].map(({ username }) => username).concat('');
      const excesses: number[] = [];
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const samples: number[][] = logins.map(() => []);
        for (let left = cases({ sample: 100, full: 1_000 }); left > 0; left -= 1) {
          const index = randomInt(logins.length);
          const login = logins[index] || unique('nobody');
          const startedAt = performance.now();
          await expect(passwords.identify(login, 'not-this-one-42', null)).rejects.toThrow(
            SignInRefusedError,
          );
          samples[index]?.push(performance.now() - startedAt);
        }
        // The fastest attempt is the least disturbed by other processes.
        const times = samples.map((one) => Math.min(...one));
        const [least, most] = [Math.min(...times), Math.max(...times)];
        excesses.push(most - least - Math.max(TOLERANCE_MS, NOISE * least));
      }
      expect(Math.min(...excesses)).toBeLessThan(0);
    },
    FUZZ_TIMEOUT_MS,
  );
});
