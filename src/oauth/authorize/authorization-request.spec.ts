import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../config/env.js';
import { SignedAuthorizationRequests, type AuthorizationRequest } from './authorization-request.js';

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
  const signed = new SignedAuthorizationRequests({ secretKey: 's'.repeat(32) } as Config, clock);

  it('verifies what it signed for the same session', () => {
    const text = signed.sign(REQUEST, 7);
    expect(signed.verify(text, 7)).toEqual(REQUEST);
    expect(signed.verify(text, 8)).toBeNull();
    expect(signed.verify('made up', 7)).toBeNull();
    expect(signed.verify(undefined, 7)).toBeNull();
  });

  it('opens it for ten minutes', () => {
    const text = signed.sign(REQUEST, 7);
    clock.now = () => new Date(599_999);
    expect(signed.verify(text, 7)).toEqual(REQUEST);
    clock.now = () => new Date(600_000);
    expect(signed.verify(text, 7)).toBeNull();
  });
});
