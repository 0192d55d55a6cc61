import { credentialDigest } from '../../core/secrets.js';
import type { TokenPair, IssuedToken } from '../token-pair.js';

/** A code with what has to fit it. */
export interface CodeExchangeRequest {
  code: string;
  applicationId: number;
  redirectUri: string;
  /** Challenge of the request's code_verifier; null without one. */
  challenge: string | null;
  /** True for public clients, whose only proof is a verifier. */
  needsProof: boolean;
  pair: TokenPair;
}

/** Outcome of a code exchange. Fields are null for a code that was never issued. */
export interface CodeExchange {
  grantId: number | null;
  userId: number;
  scopes: string[];
  nonce: string | null;
  authTime: Date;
  /** True if it was issued to this client. */
  isOwn: boolean;
  isUsed: boolean;
  isRevoked: boolean;
  isExpired: boolean;
  isRedirectSame: boolean;
  hasChallenge: boolean;
  isProven: boolean;
  /** True if its user is active. */
  mayAct: boolean;
  /** null = refused. */
  issued: IssuedToken | null;
}

/** A refresh token with what has to fit it. */
export interface RefreshRequest {
  refreshToken: string;
  /** null = a client that is no registered application. */
  applicationId: number | null;
  /** Narrower ones; null = as they are. */
  scopes: readonly string[] | null;
  redirectUri: string | null;
  /** Challenge of the request's code_verifier; null without one. */
  challenge: string | null;
  pair: TokenPair;
}

/** Outcome of a refresh. Fields are null for a token that was never issued. */
export interface Refresh {
  tokenId: number | null;
  userId: number;
  /** Scopes of the new token; when it is refused, those it would have had. */
  scopes: string[];
  grantedScopes: string[];
  authTime: Date | null;
  revokedAt: Date | null;
  isOwn: boolean;
  /** True if it was issued to a registered application. */
  hasApplication: boolean;
  isExpired: boolean;
  isRedirectSame: boolean;
  /** False only for a code_verifier that does not match the authorization's challenge. */
  isProven: boolean;
  isScopeWithin: boolean;
  mayAct: boolean;
  /** null = refused. */
  issued: IssuedToken | null;
}

/**
 * Issuing a token for a user share-locks the user's row first, and revoking tokens locks it
 * exclusively (`lockOwner`), so that revoking a user's tokens never misses one that is being
 * issued. Batches lock rows in one order, so that two processes never deadlock.
 */
const OWNER = `
  SELECT u.id FROM users u
  WHERE u.id = ANY(ARRAY(SELECT user_id FROM found)) AND u.state = 'active'
    AND u.user_type <> 'internal' AND (u.confirmed_at IS NOT NULL OR NOT $2::boolean)
  ORDER BY u.id FOR SHARE`;

/**
 * Locks the application before its token, in the order of deleting an application with its tokens.
 * Waits for concurrent scope changes, and so reads the current scopes.
 */
const APPLICATION = `
  SELECT id, scopes FROM oauth_applications
  WHERE id = ANY(ARRAY(SELECT application_id FROM found)) ORDER BY id FOR KEY SHARE`;

/** Limits scopes to those of application `p`; keeps all without an application. */
function permitted(scopes: string): string {
  return `ARRAY(SELECT s FROM unnest(${scopes}) s WHERE p.id IS NULL OR s = ANY(p.scopes))`;
}

/** Columns of a new token; what has no user or no refresh token leaves them null. */
const TOKEN_COLUMNS = `
  kind, name, digest, last_four, refresh_digest, user_id, application_id, scopes, grant_id,
  family_id, previous_id, expires_at, refresh_expires_at, chain_ends_at, created_at, updated_at`;

/**
 * Exchanges authorization codes: $1 now, $2 whether users must be confirmed, $3 and $4 expiry of
 * access and refresh tokens, $5 expiry of their chain, then one list per column of `asked`. A code
 * is used up by its client and redirect URI together, also with a wrong verifier. Its expiry never
 * changes and is not compared again: no statistics know of valid codes, and the planner would read
 * all of them by the index of their expiry.
 */
