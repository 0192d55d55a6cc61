import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Semaphore } from './concurrency.js';
import { shareOf } from './process-group.js';

/** OWASP's parameters for argon2id (the library's default): 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Digest without a password, as expensive to verify as that of a user. */
const PLACEHOLDER_DIGEST =
  '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGtub3dzIGl0$Zm9yIG5vYm9keSBldmVyIHNldCBpdC4uLi4uLi4uLi4';

/**
 * A hash takes a core and 19 MiB for some 20 ms. As many run as there are cores; more than a
 * second's worth of waiting ones are refused, so that guessing never stops other requests.
 */
const hashing = new Semaphore({ capacity: shareOf(availableParallelism()), queue: 64 });

/**
 * argon2id digest in PHC form; runs in the thread pool, not on the event loop. Throws 503 when
 * too many hashes are waiting.
 */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(password, OPTIONS));
}

/** True when the password belongs to the digest. Throws 503 as `hashPassword`. */
export function verifyPassword(digest: string, password: string): Promise<boolean> {
  return hashing.run(() => verify(digest, password));
}

/** Takes as long as `verifyPassword`, so that the duration does not reveal unknown logins. */
export async function verifyNobodysPassword(password: string): Promise<false> {
  await verifyPassword(PLACEHOLDER_DIGEST, password);
  return false;
}
