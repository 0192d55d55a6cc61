import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { authorizePath, paramsOf } from '../../support/authorization.js';
import {
  clientFields,
  makeApplication,
  postToken,
  type MadeApplication,
} from '../../support/oauth-factories.js';
import { pageClient, type PageClient } from '../../support/page-client.js';
import { makePerson, PASSWORD, sessionValue, signIn } from '../../support/sign-in.js';
import { exchange } from './attacker.js';

let app: TestApp;
let trusted: MadeApplication;
let pages: PageClient;
beforeAll(async () => {
  app = await sharedTestApp();
  trusted = await makeApplication(app, { trusted: true });
  const { username } = await makePerson(app);
  pages = pageClient(app, sessionValue(await signIn(app, username)));
});

describe('who has read the database', () => {
  it('finds no value there that opens anything', async () => {
    const granted = await pages.get(authorizePath(trusted, { scope: 'openid api' })).expect(302);
    const code = paramsOf(granted.headers['location']).get('code') ?? '';
    const { body } = await exchange(app, trusted, { code }).expect(200);
    const unused = await pages.get(authorizePath(trusted)).expect(302);
    const raw = {
      session: pages.cookie,
      code: paramsOf(unused.headers['location']).get('code') ?? '',
      access: body.access_token as string,
      refresh: body.refresh_token as string,
      secret: trusted.secret,
      password: PASSWORD,
      idToken: body.id_token as string,
      key: app.config.secretKey,
    };
    const stolen = await wholeDatabase();
    for (const value of Object.values(raw)) expect(stolen).not.toContain(value);
    expect(stolen).not.toMatch(/PRIVATE KEY|"d":\s*"[\w-]{40}/);
  });

  it('cannot use what is stored in place of what was given out', async () => {
    const granted = await pages.get(authorizePath(trusted)).expect(302);
    const code = paramsOf(granted.headers['location']).get('code') ?? '';
    await exchange(app, trusted, { code }).expect(200);
    await pages.get(authorizePath(trusted)).expect(302);
    const { uid } = trusted;
    const [application] = await app.dataSource.query<{ id: string; secret: string }[]>(
      `SELECT id, encode(secret_digest, 'hex') AS secret FROM oauth_applications WHERE uid = $1`,
      [uid],
    );
    const digests = await app.dataSource.query<{ hex: string }[]>(
      `SELECT encode(digest, 'hex') AS hex FROM access_tokens WHERE application_id = $1
       UNION ALL SELECT encode(refresh_digest, 'hex') FROM access_tokens WHERE application_id = $1
       UNION ALL SELECT encode(code_digest, 'hex') FROM oauth_access_grants WHERE application_id = $1`,
      [application?.id],
    );
    expect(digests.length).toBeGreaterThanOrEqual(3);
    const stolen = { uid, secret: application?.secret ?? '' };
    const fields = { grant_type: 'client_credentials', ...clientFields(stolen) };
    await postToken(app, fields).expect(401);
    for (const { hex } of digests.filter((row) => row.hex !== null)) {
      await request(app.url).get('/api/v4/user').auth(hex, { type: 'bearer' }).expect(401);
      await exchange(app, trusted, { code: hex }).expect(400);
      const refresh = { grant_type: 'refresh_token', refresh_token: hex };
      await postToken(app, { ...refresh, ...clientFields(trusted) }).expect(400);
    }
  });
});

/** Every row of every table as text, binary columns in hexadecimal digits and as they are. */
async function wholeDatabase(): Promise<string> {
  const tables = await app.dataSource.query<{ name: string }[]>(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    const rows = await app.dataSource.query<object[]>(`SELECT t::text AS row FROM ${name} t`);
    dumps.push(JSON.stringify(rows));
  }
  return dumps.join('\n');
}
