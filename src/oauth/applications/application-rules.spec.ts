import { describe, expect, it } from '@jest/globals';
import { isRegistered } from './application-rules.js';

const REDIRECT_URIS = ['http://127.0.0.1/callback', 'http://[::1]:8080/callback'];

describe('the redirect URI of a native application', () => {
  const isTaken = (uri: string): boolean =>
    isRegistered(uri, { redirectUris: REDIRECT_URIS, confidential: false });

  it.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]/callback',
  ])('may have another port: %s', (uri) => expect(isTaken(uri)).toBe(true));

  it.each([
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:99999/callback',
    'http://[::1]:70000/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:8080/callback/other',
  ])('has a port that there is, and the same path: not %s', (uri) => {
    expect(isTaken(uri)).toBe(false);
  });
});
