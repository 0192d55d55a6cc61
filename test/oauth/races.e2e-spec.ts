import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request, { type Response, type Test } from 'supertest';
import { Test as Testing } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { createLog } from '../../src/core/logger.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { createHttpApp } from '../support/http-app.js';
import {
  clientFields,
  makeApplication,
  makeGrant,
  makeOAuthTokens,
  postRefresh,
  type MadeApplication,
  type TokenBody,
} from '../support/oauth-factories.js';

const PARALLEL = 64;

let app: OwnTestApp;
let second: NestExpressApplication;
let urls: string[];
let user: MadeUser;
let client: MadeApplication;
beforeAll(async () => {
  app = await startTestApp();
  second = await startSecondProcess();
  urls = [app.url, await second.getUrl()];
  user = await makeUser(app);
  client = await makeApplication(app);
});
afterAll(async () => {
  await second.close();
  await app.close();
});

/** Another web process on the same database. */
async function startSecondProcess(): Promise<NestExpressApplication> {
  const modules = Testing.createTestingModule({ imports: [AppModule.forRoot(app.config)] });
  const made = createHttpApp(await modules.compile(), app.config, createLog('silent'));
  await made.listen(0, '127.0.0.1');
  return made;
}

/** Sends the same from many places at once, to both processes in turn. */
function race(send: (url: string) => Test): Promise<Response[]> {
  const tries = Array.from({ length: PARALLEL }, (_, index) => send(urls[index % 2] ?? app.url));
  return Promise.all(tries.map(async (one) => await one));
}

const statuses = (answers: readonly Response[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const livingTokens = (userId: number) =>
  app.dataSource.query<{ id: number }[]>(
    'SELECT id FROM access_tokens WHERE user_id = $1 AND revoked_at IS NULL',
    [userId],
  );

const me = (url: string, { access_token: token }: TokenBody): Test =>
  request(url).get('/api/v4/user').auth(token, { type: 'bearer' });

const revoke = (token: string): Test =>
  request(app.url)
    .post('/oauth/revoke')
    .type('form')
    .send({ token, ...clientFields(client) });

describe('64 uses of one code at once', () => {
  it('bring tokens once, and none that live on, because the code is known to others', async () => {
    const other = await makeUser(app);
    const code = await makeGrant(app, { application: client, user: other });
    const answers = await race((url) =>
      request(url)
        .post('/oauth/token')
        .type('form')
        .send({
          grant_type: 'authorization_code',
          code,
          redirect_uri: client.redirectUri,
          ...clientFields(client),
        }),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 400: PARALLEL - 1 });
    expect(await livingTokens(other.id)).toEqual([]);
  });
});

describe('64 uses of one refresh token at once', () => {
  it('bring one new pair, which lives on', async () => {
    const other = await makeUser(app);
    const old = await makeOAuthTokens(app, { application: client, user: other });
    const answers = await race((url) => postRefresh({ url }, client, old.refresh_token));
    expect(statuses(answers)).toEqual({ 200: 1, 400: PARALLEL - 1 });
    expect(await livingTokens(other.id)).toHaveLength(1);
    const winner = answers.find(({ status }) => status === 200);
    await me(app.url, winner?.body as TokenBody).expect(200);
  });

  it('of many users are all served', async () => {
    const olds = await Promise.all(
      Array.from({ length: PARALLEL }, () => makeOAuthTokens(app, { application: client, user })),
    );
    const answers = await Promise.all(
      olds.map(async (old) => await postRefresh(app, client, old.refresh_token)),
    );
    expect(statuses(answers)).toEqual({ 200: PARALLEL });
    const owners = answers.map(({ body }) => (body as TokenBody).access_token);
    expect(new Set(owners).size).toBe(PARALLEL);
  });
});

describe('ending what is being refreshed', () => {
  it.each([
    ['revoking the refresh token', (old: TokenBody) => revoke(old.refresh_token)],
    ['revoking the access token', (old: TokenBody) => revoke(old.access_token)],
  ])('%s wins, whichever comes first', async (_, end) => {
    for (let round = 0; round < 20; round++) {
      const other = await makeUser(app);
      const old = await makeOAuthTokens(app, { application: client, user: other });
      await Promise.all([end(old), postRefresh(app, client, old.refresh_token)]);
      expect(await livingTokens(other.id)).toEqual([]);
    }
  });

  it.each([
    ['changing the password', `UPDATE users SET password_digest = random()::text WHERE id = $1`],
  ])('%s wins, whichever comes first', async (_, sql) => {
    for (let round = 0; round < 20; round++) {
      const other = await makeUser(app);
      const old = await makeOAuthTokens(app, { application: client, user: other });
      await Promise.all([
        app.dataSource.query(sql, [other.id]),
        postRefresh(app, client, old.refresh_token),
      ]);
      expect(await livingTokens(other.id)).toEqual([]);
    }
  });
});

describe('deleting the application of many refreshes', () => {
  it('revokes them all without a server error', async () => {
    for (let round = 0; round < 5; round++) {
      const application = await makeApplication(app);
      const olds = await Promise.all(
        Array.from({ length: 16 }, async () => {
          const other = await makeUser(app);
          return makeOAuthTokens(app, { application, user: other });
        }),
      );
      const deleted = app.dataSource.query('DELETE FROM oauth_applications WHERE id = $1', [
        application.id,
      ]);
      const answers = await Promise.all(
        olds.map(async (old) => await postRefresh(app, application, old.refresh_token)),
      );
      await deleted;
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    }
  });
});

describe('a token that has ended', () => {
  it('is known to have ended by every process, by the one that ended it at once', async () => {
    const old = await makeOAuthTokens(app, { application: client, user });
    for (const url of urls) await me(url, old).expect(200);
    await revoke(old.refresh_token).expect(200);
    await me(app.url, old).expect(401);
    await eventually(() => me(urls[1] ?? '', old).expect(401));
  });

  it('ends with a refresh in the other process, too', async () => {
    const old = await makeOAuthTokens(app, { application: client, user });
    for (const url of urls) await me(url, old).expect(200);
    await postRefresh(app, client, old.refresh_token).expect(200);
    await me(app.url, old).expect(401);
    await eventually(() => me(urls[1] ?? '', old).expect(401));
  });

  it('is refused elsewhere long before what is remembered there would be read anew', async () => {
    for (let round = 0; round < 20; round++) {
      const tokens = await makeOAuthTokens(app, { application: client, user });
      await me(urls[1] ?? '', tokens).expect(200);
      await revoke(tokens.access_token).expect(200);
      await eventually(() => me(urls[1] ?? '', tokens).expect(401), { seconds: 2, everyMs: 2 });
    }
  });
});
