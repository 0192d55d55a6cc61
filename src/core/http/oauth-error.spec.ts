import { describe, expect, it } from '@jest/globals';
import { ApiError, type ErrorBody } from '../errors.js';
import { toOAuthError } from './oauth-error.js';

describe('a refusal in the words of OAuth', () => {
  it.each<[string, ErrorBody, string]>([
    ['a message', { message: '405 Not Allowed', error: 'is allowed elsewhere' }, '405 Not Allowed'],
    ['an error', { error: '404 Not Found' }, '404 Not Found'],
    ['the text of a limit', { message: { error: 'Try again later.' } }, 'Try again later.'],
    ['nothing that is a text', { message: { name: ['is odd'] } }, 'The request is refused'],
    ['what a description may not have', { message: 'a "b" \\ ü\n' }, "a 'b' ' ''"],
  ])('describes itself by %s', (_, body, description) => {
    expect(toOAuthError(new ApiError(400, body), '/oauth/revoke').body).toEqual({
      error: 'invalid_request',
      error_description: description,
    });
  });

  it.each([
    [405, 'invalid_request'],
    [429, 'temporarily_unavailable'],
    [500, 'server_error'],
    [503, 'temporarily_unavailable'],
  ])('calls a %i %s', (status, error) => {
    const refusal = new ApiError(status, { message: 'No' });
    expect(toOAuthError(refusal, '/oauth/token').body).toMatchObject({ error });
  });

  it('leaves errors of the protocol as they are', () => {
    const body = { error: 'invalid_grant', error_description: 'no' };
    expect(toOAuthError(new ApiError(400, body), '/oauth/token').body).toBe(body);
  });

  it.each([
    ['/oauth/token', true],
    ['/oauth/token/info', false],
    ['/.well-known/nothing', false],
  ])('is a challenge at %s: %s', (path, isChallenge) => {
    const { headers } = toOAuthError(new ApiError(500, { message: 'Ours' }), path);
    expect(headers['WWW-Authenticate']).toBe(
      isChallenge
        ? 'Bearer realm="Protected by OAuth 2.0", error="server_error", error_description="Ours"'
        : undefined,
    );
  });
});
