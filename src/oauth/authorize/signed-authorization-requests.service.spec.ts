import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../config/env.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { SignedAuthorizationRequests } from './signed-authorization-requests.service.js';

const REQUEST: AuthorizationRequest = {
  applicationId: 1,
  redirectUri: 'https://client.example/callback',
  responseMode: 'query',
  state: null,
  scopes: ['read_user'],
  codeChallenge: null,
  nonce: null,
};

describe('SignedAuthorizationRequests', () => {
  const clock = { now: () => new Date(0) };
  const sealed = new SignedAuthorizationRequests({ secretKey: 's'.repeat(32) } as Config, clock);

  it('opens what it sealed for the same session', () => {
    const text = sealed.seal(REQUEST, 7);
    expect(sealed.open(text, 7)).toEqual(REQUEST);
    expect(sealed.open(text, 8)).toBeNull();
    expect(sealed.open('made up', 7)).toBeNull();
    expect(sealed.open(undefined, 7)).toBeNull();
  });

  it('opens it for ten minutes', () => {
    const text = sealed.seal(REQUEST, 7);
    clock.now = () => new Date(599_999);
    expect(sealed.open(text, 7)).toEqual(REQUEST);
    clock.now = () => new Date(600_000);
    expect(sealed.open(text, 7)).toBeNull();
  });
});
