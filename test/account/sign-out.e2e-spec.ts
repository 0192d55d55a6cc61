import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeVisitor, pageClient, signedIn } from '../support/page-client.js';
import { cookieLines, newBrowser } from '../support/sign-in.js';

describe('signing out', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await sharedTestApp();
  });

  it('ends the session at once and takes the cookie away', async () => {
    const { pages } = await makeVisitor(app);
    await pages.get('/api/v4/user').expect(200);
    const response = await pages.post('/users/sign_out');
    expect(response.status).toBe(303);
    expect(response.headers['location']).toBe('/users/sign_in');
    expect(cookieLines(response)).toEqual([
      '_svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    await pages.get('/api/v4/user').expect(401);
  });

  it('leaves the sessions of other browsers alone', async () => {
    const { user, pages } = await makeVisitor(app);
    const other = await signedIn(app, user);
    await pages.post('/users/sign_out').expect(303);
    await other.get('/api/v4/user').expect(200);
  });

  it('is for forms of the site only: neither links nor other sites sign anyone out', async () => {
    const { pages } = await makeVisitor(app);
    await pages.get('/users/sign_out').expect(404);
    await request(app.url)
      .post('/users/sign_out')
      .set('Cookie', `_svc_session=${pages.cookie}`)
      .expect(422);
    await pages.get('/api/v4/user').expect(200);
  });

  it('does no harm to who is not signed in', async () => {
    await newBrowser(app).post('/users/sign_out').expect(303);
    await pageClient(app, 'unknown').post('/users/sign_out').expect(303);
  });
});
