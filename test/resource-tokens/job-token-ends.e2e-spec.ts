import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, makeToken, type MadeActor } from '../support/factories.js';
import { makeProject } from '../support/project-factories.js';

const DAY_MS = 86_400_000;

let app: TestApp;
let owner: MadeActor;
let projectId: number;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  projectId = (await makeProject(app, { namespaceId: owner.user.namespaceId })).id;
});

interface JobToken {
  id: number;
  token: string;
  expires_at: string;
}

async function mintWith(token: string): Promise<JobToken> {
  const path = `/projects/${projectId}/job_tokens`;
  return (await api(app.url, token).post(path, { expires_in: 86_400 }).expect(201)).body;
}

async function statusOf({ token }: JobToken): Promise<number> {
  return (await request(app.url).get('/api/v4/job').set('JOB-TOKEN', token)).status;
}

async function ends(job: JobToken): Promise<void> {
  // In other processes with the announcement, here with the answer.
  await eventually(async () => (await statusOf(job)) === 401, { seconds: 4 });
}

describe('a job token', () => {
  it('ends with the token that asked for it', async () => {
    const token = await makeToken(app, owner.user);
    const [job, other] = [await mintWith(token), await mintWith(owner.token)];
    expect(await statusOf(job)).toBe(200);
    await api(app.url, token).delete('/personal_access_tokens/self').expect(204);
    await ends(job);
    expect(await statusOf(other)).toBe(200);
  });

  it('outlives a rotation, and ends with the successor', async () => {
    const job = await mintWith(owner.token);
    const rotated = await owner.api.post('/personal_access_tokens/self/rotate').expect(200);
    expect(await statusOf(job)).toBe(200);
    const { token } = rotated.body as { token: string };
    await api(app.url, token).delete('/personal_access_tokens/self').expect(204);
    await ends(job);
    owner = { ...owner, token: await makeToken(app, owner.user) };
  });

  it('ends when the token that asked for it turns out to be stolen', async () => {
    const token = await makeToken(app, owner.user);
    const rotate = (): request.Test =>
      api(app.url, token).post('/personal_access_tokens/self/rotate');
    const { body } = await rotate().expect(200);
    const job = await mintWith((body as { token: string }).token);
    await rotate().expect(401);
    await ends(job);
  });

  it('ends with the impersonation token of an administrator', async () => {
    const admin = await makeAdmin(app);
    const path = `/users/${owner.user.id}/impersonation_tokens`;
    const { body } = await admin.api.post(path, { name: 'Help', scopes: ['api'] }).expect(201);
    const { id, token } = body as { id: number; token: string };
    const job = await mintWith(token);
    await admin.api.delete(`${path}/${id}`).expect(204);
    await ends(job);
  });

  it('does not live longer than the token that asked for it', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS / 2);
    const job = await mintWith(await makeToken(app, owner.user, { expiresAt }));
    expect(job.expires_at).toBe(expiresAt.toISOString());
  });

  it('is not made by a token that is revoked at the same time', async () => {
    const path = `/projects/${projectId}/job_tokens`;
    for (let round = 0; round < 5; round += 1) {
      const client = api(app.url, await makeToken(app, owner.user));
      await Promise.all([
        client.delete('/personal_access_tokens/self').expect(204),
        ...Array.from({ length: 4 }, () => client.post(path)),
      ]);
    }
    const alive = await app.dataSource.query<{ id: number }[]>(
      `SELECT j.id FROM access_tokens j JOIN access_tokens t ON t.id = j.family_id
       WHERE j.kind = 'job' AND j.revoked_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM access_tokens s
                         WHERE coalesce(s.family_id, s.id) = t.id AND s.kind <> 'job'
                           AND s.revoked_at IS NULL)`,
    );
    expect(alive).toEqual([]);
  });
});
