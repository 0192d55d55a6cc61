import { beforeAll, describe, expect, it } from '@jest/globals';
import { challengeOf } from '../../../src/oauth/grants/grant.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import {
  approve,
  authorizePath,
  CHALLENGE,
  paramsOf,
  VERIFIER,
} from '../../support/authorization.js';
import { makeUser, type MadeUser } from '../../support/factories.js';
import {
  makeApplication,
  makeGrant,
  postRefresh,
  type MadeApplication,
  type TokenBody,
} from '../../support/oauth-factories.js';
import { makeVisitor, type PageClient } from '../../support/page-client.js';
import { exchange, getAs } from './attacker.js';

const REFUSED = { error: 'invalid_grant' };
const PKCE = { codeChallenge: CHALLENGE };

let app: TestApp;
let user: MadeUser;
let pages: PageClient;
let client: MadeApplication;
let native: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  ({ user, pages } = await makeVisitor(app));
  client = await makeApplication(app);
  native = await makeApplication(app, { confidential: false });
});

describe('a stolen code', () => {
  it('is worth nothing to another application, even one that says it is the right one', async () => {
    const code = await makeGrant(app, { application: client, user });
    const thief = await makeApplication(app);
    const own = await exchange(app, thief, { code }).expect(400);
    expect(own.body).toMatchObject(REFUSED);
    await exchange(app, thief, { code, client_id: client.uid }).expect(401);
    await exchange(app, client, { code, client_secret: null }).expect(401);
    await exchange(app, native, { code, client_secret: null }).expect(400);
    await exchange(app, client, { code }).expect(200);
  });

  it('cannot be put into the answer to a request of the thief', async () => {
    const code = await makeGrant(app, { application: client, user, ...PKCE });
    const injected = await exchange(app, client, { code, code_verifier: 't'.repeat(43) });
    expect(injected.status).toBe(400);
    expect(injected.body).toMatchObject(REFUSED);
    await exchange(app, client, { code, code_verifier: VERIFIER }).expect(400);
  });

  it('brings nothing once it was used, and ends what it has brought', async () => {
    const code = await makeGrant(app, { application: client, user });
    const first = await exchange(app, client, { code }).expect(200);
    const { access_token: token, refresh_token: refresh } = first.body as TokenBody;
    await getAs(app, token).expect(200);
    const second = await exchange(app, client, { code }).expect(400);
    expect(second.body).toMatchObject(REFUSED);
    await getAs(app, token).expect(401);
    await postRefresh(app, client, refresh).expect(400);
  });

  it('ends what was refreshed since, too', async () => {
    const code = await makeGrant(app, { application: client, user });
    const first = await exchange(app, client, { code }).expect(200);
    const old = first.body as TokenBody;
    const { body } = await postRefresh(app, client, old.refresh_token).expect(200);
    await exchange(app, client, { code }).expect(400);
    await getAs(app, (body as TokenBody).access_token).expect(401);
  });

  it('brings tokens once of 64 uses at the same time, and leaves none of them alive', async () => {
    const victim = await makeUser(app);
    const code = await makeGrant(app, { application: client, user: victim });
    const uses = Array.from({ length: 64 }, async () => await exchange(app, client, { code }));
    const answers = await Promise.all(uses);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(63);
    const { access_token: token, refresh_token: refresh } = won[0]?.body as TokenBody;
    await getAs(app, token).expect(401);
    await postRefresh(app, client, refresh).expect(400);
  });

  it('is dead after ten minutes', async () => {
    const code = await makeGrant(app, { application: client, user, expiresAt: new Date() });
    const { body } = await exchange(app, client, { code }).expect(400);
    expect(body).toMatchObject(REFUSED);
  });

  it.each([
    ['a longer one', 'https://client.example/callback/'],
    ['one in another case', 'https://client.example/Callback'],
    ['one of the thief', 'https://evil.example/'],
  ])('needs the redirect_uri that it was sent to, not %s', async (_, uri) => {
    const code = await makeGrant(app, { application: client, user });
    const { body } = await exchange(app, client, { code, redirect_uri: uri }).expect(400);
    expect(body).toMatchObject(REFUSED);
  });

  it('needs a redirect_uri at all, and not only one that is registered, too', async () => {
    const redirectUris = ['https://client.example/callback', 'https://client.example/other'];
    const application = await makeApplication(app, { redirectUris });
    const code = await makeGrant(app, { application, user });
    await exchange(app, application, { code, redirect_uri: null }).expect(400);
    await exchange(app, application, { code, redirect_uri: redirectUris[1] ?? '' }).expect(400);
  });
});

