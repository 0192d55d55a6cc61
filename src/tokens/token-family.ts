import type { EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';
import { AccessToken } from './access-token.entity.js';

/** Id of the first token of the chain of rotations that the token belongs to. */
export function familyOf(token: { id: number; familyId: number | null }): number {
  return token.familyId ?? token.id;
}

/**
 * Locks the family of a token, which is its first token's row, and answers the token as it is
 * under that lock: rotations and revocations of one family follow one another. Throws 404.
 */
export async function lockFamily(tx: EntityManager, tokenId: number): Promise<AccessToken> {
  // The user first: deleting one locks the user before the tokens.
  await tx.query(
    `SELECT 1 FROM users WHERE id =
       (SELECT user_id FROM access_tokens WHERE id = $1) FOR KEY SHARE`,
    [tokenId],
  );
  await tx.query(
    `SELECT 1 FROM access_tokens WHERE id =
       (SELECT coalesce(family_id, id) FROM access_tokens WHERE id = $1) FOR NO KEY UPDATE`,
    [tokenId],
  );
  const token = await tx.findOne(AccessToken, {
    where: { id: tokenId },
    lock: { mode: 'for_no_key_update' },
  });
  if (token === null) throw new NotFoundError('Token');
  return token;
}
