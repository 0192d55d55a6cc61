import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeAdmin, makeToken, makeUser } from '../support/factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

describe('GET /user', () => {
  it('shows users everything about themselves', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { user, api: own } = await makeActor(app, {
      lastActivityOn: today,
      jobTitle: 'Smith',
      organization: 'Guild',
      confirmedAt: new Date('2026-01-02T03:04:05.678Z'),
      createdAt: new Date('2026-01-01T00:00:00Z'),
    });

    const response = await own.get('/user').expect(200);

    expect(response.body).toEqual({
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      locked: false,
      avatar_url: null,
      web_url: `${app.url}/${user.username}`,
      bio: '',
      location: '',
      public_email: '',
      linkedin: '',
      twitter: '',
      website_url: '',
      organization: 'Guild',
      job_title: 'Smith',
      pronouns: '',
      bot: false,
      work_information: 'Smith at Guild',
      created_at: '2026-01-01T00:00:00.000Z',
      followers: 0,
      following: 0,
      last_sign_in_at: null,
      confirmed_at: '2026-01-02T03:04:05.678Z',
      last_activity_on: today,
      email: user.email,
      theme_id: 1,
      color_scheme_id: 1,
      projects_limit: 100_000,
      current_sign_in_at: null,
      identities: [],
      can_create_group: true,
      can_create_project: true,
      two_factor_enabled: false,
      external: false,
      private_profile: false,
      commit_email: user.email,
    });
  });

  it('shows administrators what only they see', async () => {
    const { user, api: admin } = await makeAdmin(app, { note: 'on call' });
    const { body } = await admin.get('/user').expect(200);
    expect(body).toMatchObject({ is_admin: true, note: 'on call', namespace_id: user.namespaceId });
  });

  it('answers 401 without a token', async () => {
    const { body } = await api(app.url).get('/user').expect(401);
    expect(body).toEqual({ message: '401 Unauthorized' });
  });

  it('is open to a token with read_user only', async () => {
    const token = await makeToken(app, await makeUser(app), { scopes: ['read_user'] });
    await api(app.url, token).get('/user').expect(200);
  });
});
