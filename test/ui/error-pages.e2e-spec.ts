import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeVisitor } from '../support/page-client.js';
import { ProbePagesModule } from './probe-pages.module.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ imports: [ProbePagesModule] });
});
afterAll(() => app.close());

describe('an error page', () => {
  it('says what to do next and under which id the log knows the request', async () => {
    const { headers, text } = await request(app.url).get('/no/such/%3Cscript%3Epage').expect(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors/);
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).toContain(`<code>${headers['x-request-id']}</code>`);
    expect(text).not.toMatch(/no\/such|<script|script>/);
  });

  it('leads back to its address through the sign-in', async () => {
    const path = '/no/such/page?a=%22b';
    const { text } = await request(app.url).get(path).expect(404);
    const href = `/users/sign_in?return_to=${encodeURIComponent(path)}`;
    expect(text).toContain(`href="${href}"`);
    const form = await request(app.url).get(href).expect(200);
    expect(form.text).toContain(`action="${href}"`);
    const { text: long } = await request(app.url)
      .get(`/no/such/${'x'.repeat(2_000)}`)
      .expect(404);
    expect(long).toContain('href="/users/sign_in"');
  });

  it('does not tell those who are signed in to sign in', async () => {
    const { pages } = await makeVisitor(app);
    const { text } = await pages.get('/no/such/page').expect(404);
    expect(text).toContain('Go to home');
    expect(text).not.toContain('sign_in');
    expect(text).not.toContain('sign in');
  });

  it('tells nothing of a fault but that it is ours', async () => {
    const { text } = await request(app.url).get('/probe-pages/bug').expect(500);
    expect(text).toContain('<h1>Something went wrong on our side</h1>');
    expect(text).not.toContain('the secret');
  });

  it('repeats no word of a refusal', async () => {
    const { text } = await request(app.url).get('/probe-pages/forbidden').expect(403);
    expect(text).toContain("<h1>You don't have permission</h1>");
    expect(text).not.toContain('alert');
  });

  it('names the methods of a path in its header', async () => {
    const { headers, text } = await request(app.url).put('/probe-pages/message').expect(405);
    expect(headers['allow']).toBe('OPTIONS, GET, HEAD, POST');
    expect(text).toContain('<h1>Method not allowed</h1>');
  });

  it('answers a form without the token of the session', async () => {
    const sent = request(app.url).post('/probe-pages/message').type('form').send({ text: 'a' });
    const { text } = await sent.expect(422);
    expect(text).toContain('<h1>The form has expired</h1>');
  });
});

describe('a refusal', () => {
  it('is JSON for OAuth clients', async () => {
    await request(app.url).get('/oauth/token/nowhere').expect(404, { error: '404 Not Found' });
  });

  it('is JSON for health checks', async () => {
    await request(app.url).post('/-/health').expect(405, { error: '405 Not Allowed' });
  });
});
