import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/core/clock.js';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeAdmin, makeUser, type MadeActor } from '../support/factories.js';

const NOON = Date.UTC(2031, 4, 1, 12);

const time = { now: NOON };
let app: OwnTestApp;
let admin: MadeActor;
beforeAll(async () => {
  const clock: Clock = { now: () => new Date(time.now) };
  app = await startTestApp({
    override: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
  admin = await makeAdmin(app);
});
afterAll(() => app.close());

async function createToken(body: object): Promise<{ token: string; expires_at: string }> {
  const { id } = await makeUser(app);
  const path = `/users/${id}/personal_access_tokens`;
  const answer = await admin.api
    .post(path, { name: 'Robot', scopes: ['api'], ...body })
    .expect(201);
  return answer.body as { token: string; expires_at: string };
}

describe('the day on which a token expires', () => {
  it('begins at midnight UTC: from then on the token is dead', async () => {
    time.now = NOON;
    const { token } = await createToken({ expires_at: '2031-05-02' });
    time.now = Date.UTC(2031, 4, 1, 23, 59, 59, 999);
    await api(app.url, token).get('/user').expect(200);
    time.now = Date.UTC(2031, 4, 2);
    const { body } = await api(app.url, token).get('/user').expect(401);
    expect(body).toMatchObject({ error: 'invalid_token' });
  });

  it('can be the 365th from today, which is also the default', async () => {
    time.now = NOON;
    const latest = '2032-04-30';
    const [asked, silent] = [await createToken({ expires_at: latest }), await createToken({})];
    expect([asked.expires_at, silent.expires_at]).toEqual([latest, latest]);
  });
});
