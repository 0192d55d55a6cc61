import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { approve, authorizePath, PKCE, VERIFIER } from '../support/authorization.js';
import { runCommand } from '../support/command.js';
import { makeAdmin, makeUser } from '../support/factories.js';
import { signedIn } from '../support/page-client.js';
import { makeGroup, makeMember } from '../support/project-factories.js';
import { Document, follows } from './document.js';

follows('docs/tutorials/sign-in-grafana.md', 'sh', 'grafana.ini');
follows('docs/tutorials/sign-in-nextcloud.md', 'sh', 'occ');
follows('docs/tutorials/sign-in-oauth2-proxy.md', 'sh', 'oauth2-proxy.cfg', 'start');

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Registered {
  application_id: string;
  secret: string;
  callback_url: string;
  scopes: string[];
}

/** Registers the program of a tutorial as its commands do. */
async function follow(page: string) {
  const { token } = await makeAdmin(app);
  const tutorial = new Document(`docs/tutorials/${page}.md`, [
    ['svcpat-…', token],
    ['https://code.example.com', app.url],
  ]);
  return { tutorial, registered: JSON.parse(await tutorial.run()) as Registered };
}

/** What programs find by discovery, or are told by their configuration. */
interface Endpoints {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
}

async function discover(issuer: string): Promise<Endpoints> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  return (await response.json()) as Endpoints;
}

/** Signs a member of a group in; returns the claims of ID token and userinfo. */
async function signIn(registered: Registered, endpoints: Endpoints) {
  const user = await makeUser(app);
  const group = await makeGroup(app);
  await makeMember(app, { group, user, role: 'developer' });
  const { application_id: uid, secret, callback_url: redirectUri } = registered;
  const scope = 'openid profile email';
  const path = authorizePath({ id: 0, uid, secret, redirectUri }, { scope, ...PKCE });
  expect(`${app.url}${path}`).toContain(endpoints.authorization_endpoint);
  const code = (await approve(await signedIn(app, user), path)).get('code') ?? '';
  const tokens = await fetch(endpoints.token_endpoint, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${uid}:${secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: VERIFIER,
    }),
  });
  const { access_token, id_token } = (await tokens.json()) as Record<string, string>;
  const headers = { Authorization: `Bearer ${access_token}` };
  const userinfo = await fetch(endpoints.userinfo_endpoint, { headers });
  const claims = (await userinfo.json()) as Record<string, unknown>;
  expect(claims).toMatchObject({
    preferred_username: user.username,
    name: user.name,
    email: user.email,
    email_verified: true,
    groups: [group.fullPath],
  });
  return { idToken: decodeJwt(id_token ?? ''), claims };
}

/** The value of a setting in a configuration file. */
function setting(file: string, name: string): string {
  const [, value = ''] = new RegExp(`^${name} = "?([^"\n]*)"?$`, 'm').exec(file) ?? [];
  return value;
}

describe('the tutorial sign-in-grafana', () => {
  it('names endpoints and claims that a sign-in finds', async () => {
    const { tutorial, registered } = await follow('sign-in-grafana');
    const file = tutorial.named('grafana.ini');
    expect(registered.callback_url).toBe(`${setting(file, 'root_url')}/login/generic_oauth`);
    expect(registered.scopes).toEqual(setting(file, 'scopes').split(' '));
    const { claims } = await signIn(registered, {
      issuer: app.url,
      authorization_endpoint: setting(file, 'auth_url'),
      token_endpoint: setting(file, 'token_url'),
      userinfo_endpoint: setting(file, 'api_url'),
    });
    // Members of a group are members of its subgroups.
    const allowed = setting(file, 'allowed_groups').split(' ');
    const [, admins = ''] = /contains\(groups\[\*\], '(.+)'\) && 'Admin'/.exec(file) ?? [];
    expect(allowed).toContain(admins);
    expect(allowed.filter((group) => admins.startsWith(`${group}/`))).toEqual([]);
    for (const kind of ['login', 'name', 'email', 'groups']) {
      expect(claims).toHaveProperty(setting(file, `${kind}_attribute_path`));
    }
  });
});

describe('the tutorial sign-in-nextcloud', () => {
  it('maps claims that a sign-in finds', async () => {
    const { tutorial, registered } = await follow('sign-in-nextcloud');
    const command = tutorial.named('occ');
    const [, issuer = ''] = /--discoveryuri=(\S+)\/\.well-known/.exec(command) ?? [];
    const { claims, idToken } = await signIn(registered, await discover(issuer));
    const mapped = [...command.matchAll(/--mapping-[a-z-]+=(\w+)/g)].map(([, claim = '']) => claim);
    expect(mapped).toEqual(['preferred_username', 'name', 'email', 'groups']);
    expect(Object.keys(claims)).toEqual(expect.arrayContaining(mapped));
    // The reason for enrich_login_id_token_with_userinfo.
    expect(idToken).not.toHaveProperty('preferred_username');
  });
});

describe('the tutorial sign-in-oauth2-proxy', () => {
  it('names an issuer and a groups claim that a sign-in finds', async () => {
    const { tutorial, registered } = await follow('sign-in-oauth2-proxy');
    const file = tutorial.named('oauth2-proxy.cfg');
    const endpoints = await discover(setting(file, 'oidc_issuer_url'));
    expect(endpoints.issuer).toBe(setting(file, 'oidc_issuer_url'));
    expect(registered.callback_url).toBe(setting(file, 'redirect_url'));
    const { claims, idToken } = await signIn(registered, endpoints);
    expect(idToken).toMatchObject({ iss: endpoints.issuer, email_verified: true });
    expect(claims).toHaveProperty(setting(file, 'oidc_groups_claim'));
  });

  it('makes a cookie secret of the right length, and starts with the configuration', async () => {
    const [secret = '', start] = new Document('docs/tutorials/sign-in-oauth2-proxy.md')
      .named('start')
      .trim()
      .split('\n');
    const { stdout } = await runCommand('sh', ['-ec', secret]);
    expect(Buffer.from(stdout, 'base64url')).toHaveLength(32);
    // The program itself is in no package that can be installed here.
    expect(start).toBe('oauth2-proxy --config oauth2-proxy.cfg');
  });
});
