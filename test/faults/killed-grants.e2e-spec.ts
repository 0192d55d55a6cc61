import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { makeUser, tokenRow } from '../support/factories.js';
import {
  clientFields,
  makeApplication,
  postRefresh,
  postToken,
  type MadeApplication,
  type TokenBody,
} from '../support/oauth-factories.js';
import { FaultStack } from './support/stack.js';
import { killInTheMiddle } from './support/storm.js';
import { type Chain, TokenClient } from './support/token-client.js';

const CLIENTS = 12;
const KILLS = 4;
/** Pairs that are issued before the next kill. */
const BETWEEN = 25;

let stack: FaultStack;
let application: MadeApplication;
beforeAll(async () => {
  stack = await FaultStack.start();
  application = await makeApplication(stack);
}, 240_000);
afterAll(() => stack.stop());

async function killWeb(): Promise<void> {
  await stack.killWeb();
  await stack.restartWeb();
}

async function killDatabase(): Promise<void> {
  await stack.servers.kill('database');
  await stack.servers.restart('database');
}

/** The pair that its client goes on with, where it got it. */
function lastPair({ pairs, isStranded }: Chain): TokenBody[] {
  return isStranded ? [] : pairs.slice(-1);
}

function me({ access_token: token }: TokenBody) {
  return request(stack.url).get('/api/v4/user').auth(token, { type: 'bearer' });
}

describe.each([
  ['a web process', killWeb],
  ['a database', killDatabase],
])(`%s killed ${KILLS} times while clients exchange and refresh`, (name, kill) => {
  let clients: TokenClient[];
  let chains: Chain[];
  beforeAll(async () => {
    clients = [];
    for (let count = 0; count < CLIENTS; count += 1) {
      clients.push(new TokenClient(stack, application, await makeUser(stack)));
    }
    await killInTheMiddle(clients, { kill, kills: KILLS, between: BETWEEN });
    chains = clients.flatMap((client) => client.chains);
  }, 240_000);

  /** The chains whose requests were cut off, and as many of the others. */
  const sample = (): Chain[] => {
    const cut = chains.filter(({ cuts }) => cuts > 0);
    const others = chains.filter(({ cuts }) => cuts === 0);
    return [...cut, ...others.slice(0, cut.length)];
  };

  it('was killed during grants, and answered each as it should', () => {
    const cuts = chains.reduce((sum, chain) => sum + chain.cuts, 0);
    const issued = clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    const stranded = chains.filter(({ isStranded }) => isStranded).length;
    console.log(`${name}, ${KILLS} kills: ${issued} pairs of ${chains.length} codes got through;`);
    console.log(
      `${cuts} requests cut off or 503, after which ${stranded} clients had to begin anew`,
    );
    expect(clients.flatMap(({ oddities }) => oddities)).toEqual([]);
    expect(cuts).toBeGreaterThan(0);
    expect(stranded).toBeLessThanOrEqual(cuts);
  });

  it('has lost no pair that a client got', async () => {
    for (const { pairs } of chains) {
      for (const pair of pairs) await tokenRow(stack, pair.access_token);
    }
    for (const pair of chains.flatMap(lastPair)) {
      expect((await tokenRow(stack, pair.access_token)).revokedAt).toBeNull();
    }
    for (const pair of sample().flatMap(lastPair)) await me(pair).expect(200);
  });

  it('has ended every pair that was replaced', async () => {
    for (const { pairs } of sample()) {
      for (const pair of pairs.slice(0, -1)) await me(pair).expect(401);
    }
  });

  it('has no two living pairs of one family, and no pair that was replaced twice', async () => {
    const twice = await stack.rows(
      `SELECT coalesce(family_id, id) AS family FROM access_tokens
       WHERE kind = 'oauth' AND revoked_at IS NULL GROUP BY 1 HAVING count(*) > 1`,
    );
    expect(twice).toEqual([]);
    const replacements = await stack.rows(
      `SELECT previous_id FROM access_tokens WHERE previous_id IS NOT NULL
       GROUP BY 1 HAVING count(*) > 1`,
    );
    expect(replacements).toEqual([]);
  });

  it('has exchanged no code twice, nor marked one as used for nothing', async () => {
    const [odd] = await stack.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM (
         SELECT g.id FROM oauth_access_grants g
         LEFT JOIN access_tokens t ON t.grant_id = g.id AND t.previous_id IS NULL
         GROUP BY g.id HAVING count(t.id) <> (g.used_at IS NOT NULL)::int) odd`,
    );
    expect(odd).toEqual({ n: 0 });
  });

  it('goes on with every client that got its pair', async () => {
    for (const pair of sample().flatMap(lastPair)) {
      const { body } = await postRefresh(stack, application, pair.refresh_token).expect(200);
      await me(body as TokenBody).expect(200);
    }
  });

  it('takes no code again', async () => {
    for (const { code, pairs } of sample()) {
      const again = postToken(stack, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: application.redirectUri,
        ...clientFields(application),
      });
      const { body } = await again.expect(400);
      expect(body).toMatchObject({ error: 'invalid_grant' });
      for (const pair of pairs) await me(pair).expect(401);
    }
  });
});
