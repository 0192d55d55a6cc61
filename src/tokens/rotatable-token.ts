import type { AuthContext } from '../core/access/auth-context.js';
import { ApiError } from '../core/errors.js';
import { isManaged } from './token-details.js';

/** Id of the token that the request presents; throws 405 when it is of a kind without rotation. */
export function rotatableTokenId({ credential }: AuthContext): number {
  if (credential !== null && isManaged(credential.kind)) return credential.tokenId;
  // With this token no method is allowed here (RFC 9110 §10.2.1).
  throw new ApiError(405, { message: '405 Method Not Allowed' }, { headers: { Allow: '' } });
}
