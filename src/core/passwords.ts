import { hash, verify } from '@node-rs/argon2';

/** OWASP's parameters for argon2id (the library's default): 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** argon2id digest in PHC form; runs in the thread pool, not on the event loop. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/** True when the password belongs to the digest. */
export async function verifyPassword(digest: string, password: string): Promise<boolean> {
  return verify(digest, password);
}
