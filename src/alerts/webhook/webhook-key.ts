import { basicCredentials } from '../../core/http/basic-credentials.js';

/** The key that a request brings: Bearer, or the password of Basic; any other place does not count. */
export function givenKey(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const [, bearer] = /^bearer +([^\s]+) *$/i.exec(authorization) ?? [];
  return bearer ?? basicCredentials(authorization)?.password ?? null;
}
