import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { interleave } from './support/figures.js';
import { formsPerSecond, requestsPerSecond } from './support/load.js';
import { startNodePeer } from './support/node-peer.js';
import { startStack } from './support/stack.js';

const ROUNDS = 5;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = 5;
/** Chains of refreshes: each round cuts off as many as there are connections. */
const CHAINS = 512;
/** Rows of an instance in use; without them the planner would treat the tables as empty. */
const EARLIER = 50_000;
const CODES_PER_SECOND = 12_000;
const REDIRECT_URI = 'https://client.example/callback';
const PEER_CLIENT = { client_id: 'bench', client_secret: 'bench-secret-bench-secret' };

/**
 * Issuing tokens for codes and refresh tokens, durably, and telling about one, beside oidc-provider
 * in memory and on a plain table of the same PostgreSQL.
 */
export async function run() {
  const stack = await startStack();
  const database = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 });
  const memory = await startNodePeer('oidc-peer.js');
  const table = await startNodePeer('oidc-peer.js', { DATABASE_URL: stack.databaseUrl });
  try {
    const ours = await ourSide(stack, database);
    const inMemory = peerSide(memory.url);
    const peers = [
      { name: 'oidc-provider 9 in memory', target: '>= 0.9', side: inMemory },
      { name: 'oidc-provider 9 on PostgreSQL', target: '>= 2.5', side: peerSide(table.url) },
    ];
    const rows = [];
    for (const peer of peers) {
      for (const grant of /** @type {const} */ (['refresh', 'code'])) {
        const name = `POST /oauth/token, ${grant === 'code' ? 'code' : 'refresh token'}`;
        rows.push(await compare(name, ours[grant], peer.side[grant], peer));
      }
    }
    const info = { name: 'oidc-provider 9 in memory, introspection', target: '>= 2.5' };
    rows.push(await compare('GET /oauth/token/info', ours.info, inMemory.info, info));
    return rows;
  } finally {
    await Promise.all([memory.stop(), table.stop(), database.end()]);
    await stack.stop();
  }
}

/**
 * Warms both up and measures them in turn.
 * @param {string} name
 * @param {(seconds: number) => Promise<number>} ours
 * @param {(seconds: number) => Promise<number>} peer
 * @param {{ name: string, target: string }} beside
 */
async function compare(name, ours, peer, beside) {
  console.log(` ${name} beside ${beside.name}`);
  for (const side of [ours, peer]) await side(WARM_UP_SECONDS);
  const figures = await interleave({
    rounds: ROUNDS,
    ours: () => ours(ROUND_SECONDS),
    peer: () => peer(ROUND_SECONDS),
  });
  const ratio = figures.ours / figures.peer;
  return { name, metric: '1/s', ...figures, peerName: beside.name, ratio, target: beside.target };
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {pg.Pool} database
 */
async function ourSide({ url }, database) {
  const client = { client_id: randomBytes(32).toString('hex'), client_secret: 'svcoas-bench' };
  await database.query(
    `INSERT INTO oauth_applications (uid, secret_digest, name, redirect_uris, scopes)
     VALUES ($1, $2, 'Bench', $3, '{api}')`,
    [client.client_id, digest(client.client_secret), [REDIRECT_URI]],
  );
  await fillTables(database);
  const seed = (/** @type {number} */ count) => makeCodes(database, count);
  const token = `${url}/oauth/token`;
  const chains = [];
  for (const code of await seed(CHAINS)) chains.push(await exchange(token, client, code));
  const access = (await exchange(token, client, (await seed(1))[0] ?? ''))['access_token'];
  const info = { url: `${url}/oauth/token/info?access_token=${access}` };
  return {
    ...grantSide(token, client, { seed, refreshTokens: chains.map(refreshTokenOf) }),
    info: (/** @type {number} */ seconds) => requestsPerSecond(info, seconds),
  };
}

/** @param {string} url */
function peerSide(url) {
  const seed = async (/** @type {number} */ count, kind = 'AuthorizationCode') => {
    const values = [];
    while (values.length < count) {
      const response = await fetch(`${url}/seed?kind=${kind}&count=500`);
      values.push(.../** @type {string[]} */ (await response.json()));
    }
    return values;
  };
  /** @type {string[]} */
  const refreshTokens = [];
  const grants = grantSide(`${url}/token`, PEER_CLIENT, { seed, refreshTokens });
  return {
    ...grants,
    refresh: async (/** @type {number} */ seconds) => {
      if (refreshTokens.length === 0) {
        refreshTokens.push(...(await seed(CHAINS, 'RefreshToken')).slice(0, CHAINS));
      }
      return grants.refresh(seconds);
    },
    info: async (/** @type {number} */ seconds) => {
      const [token = ''] = await seed(1, 'AccessToken');
      const target = { url: `${url}/token/introspection`, next: () => ({ ...PEER_CLIENT, token }) };
      return formsPerSecond(target, seconds);
    },
  };
}

/**
 * The two grants of a token endpoint.
 * @param {string} url
 * @param {{ client_id: string, client_secret: string }} client
 * @param {{ seed: (count: number) => Promise<string[]>, refreshTokens: string[] }} tokens
 */
function grantSide(url, client, { seed, refreshTokens }) {
  const took = (/** @type {string} */ body) =>
    void refreshTokens.push(refreshTokenOf(JSON.parse(body)));
  const refresh = (/** @type {number} */ seconds) => {
    const next = () => ({
      grant_type: 'refresh_token',
      refresh_token: refreshTokens.shift() ?? '',
      ...client,
    });
    return formsPerSecond({ url, next, took }, seconds);
  };
  const code = async (/** @type {number} */ seconds) => {
    const codes = await seed(CODES_PER_SECOND * seconds);
    const next = () => fieldsOf(client, codes.pop() ?? '');
    return formsPerSecond({ url, next }, seconds);
  };
  return { refresh, code };
}

/**
 * @param {{ client_id: string, client_secret: string }} client
 * @param {string} code
 */
function fieldsOf(client, code) {
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...client };
}

