import type { EntityManager } from 'typeorm';
import type { Scope } from '../../core/access/scopes.js';

/** What an application may have from now on. */
export interface NarrowedApplication {
  id: number;
  scopes: readonly Scope[];
  now: Date;
}

/** What keeps nothing is revoked, and shows what it had. */
const NARROWED = `
  scopes = CASE WHEN scopes && $2::text[]
    THEN ARRAY(SELECT s FROM unnest(scopes) s WHERE s = ANY($2)) ELSE scopes END,
  revoked_at = CASE WHEN scopes && $2::text[] THEN NULL ELSE $3::timestamptz END`;

const TOO_WIDE = 'application_id = $1 AND revoked_at IS NULL AND NOT scopes <@ $2::text[]';

const NARROW_CODES_SQL = `
  UPDATE oauth_access_grants SET ${NARROWED} WHERE ${TOO_WIDE} AND used_at IS NULL`;

const NARROW_TOKENS_SQL = `
  UPDATE access_tokens SET ${NARROWED}, updated_at = $3 WHERE ${TOO_WIDE} RETURNING digest`;

/**
 * Takes the scopes that an application lost from its codes and tokens, and answers the digests of
 * those tokens. The application's row must be locked, so that none is issued meanwhile.
 */
export async function narrowGrants(
  tx: EntityManager,
  { id, scopes, now }: NarrowedApplication,
): Promise<Buffer[]> {
  const values = [id, scopes, now];
  await tx.query(NARROW_CODES_SQL, values);
  const [tokens] = await tx.query<[{ digest: Buffer }[], number]>(NARROW_TOKENS_SQL, values);
  return tokens.map(({ digest }) => digest);
}
