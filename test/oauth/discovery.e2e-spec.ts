import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type OwnTestApp } from '../support/app.js';

const BASE_URL = 'https://guild.example.com/team';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { BASE_URL } });
});
afterAll(() => app.close());

describe('the description of the provider', () => {
  it('is complete, and names the configured address whatever Host says', async () => {
    const { body, headers } = await request(app.url)
      .get('/.well-known/openid-configuration')
      .set('Host', 'evil.example')
      .expect(200);
    expect(body).toEqual({
      issuer: BASE_URL,
      authorization_endpoint: `${BASE_URL}/oauth/authorize`,
      token_endpoint: `${BASE_URL}/oauth/token`,
      revocation_endpoint: `${BASE_URL}/oauth/revoke`,
      introspection_endpoint: `${BASE_URL}/oauth/introspect`,
      userinfo_endpoint: `${BASE_URL}/oauth/userinfo`,
      jwks_uri: `${BASE_URL}/oauth/discovery/keys`,
      scopes_supported: [
        'api',
        'read_api',
        'read_user',
        'read_repository',
        'write_repository',
        'sudo',
        'admin_mode',
        'openid',
        'profile',
        'email',
      ],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: [
        'authorization_code',
        'password',
        'client_credentials',
        'refresh_token',
      ],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'none',
      ],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claim_types_supported: ['normal'],
      claims_supported: [
        ...['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'auth_time', 'sub_legacy', 'name'],
        ...['nickname', 'preferred_username', 'email', 'email_verified', 'website', 'profile'],
        ...['picture', 'groups', 'groups_direct'],
        `${BASE_URL}/claims/groups/owner`,
        `${BASE_URL}/claims/groups/maintainer`,
        `${BASE_URL}/claims/groups/developer`,
      ],
      code_challenge_methods_supported: ['S256'],
      prompt_values_supported: ['none', 'login', 'consent'],
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
    });
    expect(headers['content-type']).toBe('application/json');
    expect(headers['cache-control']).toBe('public, max-age=3600');
  });

  it('is the same for clients of OAuth alone', async () => {
    const [openId, oauth] = await Promise.all([
      request(app.url).get('/.well-known/openid-configuration').expect(200),
      request(app.url).get('/.well-known/oauth-authorization-server').expect(200),
    ]);
    expect(oauth.body).toEqual(openId.body);
  });
});

describe('GET /.well-known/webfinger', () => {
  it('names the issuer for an account', async () => {
    const { body } = await request(app.url)
      .get('/.well-known/webfinger')
      .query({ resource: 'acct:ada@guild.example.com' })
      .expect(200);
    expect(body).toEqual({
      subject: 'acct:ada@guild.example.com',
      links: [{ rel: 'http://openid.net/specs/connect/1.0/issuer', href: BASE_URL }],
    });
  });

  it.each(['', 'resource='])('refuses the query %j, which names no account', async (query) => {
    const { body } = await request(app.url).get(`/.well-known/webfinger?${query}`).expect(400);
    expect(body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('resource'),
    });
  });
});