/**
 * @param {string} url
 * @param {{ client_id: string, client_secret: string }} client
 * @param {string} code
 * @returns {Promise<Record<string, string>>}
 */
async function exchange(url, client, code) {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fieldsOf(client, code)),
  });
  return /** @type {Promise<Record<string, string>>} */ (response.json());
}

/** @param {Record<string, string>} body */
function refreshTokenOf(body) {
  return body['refresh_token'] ?? '';
}

/**
 * Codes and tokens of earlier days, known to the planner.
 * @param {pg.Pool} database
 */
async function fillTables(database) {
  const owner = `(SELECT max(id) FROM oauth_applications), (SELECT min(id) FROM users)`;
  await database.query(
    `INSERT INTO oauth_access_grants
       (code_digest, application_id, user_id, redirect_uri, scopes, auth_time, expires_at, used_at)
     SELECT sha256(('code' || n)::bytea), ${owner}, $1, '{api}', now(), now(), now()
     FROM generate_series(1, $2::int) n`,
    [REDIRECT_URI, EARLIER],
  );
  await database.query(
    `INSERT INTO access_tokens
       (application_id, user_id, kind, name, digest, last_four, refresh_digest, scopes, grant_id,
        expires_at, refresh_expires_at, chain_ends_at)
     SELECT ${owner}, 'oauth', '', sha256(('access' || id)::bytea), '', code_digest, scopes, id,
       now(), now() + interval '90 days', now() + interval '1 year'
     FROM oauth_access_grants`,
  );
  await database.query('ANALYZE oauth_access_grants, access_tokens');
}

/**
 * Codes as an approval makes them, many at once.
 * @param {pg.Pool} database
 * @param {number} count
 */
async function makeCodes(database, count) {
  const codes = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  await database.query(
    `INSERT INTO oauth_access_grants
       (code_digest, application_id, user_id, redirect_uri, scopes, auth_time, expires_at)
     SELECT digest, (SELECT max(id) FROM oauth_applications), (SELECT min(id) FROM users), $2,
       '{api}', now(), now() + interval '1 hour'
     FROM unnest($1::bytea[]) digest`,
    [codes.map(digest), REDIRECT_URI],
  );
  return codes;
}

/** @param {string} raw */
function digest(raw) {
  return createHash('sha256').update(raw).digest();
}
