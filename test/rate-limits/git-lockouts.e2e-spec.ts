import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { basic, makeProject } from '../git-http/world.js';
import type { OwnTestApp } from '../support/app.js';
import { makeToken } from '../support/factories.js';
import { changeSettings } from '../support/settings.js';
import { newAddress, startLimitedApp } from './limited-app.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startLimitedApp(
    { git_failed_authentications_per_3_minutes: 3 },
    { env: { TRUST_PROXY: 'loopback' } },
  );
});
afterAll(() => app.close());

it('revoked tokens do not block everyone behind their address', async () => {
  await changeSettings(app, { impersonation_enabled: false });
  const project = await makeProject(app, { visibility: 20 });
  const address = newAddress();
  const discover = async (token: string): Promise<number> => {
    const path = `/${project.fullPath}.git/info/refs?service=git-upload-pack`;
    const headers = { Authorization: basic(token), 'X-Forwarded-For': address };
    return (await request(app.url).get(path).set(headers)).status;
  };
  const over = new Date(0);
  const ended = [
    await makeToken(app, project.owner, { expiresAt: over }),
    await makeToken(app, project.owner, { revokedAt: over }),
    await makeToken(app, project.owner, { kind: 'impersonation' }),
    await makeToken(app, project.owner, { kind: 'job', projectId: project.id }),
  ];
  for (const token of [...ended, ...ended]) expect(await discover(token)).toBe(401);
  expect(await discover(await makeToken(app, project.owner))).toBe(200);
});
