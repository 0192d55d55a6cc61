import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { tokenRow } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';

const XSS = '<b onclick=alert(1)>x</b>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const KINDS = ['group', 'project'] as const;

interface Place {
  pages: PageClient;
  path: string;
}

async function makePlace(kind: (typeof KINDS)[number]): Promise<Place> {
  const { pages, user } = await makeVisitor(app);
  const group = await makeOwnedGroup(app, { user });
  if (kind === 'group') {
    return { pages, path: `/groups/${group.fullPath}/-/settings/access_tokens` };
  }
  const project = await makeProject(app, { namespaceId: group.id });
  return { pages, path: `/${project.fullPath}/-/settings/access_tokens` };
}

/** The page that follows a form, with the messages that were left for it. */
async function next(pages: PageClient, response: request.Response): Promise<string> {
  const [flash = ''] = (response.get('Set-Cookie') ?? []).map((line) => line.split(';')[0]);
  const { text } = await request(app.url)
    .get(String(response.headers['location']))
    .set('Cookie', `_svc_session=${pages.cookie}; ${flash}`)
    .expect(200);
  return text;
}

const FIELDS = { name: 'Robot', description: '', expires_at: '', access_level: '30' };

describe.each(KINDS)('access tokens of a %s', (kind) => {
  it('are made by a form, shown once, listed and revoked', async () => {
    const { pages, path } = await makePlace(kind);
    expect(textOf((await pages.get(path).expect(200)).text)).toContain('No active tokens');
    const made = await pages.post(path, { ...FIELDS, scopes: ['read_api'] }).expect(303);
    expect(made.headers['location']).toBe(path);
    const text = await next(pages, made);
    const value = /svc\w*-[\w-]{20,}/.exec(text)?.[0] ?? '';
    const row = await tokenRow(app, value);
    expect(row).toMatchObject({ name: 'Robot', kind, scopes: ['read_api'] });
    const listed = await pages.get(path).expect(200);
    expect(listed.text).not.toContain(value);
    expect(textOf(listed.text)).toMatch(
      /Robot read_api Developer · Created .* UTC · Never used · Expires /,
    );
    await pages.post(`${path}/${row.id}/revoke`).expect(303);
    expect((await tokenRow(app, value)).revokedAt).not.toBeNull();
    expect(textOf((await pages.get(path)).text)).toContain('No active tokens');
    expect(textOf((await pages.get(`${path}?state=inactive`)).text)).toContain(
      'Robot read_api Revoked',
    );
  });

  it('are rotated by a form: the old value ends, the new one is shown once', async () => {
    const { pages, path } = await makePlace(kind);
    const made = await pages.post(path, { ...FIELDS, scopes: ['read_api'] }).expect(303);
    const value = /svc\w*-[\w-]{20,}/.exec(await next(pages, made))?.[0] ?? '';
    const { id } = await tokenRow(app, value);
    const late = await pages.post(`${path}/${id}/rotate`, { expires_at: '2001-01-01' }).expect(303);
    expect(textOf(await next(pages, late))).toContain('must be in the future');
    const rotated = await pages.post(`${path}/${id}/rotate`, { expires_at: '' }).expect(303);
    const fresh = /svc\w*-[\w-]{20,}/.exec(await next(pages, rotated))?.[0] ?? '';
    expect((await tokenRow(app, value)).revokedAt).not.toBeNull();
    expect(await tokenRow(app, fresh)).toMatchObject({ name: 'Robot', revokedAt: null });
    expect((await pages.get(path).expect(200)).text).not.toContain(fresh);
  });

  it('show what is wrong with a new one, with what was typed in', async () => {
    const { pages, path } = await makePlace(kind);
    const { text } = await pages.post(path, { ...FIELDS, name: XSS }).expect(422);
    expect(textOf(text)).toContain('Scopes is missing.');
    expect(text).not.toContain(XSS);
    const past = { ...FIELDS, scopes: ['api'], expires_at: '2001-01-01' };
    const late = await pages.post(path, past).expect(422);
    expect(textOf(late.text)).toContain('Expires at must be in the future.');
    expect(late.text).toContain('value="2001-01-01"');
    expect(late.text).toMatch(/value="api" checked/);
  });

  it('have their names escaped', async () => {
    const { pages, path } = await makePlace(kind);
    await pages.post(path, { ...FIELDS, description: XSS, scopes: ['api'] }).expect(303);
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toContain(XSS);
  });

  it('are not made by a form without its token', async () => {
    const { pages, path } = await makePlace(kind);
    await request(app.url)
      .post(path)
      .set('Cookie', `_svc_session=${pages.cookie}`)
      .type('form')
      .send({ ...FIELDS, 'scopes[]': 'api' })
      .expect(422);
    expect(textOf((await pages.get(path)).text)).toContain('No active tokens');
  });

  it('are not to be had from another place', async () => {
    const one = await makePlace(kind);
    const made = await one.pages.post(one.path, { ...FIELDS, scopes: ['api'] }).expect(303);
    const value = /svc\w*-[\w-]{20,}/.exec(await next(one.pages, made))?.[0] ?? '';
    const other = await makePlace(kind);
    const { id } = await tokenRow(app, value);
    await other.pages.post(`${other.path}/${id}/revoke`).expect(404);
    await other.pages.post(`${one.path}/${id}/revoke`).expect(404);
    await other.pages.post(`${other.path}/${id}/rotate`).expect(404);
    await other.pages.post(`${one.path}/${id}/rotate`).expect(404);
    expect((await tokenRow(app, value)).revokedAt).toBeNull();
  });
});

describe('pages of access tokens', () => {
  it('do not exist for who may not manage them', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeGroup(app, { visibility: 'public' });
    await makeMember(app, { group, user, role: 'maintainer' });
    const project = await makeProject(app, { namespaceId: group.id });
    const path = `/groups/${group.fullPath}/-/settings/access_tokens`;
    await pages.get(path).expect(404);
    await pages.post(path, { ...FIELDS, scopes: ['api'] }).expect(404);
    const { text } = await pages.get(`/${project.fullPath}/-/settings/access_tokens`).expect(200);
    expect(text).not.toContain('<option value="50"');
    await request(app.url).get(path).expect(302);
  });
});
