import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { Session } from '../../src/identity/auth/sessions/sessions.repository.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeToken, makeUser, tokenRow } from '../support/factories.js';
import { createHttpApp } from '../support/http-app.js';
import { clientFields, makeApplication } from '../support/oauth-factories.js';
import { makeSession, pageClient } from '../support/page-client.js';

const ROUNDS = 20;
/** Within this time another process refuses what was revoked; a busy computer may hold one up. */
const LATENCY_MS = 50;

let app: TestApp;
let peer: NestExpressApplication;
let peerUrl: string;
beforeAll(async () => {
  app = await sharedTestApp();
  const moduleRef = await Test.createTestingModule({
    imports: [AppModule.forRoot(app.config)],
  }).compile();
  peer = createHttpApp(moduleRef, app.config);
  await peer.listen(0, '127.0.0.1');
  peerUrl = await peer.getUrl();
});
afterAll(async () => {
  await peer.close();
});

/** Milliseconds until `isRefused`, asked again and again. */
async function untilRefused(isRefused: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isRefused())) {
    if (performance.now() - start > 4_000) throw new Error('It is not refused');
  }
  return performance.now() - start;
}

async function isRefused(url: string, headers: Record<string, string>): Promise<boolean> {
  const response = await fetch(`${url}/api/v4/user`, { headers });
  await response.arrayBuffer();
  return response.status === 401;
}

/** Middle and largest of the times. */
function summary(times: number[]): { middle: number; largest: number } {
  const sorted = times.toSorted((a, b) => a - b);
  return { middle: sorted[sorted.length >> 1] ?? 0, largest: sorted.at(-1) ?? 0 };
}

/** Returns the times until the peer refuses what this process has just revoked. */
async function latencies(
  make: () => Promise<{ headers: Record<string, string>; revoke: () => Promise<unknown> }>,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { headers, revoke } = await make();
    for (const url of [app.url, peerUrl]) expect(await isRefused(url, headers)).toBe(false);
    await revoke();
    times.push(await untilRefused(() => isRefused(peerUrl, headers)));
    expect(await isRefused(app.url, headers)).toBe(true);
  }
  return times;
}

describe('what one process revokes', () => {
  it('is refused by the others at once: a session', async () => {
    const times = await latencies(async () => {
      const user = await makeUser(app);
      const own = pageClient(app, await makeSession(app, user));
      const cookie = await makeSession(app, user);
      const [, { id }] = (await app.dataSource.manager.find(Session, {
        where: { userId: user.id },
        order: { id: 'ASC' },
      })) as [Session, Session];
      const path = `/-/user_settings/active_sessions/${id}/revoke`;
      return {
        headers: { Cookie: `_svc_session=${cookie}` },
        revoke: () => own.post(path).expect(303),
      };
    });
    expect(summary(times).middle).toBeLessThan(LATENCY_MS);
  });

  it('is refused by the others within 50 ms: an OAuth token', async () => {
    const application = await makeApplication(app);
    const times = await latencies(async () => {
      const raw = await makeToken(app, await makeUser(app), {
        kind: 'oauth',
        applicationId: application.id,
      });
      const revoke = async (): Promise<void> => {
        const body = new URLSearchParams({ token: raw, ...clientFields(application) });
        const response = await fetch(`${app.url}/oauth/revoke`, { method: 'POST', body });
        expect(response.status).toBe(200);
      };
      return { headers: { Authorization: `Bearer ${raw}` }, revoke };
    });
    expect(summary(times).middle).toBeLessThan(LATENCY_MS);
  });

  it('is refused by the others within 50 ms: a personal access token', async () => {
    const { api: own, user } = await makeActor(app);
    const times = await latencies(async () => {
      const raw = await makeToken(app, user);
      const { id } = await tokenRow(app, raw);
      return {
        headers: { 'PRIVATE-TOKEN': raw },
        revoke: () => own.delete(`/personal_access_tokens/${id}`).expect(204),
      };
    });
    expect(summary(times).middle).toBeLessThan(LATENCY_MS);
  });

  it('is refused by the others within 50 ms: whatever a blocked user had', async () => {
    const { api: admin } = await makeActor(app, { admin: true });
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { user, token } = await makeActor(app);
      const cookie = await makeSession(app, user);
      await api(peerUrl, token).get('/user').expect(200);
      expect(await isRefused(peerUrl, { Cookie: `_svc_session=${cookie}` })).toBe(false);
      await admin.post(`/users/${user.id}/block`).expect(201);
      expect(await isRefused(peerUrl, { Cookie: `_svc_session=${cookie}` })).toBe(true);
      const isBlocked = async (): Promise<boolean> => {
        const { status } = await api(peerUrl, token).get('/user');
        return status === 403;
      };
      times.push(await untilRefused(isBlocked));
    }
    expect(summary(times).middle).toBeLessThan(LATENCY_MS);
  });
});
