/** Rows that one statement deletes, so that none of them locks for long. */
export const DELETE_CHUNK = 1_000;

/** Finds an OAuth token by the digest ($1) of either half of its pair. */
export const FIND_SQL = `
  SELECT t.id, t.user_id AS "userId", t.application_id AS "applicationId",
    a.uid AS "applicationUid", t.scopes, coalesce(t.family_id, t.id) AS "familyId",
    t.created_at AS "createdAt", t.revoked_at AS "revokedAt", t.digest <> $1 AS "isRefresh",
    CASE WHEN t.digest = $1 THEN t.expires_at ELSE t.refresh_expires_at END AS "expiresAt",
    t.user_id IS NULL OR (u.state = 'active' AND u.user_type <> 'internal'
      AND u.confirmed_at IS NOT NULL) AS "mayAct"
  FROM access_tokens t
    LEFT JOIN users u ON u.id = t.user_id
    LEFT JOIN oauth_applications a ON a.id = t.application_id
  WHERE t.kind = 'oauth' AND (t.digest = $1 OR t.refresh_digest = $1)`;

export const REVOKE_FAMILY_SQL = `
  UPDATE access_tokens SET revoked_at = $2, updated_at = $2
  WHERE (id = $1 OR family_id = $1) AND revoked_at IS NULL RETURNING id, digest`;

export const REVOKE_OF_GRANT_SQL = `
  UPDATE access_tokens SET revoked_at = $2, updated_at = $2
  WHERE grant_id = $1 AND revoked_at IS NULL RETURNING id, digest`;

export const REVOKE_OF_APPLICATION_SQL = `
  UPDATE access_tokens SET revoked_at = $3, updated_at = $3
  WHERE application_id = $1 AND user_id = $2 AND kind = 'oauth' AND revoked_at IS NULL
  RETURNING digest`;

export const HAS_SAME_SCOPES_SQL = `
  SELECT 1 FROM access_tokens
  WHERE application_id = $1 AND user_id = $2 AND kind = 'oauth' AND revoked_at IS NULL
    AND scopes @> $3::text[] AND scopes <@ $3::text[]
  LIMIT 1`;

/** Codes and tokens that lose all scopes are revoked with their scopes unchanged, for display. */
const NARROWED = `
  scopes = CASE WHEN scopes && $2::text[]
    THEN ARRAY(SELECT s FROM unnest(scopes) s WHERE s = ANY($2)) ELSE scopes END,
  revoked_at = CASE WHEN scopes && $2::text[] THEN NULL ELSE $3::timestamptz END`;

const TOO_WIDE = 'application_id = $1 AND revoked_at IS NULL AND NOT scopes <@ $2::text[]';

/** Narrows the unused codes of an application ($1) to scopes ($2) at a moment ($3). */
export const NARROW_CODES_SQL = `
  UPDATE oauth_access_grants SET ${NARROWED} WHERE ${TOO_WIDE} AND used_at IS NULL`;

/** Narrows its tokens likewise. */
export const NARROW_TOKENS_SQL = `
  UPDATE access_tokens SET ${NARROWED}, updated_at = $3 WHERE ${TOO_WIDE} RETURNING digest`;

/** Deletes some tokens that ended before $1. */
export const DELETE_ENDED_SQL = `
  DELETE FROM access_tokens WHERE id = ANY(ARRAY(
    SELECT id FROM access_tokens
    WHERE kind = 'oauth' AND least(revoked_at, coalesce(refresh_expires_at, expires_at)) < $1
    LIMIT ${DELETE_CHUNK} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Codes stay for as long as tokens that come from them: refreshing compares their redirect URI. */
export const DELETE_ENDED_CODES_SQL = `
  DELETE FROM oauth_access_grants WHERE id = ANY(ARRAY(
    SELECT g.id FROM oauth_access_grants g
    WHERE g.expires_at < $1 AND NOT EXISTS (SELECT FROM access_tokens t WHERE t.grant_id = g.id)
    LIMIT ${DELETE_CHUNK} FOR UPDATE SKIP LOCKED))
  RETURNING id`;
