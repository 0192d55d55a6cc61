import { beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { day } from '../support/days.js';
import { makeToken, makeTokenRow, makeUser, tokenRow } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { follow, makeVisitor, pageClient } from '../support/page-client.js';

const PATH = '/-/user_settings/personal_access_tokens';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function secretIn(html: string): string {
  return /value="(svcpat-[0-9a-v]{32})"/.exec(html)?.[1] ?? '';
}

describe('the page of access tokens', () => {
  it('leads who is not signed in to the sign-in page', async () => {
    const { headers } = await pageClient(app, 'nobody').get(PATH).expect(302);
    expect(headers['location']).toBe('/users/sign_in');
  });

  it('lists what works, and apart from it what does not, but no tokens of others', async () => {
    const { user, pages } = await makeVisitor(app);
    const past = new Date(Date.now() - 86_400_000);
    await makeToken(app, user, { name: 'works', lastUsedAt: new Date('2026-01-02T03:04:00Z') });
    await makeToken(app, user, { name: 'expired', expiresAt: past });
    await makeToken(app, user, { name: 'revoked', revokedAt: past });
    await makeToken(app, user, { name: 'made by an administrator', kind: 'impersonation' });
    await makeToken(app, await makeUser(app), { name: 'of another' });

    const active = textOf((await pages.get(PATH).expect(200)).text);
    const inactive = textOf((await pages.get(`${PATH}?state=inactive`).expect(200)).text);
    expect(active).toMatch(
      /works api Created .* Last used 2026-01-02 03:04 UTC · Never expires Rotate/,
    );
    expect(inactive).toMatch(/revoked api Revoked .* expired api Expired/);
    expect(`${active} ${inactive}`).not.toMatch(/administrator|of another/);
    expect(active).not.toContain('expired');
    expect(inactive).not.toContain('works');
  });

  it('offers the scopes of administrators to administrators only', async () => {
    const { pages } = await makeVisitor(app);
    const { pages: adminPages } = await makeVisitor(app, { admin: true });
    const form = (await pages.get(`${PATH}/new`).expect(200)).text;
    const adminForm = (await adminPages.get(`${PATH}/new`).expect(200)).text;
    expect(form).toContain('value="read_api"');
    expect(form).not.toMatch(/value="(sudo|admin_mode|openid)"/);
    expect(adminForm).toContain('value="sudo"');
  });
});

describe('making a token', () => {
  it('shows the value once, on the next page', async () => {
    const { user, pages } = await makeVisitor(app);
    const fields = { name: 'laptop', description: '<b>work</b>', scopes: ['api', 'self_rotate'] };
    const answer = await pages.post(PATH, { ...fields, expires_at: day(30) }).expect(303);
    const html = await follow(pages, answer);
    const raw = secretIn(html);
    expect(JSON.stringify(answer.headers)).not.toContain(raw);
    await api(app.url, raw).get('/version').expect(200);
    expect(await tokenRow(app, raw)).toMatchObject({
      userId: user.id,
      kind: 'personal',
      name: 'laptop',
      description: '<b>work</b>',
      scopes: ['api', 'self_rotate'],
      expiresAt: new Date(`${day(30)}T00:00:00Z`),
    });
    expect(textOf(html)).toContain('<b>work</b>');
    expect(secretIn((await pages.get(PATH).expect(200)).text)).toBe('');
  });

  it('ends it as late as is allowed when no day was chosen', async () => {
    const { user, pages } = await makeVisitor(app);
    const fields = { name: 'long', description: '', expires_at: '', scopes: ['read_api'] };
    const raw = secretIn(await follow(pages, await pages.post(PATH, fields).expect(303)));
    const { expiresAt, userId } = await tokenRow(app, raw);
    expect([expiresAt?.toISOString().slice(0, 10), userId]).toEqual([day(365), user.id]);
  });

  it.each([
    [{ name: '', scopes: ['api'] }, 'Name is empty.'],
    [{ name: 'x' }, "Scopes can't be blank."],
    [{ name: 'x', scopes: ['everything'] }, 'Scopes does not have a valid value.'],
    [{ name: 'x', scopes: ['sudo'] }, 'Scopes can only contain available scopes.'],
    [{ name: 'x', scopes: ['openid'] }, 'Scopes does not have a valid value.'],
    [{ name: 'x', scopes: ['api'], expires_at: '2020-01-01' }, 'Expires at must be in the future.'],
    [{ name: 'x', scopes: ['api'], expires_at: 'soon' }, 'Expires at is invalid.'],
    [{ name: 'x', scopes: ['api'], expires_at: '2999-01-01' }, /Expires at must be before \d/],
  ])('shows the form again for %j', async (fields, problem) => {
    const { user, pages } = await makeVisitor(app);
    const { text } = await pages.post(PATH, fields).expect(422);
    expect(textOf(text)).toMatch(problem);
    expect(text).toContain(`name="name" `);
    expect(
      await app.dataSource.query('SELECT 1 FROM access_tokens WHERE user_id = $1', [user.id]),
    ).toEqual([]);
  });
});

describe('an own token', () => {
  it('is revoked, and then works no more', async () => {
    const { user, pages } = await makeVisitor(app);
    const raw = await makeToken(app, user);
    const { id } = await tokenRow(app, raw);
    await api(app.url, raw).get('/version').expect(200);
    await pages.post(`${PATH}/${id}/revoke`).expect(303).expect('Location', PATH);
    await api(app.url, raw).get('/version').expect(401);
  });

  it('is rotated, and its successor shown once', async () => {
    const { user, pages } = await makeVisitor(app);
    const raw = await makeToken(app, user, { name: 'rotated' });
    const { id } = await tokenRow(app, raw);
    const answer = await pages.post(`${PATH}/${id}/rotate`, { expires_at: '' }).expect(303);
    const successor = secretIn(await follow(pages, answer));
    expect(await tokenRow(app, successor)).toMatchObject({ name: 'rotated', previousId: id });
    await api(app.url, raw).get('/version').expect(401);
    await api(app.url, successor).get('/version').expect(200);
  });

  it('is not rotated once it has ended', async () => {
    const { user, pages } = await makeVisitor(app);
    const { id } = await makeTokenRow(app, user, { revokedAt: new Date() });
    const answer = await pages.post(`${PATH}/${id}/rotate`).expect(303);
    expect(textOf(await follow(pages, answer))).not.toContain('svcpat');
    expect(await follow(pages, answer)).toContain('Token already revoked.');
  });

  it.each(['rotate', 'revoke'])(
    'is nothing that others %s, not even administrators',
    async (action) => {
      const { pages } = await makeVisitor(app, { admin: true });
      const raw = await makeToken(app, await makeUser(app));
      const { id } = await tokenRow(app, raw);
      await pages.post(`${PATH}/${id}/${action}`).expect(404);
      await api(app.url, raw).get('/version').expect(200);
    },
  );
});
