import type { EntityManager } from 'typeorm';
import type { Scope } from '../../core/access/scopes.js';

/** The scopes an application keeps. */
export interface NarrowedApplication {
  id: number;
  scopes: readonly Scope[];
  now: Date;
}

/** Codes and tokens that lose all scopes are revoked with their scopes unchanged, for display. */
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
 * Removes an application's lost scopes from its codes and tokens and returns the digests of those
 * tokens. Requires a lock on the application's row, so that no token is issued meanwhile.
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
