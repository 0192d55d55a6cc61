import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import type { OwnTestApp } from '../support/app.js';
import { makeToken, unique } from '../support/factories.js';
import { basic, makeProject, type MadeProject } from '../git-http/world.js';
import { changeSettings } from '../support/settings.js';
import { newAddress, startLimitedApp } from './limited-app.js';

let app: OwnTestApp;
let project: MadeProject;
let token: string;
beforeAll(async () => {
  app = await startLimitedApp(
    { git_failed_authentications_per_3_minutes: 3 },
    { env: { TRUST_PROXY: 'loopback' } },
  );
  project = await makeProject(app, { visibility: 20 });
  token = await makeToken(app, project.owner);
});
afterAll(() => app.close());

/** Without `secret` without credentials. */
function discover(address: string, secret?: string): Test {
  const path = `/${project.fullPath}.git/info/refs?service=git-upload-pack`;
  const test = request(app.url).get(path).set('X-Forwarded-For', address);
  return secret === undefined ? test : test.set('Authorization', basic(secret));
}

async function guess(address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) {
    statuses.push((await discover(address, unique('svcpat-'))).status);
  }
  return statuses;
}

describe('guessing tokens over Git', () => {
  it('is answered with 403 for an hour after too many failures', async () => {
    const address = newAddress();
    expect(await guess(address, 4)).toEqual([401, 401, 401, 403]);
    const { status, headers, text } = await discover(address, token);
    expect({ status, text }).toEqual({
      status: 403,
      text: 'Too many failed sign-ins from your address. Try again later.',
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_590);
  });

  it('locks out neither other addresses nor who reads public projects', async () => {
    const address = newAddress();
    await guess(address, 4);
    expect((await discover(newAddress(), token)).status).toBe(200);
    expect((await discover(address)).status).toBe(200);
  });

  it('is forgotten by a sign-in that succeeds', async () => {
    const address = newAddress();
    await guess(address, 2);
    expect((await discover(address, token)).status).toBe(200);
    expect(await guess(address, 2)).toEqual([401, 401]);
    expect((await discover(address, token)).status).toBe(200);
  });

  it('is not limited by the setting 0', async () => {
    const address = newAddress();
    await guess(address, 3);
    await changeSettings(app, { git_failed_authentications_per_3_minutes: 0 });
    const statuses = await guess(address, 5);
    await changeSettings(app, { git_failed_authentications_per_3_minutes: 3 });
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
  });
});
