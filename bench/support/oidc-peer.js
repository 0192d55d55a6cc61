import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import pg from 'pg';

/**
 * oidc-provider with one client, as its documentation sets it up: in memory, or with `DATABASE_URL`
 * on a plain table. `/seed` makes codes, refresh tokens and access tokens of one account.
 */
const CLIENT = { client_id: 'bench', client_secret: 'bench-secret-bench-secret' };
const REDIRECT_URI = 'https://client.example/callback';
const SCOPE = 'api';
const SEED_LIFE_SECONDS = 3_600;

const pool = process.env['DATABASE_URL']
  ? new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
  : null;

/** The example adapter for relational databases: one row per model. */
class PlainTableAdapter {
  /** @param {string} model */
  constructor(model) {
    this.model = model;
  }

  /**
   * @param {string} id
   * @param {Record<string, any>} payload
   * @param {number} expiresIn
   */
  async upsert(id, payload, expiresIn) {
    await pool?.query({
      name: 'upsert',
      text: `INSERT INTO peer (model, id, payload, grant_id, expires_at)
        VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
        ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload`,
      values: [this.model, id, payload, payload['grantId'] ?? null, expiresIn ?? null],
    });
  }

  /** @param {string} id */
  async find(id) {
    const found = await pool?.query({
      name: 'find',
      text: 'SELECT payload, consumed_at FROM peer WHERE model = $1 AND id = $2',
      values: [this.model, id],
    });
    const row = found?.rows[0];
    return row && { ...row.payload, ...(row.consumed_at && { consumed: true }) };
  }

  /** @param {string} id */
  async consume(id) {
    const text = 'UPDATE peer SET consumed_at = now() WHERE model = $1 AND id = $2';
    await pool?.query({ name: 'consume', text, values: [this.model, id] });
  }

  /** @param {string} id */
  async destroy(id) {
    const text = 'DELETE FROM peer WHERE model = $1 AND id = $2';
    await pool?.query({ name: 'destroy', text, values: [this.model, id] });
  }

  /** Never called: the device flow is off. */
  async findByUserCode() {
    return undefined;
  }

  /** Never called: no grant here belongs to a session. */
  async findByUid() {
    return undefined;
  }

  /** @param {string} grantId */
  async revokeByGrantId(grantId) {
    const text = 'DELETE FROM peer WHERE model = $1 AND grant_id = $2';
    await pool?.query({ name: 'revoke', text, values: [this.model, grantId] });
  }
}

/** The example adapter for memory holds a thousand models; this one all of them. */
class MapAdapter {
  /** @type {Map<string, Record<string, any>>} */
  static models = new Map();

  /** @param {string} model */
  constructor(model) {
    this.model = model;
  }

  /**
   * @param {string} id
   * @param {Record<string, any>} payload
   */
  async upsert(id, payload) {
    MapAdapter.models.set(`${this.model}:${id}`, payload);
  }

  /** @param {string} id */
  async find(id) {
    return MapAdapter.models.get(`${this.model}:${id}`);
  }

  /** @param {string} id */
  async consume(id) {
    const payload = MapAdapter.models.get(`${this.model}:${id}`);
    if (payload) payload['consumed'] = Math.floor(Date.now() / 1000);
  }

  /** @param {string} id */
  async destroy(id) {
    MapAdapter.models.delete(`${this.model}:${id}`);
  }

  /** Never called: the device flow is off. */
  async findByUserCode() {
    return undefined;
  }

  /** Never called: no grant here belongs to a session. */
  async findByUid() {
    return undefined;
  }

  /** @param {string} grantId */
  async revokeByGrantId(grantId) {
    for (const [key, { grantId: of }] of MapAdapter.models) {
      if (of === grantId) MapAdapter.models.delete(key);
    }
  }
}

await pool?.query(`
  CREATE TABLE IF NOT EXISTS peer (model text, id text, payload jsonb, grant_id text,
    expires_at timestamptz, consumed_at timestamptz, PRIMARY KEY (model, id));
  CREATE INDEX IF NOT EXISTS peer_grant ON peer (grant_id)`);

const provider = new Provider(`http://127.0.0.1:${process.env['PORT']}`, {
  adapter: pool ? PlainTableAdapter : MapAdapter,
  clients: [
    {
      ...CLIENT,
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  scopes: ['openid', 'offline_access', SCOPE],
  features: { introspection: { enabled: true }, devInteractions: { enabled: false } },
  pkce: { required: () => false },
  rotateRefreshToken: true,
  issueRefreshToken: async () => true,
  findAccount: async (/** @type {unknown} */ _, /** @type {string} */ id) => ({
    accountId: id,
    claims: async () => ({ sub: id }),
  }),
  ttl: {
    AccessToken: 7_200,
    AuthorizationCode: SEED_LIFE_SECONDS,
    Grant: 90 * 86_400,
    RefreshToken: 90 * 86_400,
  },
});

/** @param {'AuthorizationCode' | 'RefreshToken' | 'AccessToken'} kind */
async function seed(kind) {
  const client = await provider.Client.find(CLIENT.client_id);
  if (!client) throw new Error('the peer does not know its client');
  const grant = new provider.Grant({ accountId: 'bench', clientId: CLIENT.client_id });
  grant.addOIDCScope(SCOPE);
  const token = new provider[kind]({
    accountId: 'bench',
    client,
    grantId: await grant.save(),
    gty: 'authorization_code',
    redirectUri: REDIRECT_URI,
    scope: SCOPE,
    expiresWithSession: false,
  });
  return token.save();
}

const handle = provider.callback();
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://peer');
  if (pathname !== '/seed') {
    handle(request, response);
    return;
  }
  const kind = /** @type {'AccessToken'} */ (searchParams.get('kind'));
  const count = Number(searchParams.get('count'));
  Promise.all(Array.from({ length: count }, () => seed(kind))).then(
    (values) => response.end(JSON.stringify(values)),
    (error) => {
      response.statusCode = 500;
      response.end(String(error));
    },
  );
}).listen(Number(process.env['PORT']), '127.0.0.1');
