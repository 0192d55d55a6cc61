import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as openid from 'openid-client';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { CALLBACK, makeApplication, type MadeApplication } from '../support/oauth-factories.js';
import { signedIn, type PageClient } from '../support/page-client.js';
import { makeGroup, makeMember } from '../support/project-factories.js';
import { approve } from './consent.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** An application that uses the library as strictly as it can be used. */
interface Relying {
  application: MadeApplication;
  configuration: openid.Configuration;
}

interface Person {
  user: MadeUser;
  pages: PageClient;
}

type Kind = 'secret in the header' | 'secret in the form' | 'public';

const KINDS: Kind[] = ['secret in the header', 'secret in the form', 'public'];

async function makeRelying(kind: Kind): Promise<Relying> {
  const scopes = ['openid', 'email', 'profile', 'read_user'];
  const application = await makeApplication(app, { scopes, confidential: kind !== 'public' });
  const { uid, secret } = application;
  const ways = {
    'secret in the header': openid.ClientSecretBasic(secret),
    'secret in the form': openid.ClientSecretPost(secret),
    public: openid.None(),
  };
  const configuration = await openid.discovery(new URL(app.url), uid, {}, ways[kind], {
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
  });
  return { application, configuration };
}

async function makePerson(): Promise<Person> {
  const user = await makeUser(app);
  return { user, pages: await signedIn(app, user) };
}

async function signIn({ configuration }: Relying, { pages }: Person, more = {}) {
  const codeVerifier = openid.randomPKCECodeVerifier();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: CALLBACK,
    scope: 'openid email profile read_user',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const { callback, wasAsked } = await approve(pages, url);
  const tokens = await openid.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  return { tokens, callback, wasAsked, checks: { state, nonce, codeVerifier } };
}

function currentUser(token: string): Promise<Response> {
  return fetch(`${app.url}/api/v4/user`, { headers: { Authorization: `Bearer ${token}` } });
}

/** The library takes the challenge of a refusal before its body, which says the same. */
function challenge(status: number, error: string) {
  const cause = [{ scheme: 'bearer', parameters: expect.objectContaining({ error }) }];
  return { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status, cause };
}

describe.each(KINDS)('openid-client with %s', (kind) => {
  let relying: Relying;
  let person: Person;
  beforeAll(async () => {
    relying = await makeRelying(kind);
    person = await makePerson();
  });

  it('signs a person in: code, PKCE, nonce, issuer, signature', async () => {
    const { tokens, callback } = await signIn(relying, person);
    expect(callback.searchParams.get('iss')).toBe(app.url);
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 7200,
      scope: 'openid email profile read_user',
    });
    expect(tokens.claims()).toMatchObject({
      iss: app.url,
      sub: String(person.user.id),
      aud: relying.application.uid,
      email: person.user.email,
      email_verified: true,
    });
    expect((await currentUser(tokens.access_token)).status).toBe(200);
  });

  it('reads who signed in', async () => {
    const group = await makeGroup(app);
    await makeMember(app, { group, user: person.user, role: 'maintainer' });
    const { tokens } = await signIn(relying, person);
    const sub = tokens.claims()?.sub ?? '';
    const info = await openid.fetchUserInfo(relying.configuration, tokens.access_token, sub);
    expect(info).toMatchObject({
      sub: String(person.user.id),
      preferred_username: person.user.username,
      groups: [group.fullPath],
      [`${app.url}/claims/groups/maintainer`]: [group.fullPath],
    });
  });

  it('refreshes: the old access token ends, the new id_token is about the same person', async () => {
    const { tokens } = await signIn(relying, person);
    const next = await openid.refreshTokenGrant(
      relying.configuration,
      tokens.refresh_token ?? 'none',
    );
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(next.claims()?.sub).toBe(String(person.user.id));
    expect(next.claims()?.nonce).toBeUndefined();
    expect(next.claims()?.auth_time).toBe(tokens.claims()?.auth_time);
    expect((await currentUser(tokens.access_token)).status).toBe(401);
    expect((await currentUser(next.access_token)).status).toBe(200);
  });

  it('revokes: neither token works afterwards', async () => {
    const { tokens } = await signIn(relying, person);
    const { configuration } = relying;
    await openid.tokenRevocation(configuration, tokens.access_token);
    expect((await currentUser(tokens.access_token)).status).toBe(401);
    await expect(
      openid.refreshTokenGrant(configuration, tokens.refresh_token ?? 'none'),
    ).rejects.toMatchObject(challenge(400, 'invalid_grant'));
    await expect(
      openid.fetchUserInfo(configuration, tokens.access_token, String(person.user.id)),
    ).rejects.toMatchObject(challenge(401, 'invalid_token'));
  });

  it('gets nothing for a code that comes a second time', async () => {
    const { callback, checks, tokens } = await signIn(relying, person);
    const again = openid.authorizationCodeGrant(relying.configuration, callback, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
    });
    await expect(again).rejects.toMatchObject(challenge(400, 'invalid_grant'));
    expect((await currentUser(tokens.access_token)).status).toBe(401);
  });

  it('does not take the answer of another issuer for ours', async () => {
    const { callback, checks } = await signIn(relying, person);
    callback.searchParams.set('iss', 'https://other.example');
    const mixedUp = openid.authorizationCodeGrant(relying.configuration, callback, {
      expectedState: checks.state,
      pkceCodeVerifier: checks.codeVerifier,
    });
    await expect(mixedUp).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
  });

  it('recognizes a denial', async () => {
    const stranger = await makePerson();
    const url = openid.buildAuthorizationUrl(relying.configuration, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      state: 'denied',
      prompt: 'none',
      code_challenge: await openid.calculatePKCECodeChallenge(openid.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    });
    const { callback } = await approve(stranger.pages, url);
    const checks = { expectedState: 'denied' };
    await expect(
      openid.authorizationCodeGrant(relying.configuration, callback, checks),
    ).rejects.toMatchObject({ error: 'consent_required' });
  });
});

describe('openid-client as a confidential application', () => {
  it('asks about tokens, and learns nothing about those of others', async () => {
    const [own, other] = [await makeRelying(KINDS[0] as Kind), await makeRelying('public')];
    const person = await makePerson();
    const { tokens } = await signIn(own, person);
    const told = await openid.tokenIntrospection(own.configuration, tokens.access_token);
    expect(told).toMatchObject({ active: true, client_id: own.application.uid });
    const foreign = await signIn(other, person);
    const refused = await openid.tokenIntrospection(own.configuration, foreign.tokens.access_token);
    expect(refused).toEqual({ active: false });
  });

  it('gets a token of its own, which the API rejects', async () => {
    const application = await makeApplication(app, { scopes: ['api'] });
    const { uid, secret } = application;
    const configuration = await openid.discovery(new URL(app.url), uid, secret, undefined, {
      execute: [openid.allowInsecureRequests],
    });
    const tokens = await openid.clientCredentialsGrant(configuration, { scope: 'api' });
    expect(tokens.refresh_token).toBeUndefined();
    expect((await currentUser(tokens.access_token)).status).toBe(401);
  });

  it('is asked for once as long as it wants no more; a public one is asked for each time', async () => {
    const person = await makePerson();
    const [confidential, open] = [await makeRelying(KINDS[0] as Kind), await makeRelying('public')];
    const asked: boolean[] = [];
    for (const relying of [confidential, confidential, open, open]) {
      asked.push((await signIn(relying, person)).wasAsked);
    }
    expect(asked).toEqual([true, false, true, true]);
  });
});