export const EXCHANGE_SQL = `
  WITH asked AS (
    SELECT * FROM unnest($6::int[], $7::bytea[], $8::bigint[], $9::text[], $10::text[],
      $11::boolean[], $12::bytea[], $13::text[], $14::bytea[])
    AS a (n, code_digest, application_id, redirect_uri, challenge, needs_proof, digest, last_four,
      refresh_digest)
    ORDER BY code_digest
  ), found AS (
    SELECT a.n, g.id, g.user_id, g.application_id, g.scopes, g.nonce, g.auth_time,
      g.application_id = a.application_id AS is_own, g.used_at IS NOT NULL AS is_used,
      g.revoked_at IS NOT NULL AS is_revoked, g.expires_at <= $1 AS is_expired,
      g.redirect_uri = a.redirect_uri AS is_redirect_same,
      g.code_challenge IS NOT NULL AS has_challenge,
      g.code_challenge IS NOT DISTINCT FROM a.challenge AS is_proven
    FROM asked a JOIN oauth_access_grants g ON g.code_digest = a.code_digest
  ), owner AS (${OWNER}), application AS (${APPLICATION}), used AS (
    UPDATE oauth_access_grants g SET used_at = $1
    FROM asked a JOIN found f USING (n) JOIN owner o ON o.id = f.user_id
      JOIN application p ON p.id = f.application_id
    WHERE g.id = f.id AND f.is_own AND f.is_redirect_same AND NOT f.is_expired
      AND g.used_at IS NULL AND g.revoked_at IS NULL
      AND g.scopes && p.scopes
      AND (a.challenge IS NOT NULL OR NOT (f.has_challenge OR a.needs_proof))
    RETURNING a.n, g.id, g.user_id, g.application_id, ${permitted('g.scopes')} AS scopes, f.is_proven, a.digest, a.last_four,
      a.refresh_digest
  ), minted AS (
    INSERT INTO access_tokens (${TOKEN_COLUMNS})
    SELECT 'oauth', '', digest, last_four, refresh_digest, user_id, application_id, scopes, id,
      NULL, NULL, $3, $4, $5, $1, $1
    FROM used WHERE is_proven
  )
  SELECT f.id AS "grantId", f.user_id AS "userId", coalesce(u.scopes, f.scopes) AS scopes, f.nonce, f.auth_time AS "authTime",
    f.is_own AS "isOwn", f.is_used AS "isUsed", f.is_revoked AS "isRevoked",
    f.is_expired AS "isExpired", f.is_redirect_same AS "isRedirectSame",
    f.has_challenge AS "hasChallenge", f.is_proven AS "isProven",
    o.id IS NOT NULL AS "mayAct", u.n IS NOT NULL AND u.is_proven AS "isExchanged"
  FROM asked a LEFT JOIN found f USING (n) LEFT JOIN owner o ON o.id = f.user_id
    LEFT JOIN used u USING (n)
  ORDER BY a.n`;

/**
 * Rotates refresh tokens: $1 to $4 as above; the new pair takes the old one's place in its family
 * and keeps the end of its chain.
 */
