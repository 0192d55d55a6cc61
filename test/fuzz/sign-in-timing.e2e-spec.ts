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
 * Share of the fastest kind by which another may be slower. The sample runs beside other tests,
 * where a hash waits for its turn; a login without a hash would take a tenth of the time.
 */
const NOISE = IS_FULL ? 0.1 : 2;

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
      const samples: number[][] = logins.map(() => []);
      for (let left = cases({ sample: 240, full: 2_000 }); left > 0; left -= 1) {
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
      expect(most - least).toBeLessThan(Math.max(TOLERANCE_MS, NOISE * least));
    },
    FUZZ_TIMEOUT_MS,
  );
});
