import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { postToken } from '../support/oauth-factories.js';
import { changeSettings } from '../support/settings.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
  await changeSettings(app, { throttle_unauthenticated_api_requests_per_period: 5 });
});
afterAll(() => app.close());

const post = (type: string, body: string): Test =>
  request(app.url).post('/oauth/token').set('Content-Type', type).send(body);

/** Asserts an error of the token endpoint: body, challenge, not cacheable. */
async function expectRefusal(
  asked: Test,
  status: number,
  error_description: string,
): Promise<void> {
  const error = status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  const { body, headers } = await asked.expect(status);
  expect(body).toEqual({ error, error_description });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'www-authenticate': `Bearer realm="Protected by OAuth 2.0", error="${error}", error_description="${error_description}"`,
  });
}

describe('the token endpoint refuses in its own words, before any grant is looked at,', () => {
  it('JSON that cannot be read', () =>
    expectRefusal(
      post('application/json', '{"grant_type"'),
      400,
      '400 (Bad request) body is not valid JSON (line 1, column 14)',
    ));

  it('text that is no UTF-8', () =>
    expectRefusal(
      post('application/x-www-form-urlencoded', 'grant_type=%ff'),
      400,
      '400 Bad request - parameters are not URL-encoded UTF-8',
    ));

  it('a body of another type, whose name is quoted without what a challenge may not have', () =>
    expectRefusal(
      post('text/xml', '<grant/>'),
      415,
      "The provided content-type 'text/xml' is not supported.",
    ));

  it('another method, with those that there are', async () => {
    const asked = request(app.url).get('/oauth/token');
    await expectRefusal(asked, 405, '405 Not Allowed');
    expect((await request(app.url).get('/oauth/token')).headers['allow']).toBe('OPTIONS, POST');
  });

  it('who guesses too often', async () => {
    const fields = { grant_type: 'client_credentials', client_id: 'made-up', client_secret: 'x' };
    const guess = (): Test => postToken(app, fields).set('X-Forwarded-For', '203.0.113.7');
    for (let times = 0; times < 5; times++) await guess().expect(401);
    await expectRefusal(guess(), 429, '429 Too Many Requests');
  });
});