export const REFRESH_SQL = `
  WITH asked AS (
    SELECT * FROM unnest($5::int[], $6::bytea[], $7::bigint[], $8::text[], $9::text[],
      $10::text[], $11::bytea[], $12::text[], $13::bytea[])
    AS a (n, old_digest, application_id, scopes, redirect_uri, challenge, digest, last_four,
      refresh_digest)
    ORDER BY old_digest
  ), found AS (
    SELECT a.n, t.id, t.user_id, t.application_id, t.digest, t.revoked_at, g.auth_time,
      t.scopes AS granted_scopes,
      coalesce(string_to_array(a.scopes, ' '), t.scopes) AS scopes,
      t.application_id IS NOT DISTINCT FROM a.application_id AS is_own,
      t.application_id IS NOT NULL AS has_application,
      t.refresh_expires_at <= $1 AS is_expired,
      coalesce(g.redirect_uri = a.redirect_uri, true) AS is_redirect_same,
      coalesce(g.code_challenge = a.challenge, true) AS is_proven,
      coalesce(string_to_array(a.scopes, ' ') <@ t.scopes, true) AS is_scope_within
    FROM asked a JOIN access_tokens t ON t.refresh_digest = a.old_digest
      LEFT JOIN oauth_access_grants g ON g.id = t.grant_id
  ), owner AS (${OWNER}), application AS (${APPLICATION}), rotated AS (
    UPDATE access_tokens t SET revoked_at = $1, updated_at = $1
    FROM asked a JOIN found f USING (n) JOIN owner o ON o.id = f.user_id
      LEFT JOIN application p ON p.id = f.application_id
    WHERE t.id = f.id AND t.revoked_at IS NULL AND f.is_own AND NOT f.is_expired
      AND f.is_redirect_same AND f.is_proven AND f.is_scope_within
      AND (p.id IS NULL OR f.scopes && p.scopes)
    RETURNING a.n, a.digest, a.last_four, a.refresh_digest, ${permitted('f.scopes')} AS scopes,
      t.user_id, t.application_id, t.grant_id, coalesce(t.family_id, t.id) AS family_id, t.id, t.chain_ends_at
  ), minted AS (
    INSERT INTO access_tokens (${TOKEN_COLUMNS})
    SELECT 'oauth', '', digest, last_four, refresh_digest, user_id, application_id, scopes,
      grant_id, family_id, id, $3, least($4, chain_ends_at), chain_ends_at, $1, $1
    FROM rotated
  )
  SELECT f.id AS "tokenId", f.user_id AS "userId", coalesce(r.scopes, f.scopes) AS scopes,
    f.granted_scopes AS "grantedScopes", f.digest, f.auth_time AS "authTime", f.revoked_at AS "revokedAt", f.is_own AS "isOwn", f.has_application AS "hasApplication",
    f.is_expired AS "isExpired", f.is_redirect_same AS "isRedirectSame",
    f.is_proven AS "isProven", f.is_scope_within AS "isScopeWithin", o.id IS NOT NULL AS "mayAct",
    r.n IS NOT NULL AS "isRotated", least($4, r.chain_ends_at) AS "refreshExpiresAt"
  FROM asked a LEFT JOIN found f USING (n) LEFT JOIN owner o ON o.id = f.user_id
    LEFT JOIN rotated r USING (n)
  ORDER BY a.n`;

/**
 * Inserts a token of a user whose password is still that with the digest $2: $1 now, $3 and $4 the
 * digests, $5 the last characters, $6 user, $7 application, $8 scopes, $9 to $11 its ends.
 */
export const MINT_FOR_USER_SQL = `
  WITH owner AS (
    SELECT id FROM users WHERE id = $6 AND password_digest = $2 AND state = 'active' FOR SHARE
  )
  INSERT INTO access_tokens (${TOKEN_COLUMNS})
  SELECT 'oauth', '', $3::bytea, $5::text, $4::bytea, id, $7::bigint, $8::text[], NULL, NULL, NULL,
    $9::timestamptz, $10::timestamptz, $11::timestamptz, $1::timestamptz, $1
  FROM owner RETURNING id`;

/** Inserts a token of an application itself, without refresh token (RFC 6749 §4.4.3). */
export const MINT_FOR_CLIENT_SQL = `
  INSERT INTO access_tokens (${TOKEN_COLUMNS})
  VALUES ('oauth', '', $2, $3, NULL, NULL, $4, $5, NULL, NULL, NULL, $6, NULL, NULL, $1, $1)
  RETURNING id`;

/** The lists of EXCHANGE_SQL, in its order. */
export function exchangeColumns(requests: readonly CodeExchangeRequest[]): unknown[] {
  return [
    requests.map((_, index) => index),
    requests.map(({ code }) => credentialDigest(code)),
    requests.map(({ applicationId }) => applicationId),
    requests.map(({ redirectUri }) => redirectUri),
    requests.map(({ challenge }) => challenge),
    requests.map(({ needsProof }) => needsProof),
    ...pairColumns(requests),
  ];
}

/** The lists of REFRESH_SQL, in its order. */
export function refreshColumns(requests: readonly RefreshRequest[]): unknown[] {
  return [
    requests.map((_, index) => index),
    requests.map(({ refreshToken }) => credentialDigest(refreshToken)),
    requests.map(({ applicationId }) => applicationId),
    requests.map(({ scopes }) => scopes?.join(' ') ?? null),
    requests.map(({ redirectUri }) => redirectUri),
    requests.map(({ challenge }) => challenge),
    ...pairColumns(requests),
  ];
}

function pairColumns(requests: readonly { pair: TokenPair }[]): unknown[] {
  return [
    requests.map(({ pair }) => pair.digest),
    requests.map(({ pair }) => pair.lastFour),
    requests.map(({ pair }) => pair.refreshDigest),
  ];
}