describe('a proof of the code that is left out', () => {
  it('is asked for when there was a challenge', async () => {
    for (const application of [client, native]) {
      const code = await makeGrant(app, { application, user, ...PKCE });
      const { body } = await exchange(app, application, { code }).expect(400);
      expect(body).toMatchObject({ error: 'invalid_request' });
      await exchange(app, application, { code, code_verifier: '' }).expect(400);
    }
  });

  it('is noticed when the challenge was taken out of the request', async () => {
    const params = await approve(pages, authorizePath(client));
    const code = params.get('code') ?? '';
    const { body } = await exchange(app, client, { code, code_verifier: VERIFIER }).expect(400);
    expect(body).toMatchObject(REFUSED);
    await exchange(app, client, { code }).expect(400);
  });

  it.each([
    ['plain', { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge: VERIFIER }],
    ['a method in another case', { code_challenge: CHALLENGE, code_challenge_method: 's256' }],
    ['a method without challenge', { code_challenge_method: 'S256' }],
  ])('is not taken by a challenge with %s', async (_, challenge) => {
    const answer = await pages.get(authorizePath(client, challenge)).expect(302);
    const params = paramsOf(answer.headers['location']);
    expect(params.get('error')).toMatch(/^invalid_/);
    expect(params.has('code')).toBe(false);
  });

  it('is not the challenge itself, which was seen in the address', async () => {
    const code = await makeGrant(app, { application: native, user, ...PKCE });
    await exchange(app, native, { code, code_verifier: CHALLENGE }).expect(400);
  });

  it.each([
    ['short', 'v'.repeat(42)],
    ['long', 'v'.repeat(129)],
    ['of other letters', `${'v'.repeat(43)}é`],
    ['with a line break', `${'v'.repeat(43)}\n`],
  ])('is not a verifier that is %s, although it fits', async (_, verifier) => {
    const codeChallenge = challengeOf(verifier);
    const code = await makeGrant(app, { application: native, user, codeChallenge });
    const { body } = await exchange(app, native, { code, code_verifier: verifier }).expect(400);
    expect(body).toMatchObject({ error: 'invalid_request' });
  });

  it('keeps applications without secret from everything', async () => {
    const answer = await pages.get(authorizePath(native)).expect(302);
    expect(paramsOf(answer.headers['location']).get('error')).toBe('invalid_request');
    const code = await makeGrant(app, { application: native, user });
    for (const verifier of [null, VERIFIER]) {
      const fields = { code, client_secret: null, code_verifier: verifier };
      await exchange(app, native, fields).expect(400);
    }
  });
});

describe('a guessed code', () => {
  it('is random with 256 bits of entropy', async () => {
    const trusted = await makeApplication(app, { trusted: true });
    const codes: string[] = [];
    for (let count = 0; count < 20; count++) {
      const answer = await pages.get(authorizePath(trusted)).expect(302);
      codes.push(paramsOf(answer.headers['location']).get('code') ?? '');
    }
    expect(codes.every((code) => /^[0-9a-f]{64}$/.test(code))).toBe(true);
    const places = Array.from({ length: 64 }, (_, at) => new Set(codes.map((code) => code[at])));
    // 20 random digits of 16 show at most 3 different ones less often than once in 10^10.
    expect(places.filter(({ size }) => size <= 3)).toEqual([]);
  });
});
