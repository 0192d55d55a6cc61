import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import type { OwnTestApp } from '../support/app.js';
import { changeSettings } from '../support/settings.js';
import { newAddress, startLimitedApp, tallyOf } from './limited-app.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startLimitedApp(
    { throttle_protected_paths_requests_per_period: 3 },
    { env: { TRUST_PROXY: 'loopback' } },
  );
});
afterAll(() => app.close());

function post(path: string, address: string): Test {
  return request(app.url).post(path).set('X-Forwarded-For', address);
}

describe('protected paths', () => {
  it('are limited by address, all together', async () => {
    const address = newAddress();
    const paths = ['/users/sign_in', '/users/sign_up', '/users/password', '/users/sign_in'];
    const answers = [];
    for (const path of paths) answers.push(await post(path, address));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 429]);
    expect(answers[3]?.text).toContain('<h1>Too many requests</h1>');
    expect(tallyOf(answers[0]?.headers as Record<string, string>)).toMatchObject({
      name: 'throttle_unauthenticated_protected_paths',
      observed: 1,
      remaining: 2,
    });
    expect((await post('/users/sign_in', newAddress())).status).toBe(422);
  });

  it('have no limit for GET, unless configured', async () => {
    const address = newAddress();
    const read = (): Test => request(app.url).get('/users/sign_in').set('X-Forwarded-For', address);
    for (let index = 0; index < 4; index += 1) await read().expect(200);
    await changeSettings(app, { protected_paths_for_get_request: ['/users/sign_in'] });
    for (let index = 0; index < 4; index += 1) await post('/users/sign_in', address);
    const { status, headers } = await read();
    expect(status).toBe(200);
    expect(tallyOf(headers)).toMatchObject({
      name: 'throttle_unauthenticated_get_protected_paths',
      observed: 1,
    });
    await read();
    await read();
    expect((await read()).status).toBe(429);
  });

  it('are none of those at which applications ask for many people', async () => {
    const address = newAddress();
    for (let index = 0; index < 4; index += 1) {
      expect((await post('/oauth/token', address)).status).toBe(400);
    }
  });

  it.each([
    '/users/sign_in/',
    '//users//sign_in',
    '/Users/Sign_In',
    '/users/sign%5Fin',
    '/users/sign_in.json',
    '/users/sign_in/more?a=b',
  ])('cannot be reached uncounted as %s', async (path) => {
    const { headers } = await post(path, newAddress());
    expect(tallyOf(headers)).toMatchObject({ observed: 1 });
  });

  it('are no others that merely begin alike', async () => {
    const { headers } = await post('/users/sign_ins', newAddress());
    expect(tallyOf(headers)).toEqual({});
  });

  it('refuse no one else when an impossible path is stored', async () => {
    await changeSettings(app, { protected_paths: ['/a%', '/oauth/token'] });
    const { headers } = await post('/oauth/token', newAddress());
    expect(tallyOf(headers)).toMatchObject({ observed: 1 });
    expect((await post('/users/sign_in', newAddress())).status).toBe(422);
  });
});
