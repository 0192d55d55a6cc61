import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { FeedToken } from '../../src/identity/tokens/feed-tokens.repository.js';
import { User } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { recordMany } from '../support/event-factories.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { makeFeed } from '../support/feed-factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

const TOKENS = '/-/user_settings/personal_access_tokens';
const RESET = '/-/user_settings/feed_token';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Place {
  project: MadeProject;
  user: MadeUser;
  pages: PageClient;
  token: string;
  /** Path of the project's feed. */
  path: string;
}

type Attributes = Partial<Parameters<typeof makeProject>[1]>;

/** A private project with a member who has a feed token. */
async function makePlace(attributes: Attributes = {}): Promise<Place> {
  const { user, pages } = await makeVisitor(app, { name: 'Ann Weaver' });
  const group = await makeGroup(app, { visibility: 'public' });
  const project = await makeProject(app, { namespaceId: group.id, ...attributes });
  await makeMember(app, { project, user, role: 'developer' });
  const token = await makeToken(pages);
  return { project, user, pages, token, path: `/${project.fullPath}/-/activity.atom` };
}

async function makeToken(pages: PageClient): Promise<string> {
  await pages.post(RESET).expect(303);
  const { text } = await pages.get(TOKENS).expect(200);
  return /value="(svcft-[0-9a-v]{32})"/.exec(text)?.[1] ?? '';
}

const read = (path: string, token?: string): request.Test =>
  request(app.url)
    .get(path)
    .query(token === undefined ? {} : { feed_token: token })
    .buffer(true)
    .parse(asText);

/** Supertest reads no XML. */
function asText(response: Response, done: (error: Error | null, body: string) => void): void {
  const stream = response as unknown as NodeJS.ReadableStream;
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (part: string) => (text += part));
  stream.on('end', () => done(null, text));
}

const bodyOf = (response: Response): string => response.body as string;
const titlesOf = (xml: string): string[] =>
  [...xml.matchAll(/<entry>\n<title>(.*?)<\/title>/g)].map(([, title]) => title ?? '');

describe('an Atom feed of issues', () => {
  it('has the issues of a project or group that its reader can see, by the filters', async () => {
    const { project, pages, token } = await makePlace();
    const list = `/${project.fullPath}/-/issues`;
    const fields = { description: 'Weft & warp' };
    await pages.post(`${list}/new`, { title: 'Mend <the> loom', ...fields }).expect(303);
    await pages.post(`${list}/new`, { title: 'Buy wool', confidential: 'true' }).expect(303);
    const group = project.fullPath.slice(0, project.fullPath.lastIndexOf('/'));
    for (const path of [`${list}.atom`, `/groups/${group}/-/issues.atom`]) {
      const xml = bodyOf(await read(path, token).expect(200));
      expect(titlesOf(xml)).toEqual(['Buy wool', 'Mend &lt;the&gt; loom']);
      expect(xml).toContain('<summary>Weft &amp; warp</summary>');
      expect(xml).toMatch(new RegExp(`rel="alternate"[^>]*${project.fullPath}/-/issues/1"/>`));
      const found = bodyOf(await read(`${path}?search=loom`, token).expect(200));
      expect(titlesOf(found)).toHaveLength(1);
      expect(titlesOf(bodyOf(await read(`${path}?state=closed`, token)))).toEqual([]);
      await read(path, 'svcft-unknown').expect(401);
    }
    await read(`${list}.atom`).expect(404);
    const { token: stranger } = await makePlace();
    await read(`${list}.atom`, stranger).expect(404);
    const hidden = bodyOf(await read(`/groups/${group}/-/issues.atom`, stranger).expect(200));
    expect(titlesOf(hidden)).toEqual([]);
    const { text } = await pages.get(`${list}?search=loom`).expect(200);
    expect(text).toContain(`href="${list}.atom?search=loom&amp;feed_token=${token}"`);
  });
});

describe('an Atom feed', () => {
  it('has the entries of the page with links to their subjects', async () => {
    const { project, user, token, path } = await makePlace();
    await makeFeed(app, { projectId: project.id, authorId: user.id }, 'Mend the loom');
    const response = await read(path, token).expect(200);
    const xml = bodyOf(response);
    expect(response.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(xml).toContain('<feed xmlns="http://www.w3.org/2005/Atom">');
    expect(titlesOf(xml)).toHaveLength(19);
    expect(titlesOf(xml).at(-3)).toBe('Ann Weaver opened issue #7 Mend the loom');
    expect(titlesOf(xml)[2]).toBe('Ann Weaver pushed 4 new branches');
    expect(xml).toMatch(
      new RegExp(
        `<link rel="alternate" type="text/html" href="http[^"]*/${project.fullPath}/-/issues/7"/>`,
      ),
    );
    expect(xml).toMatch(
      new RegExp(`<author><name>Ann Weaver</name><uri>http[^<]*/${user.username}</uri></author>`),
    );
    const merges = await read(`${path}?filter=merges`, token).expect(200);
    expect(titlesOf(bodyOf(merges))).toEqual([
      'Ann Weaver accepted merge request !7 Mend the loom',
    ]);
    expect(bodyOf(merges)).toContain(`activity.atom?filter=merges&amp;feed_token=${token}"/>`);
    await read(`${path}?filter=weather`, token).expect(400);
  });

  it('is well-formed with any text', async () => {
    const { project, user, token, path } = await makePlace();
    const hostile = `]]><entry a="b" c='d'>&amp; \u0001\u0008\u001b\ufffe 😀 \u0085`;
    await makeFeed(app, { projectId: project.id, authorId: user.id }, hostile);
    await app.dataSource.query('UPDATE users SET name = $1 WHERE id = $2', ['<b>\u0002&', user.id]);
    const xml = bodyOf(await read(path, token).expect(200));
    expect(xml).toContain(
      'opened issue #7 ]]&gt;&lt;entry a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;amp; \ufffd\ufffd\ufffd\ufffd 😀',
    );
    expect(xml).toContain('<name>&lt;b&gt;\ufffd&amp;</name>');
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    expect(xml.match(/<entry>/g)).toHaveLength(19);
  });

  it('is private, and 304 for readers who have it', async () => {
    const { project, user, token, path } = await makePlace();
    const empty = await read(path, token).expect(200);
    expect(bodyOf(empty)).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
    await recordMany(app, { projectId: project.id, authorId: user.id, count: 1 });
    const first = await read(path, token).expect(200);
    expect(first.headers['cache-control']).toContain('private');
    expect(first.headers['etag']).not.toBe(empty.headers['etag']);
    const tag = String(first.headers['etag']);
    await read(path, token).set('If-None-Match', tag).expect(304);
    await recordMany(app, { projectId: project.id, authorId: user.id, count: 1 });
    await read(path, token).set('If-None-Match', tag).expect(200);
  });

  it('exists for groups, users and the own projects, with what their pages show', async () => {
    const { project, user, token } = await makePlace();
    await recordMany(app, { projectId: project.id, authorId: user.id, count: 1 });
    const group = project.fullPath.split('/')[0];
    const joined = [`Ann Weaver joined project ${project.fullPath}`];
    for (const path of [
      `/groups/${group}/-/activity.atom`,
      `/users/${user.username}/activity.atom`,
      '/dashboard/activity.atom',
    ]) {
      expect(titlesOf(bodyOf(await read(path, token).expect(200)))).toEqual(joined);
    }
    const stranger = await makePlace();
    expect(titlesOf(bodyOf(await read(`/groups/${group}/-/activity.atom`).expect(200)))).toEqual(
      [],
    );
    const seen = await read(`/users/${user.username}/activity.atom`, stranger.token).expect(200);
    expect(titlesOf(bodyOf(seen))).toEqual([]);
    await read('/users/nobody-has-this-name/activity.atom', token).expect(404);
  });

  it('hides what its page hides', async () => {
    const open = await makePlace({ visibility: 'public' });
    const { issueId } = await makeFeed(
      app,
      { projectId: open.project.id, authorId: open.user.id },
      'Mend the loom',
    );
    await app.dataSource.query('UPDATE issues SET confidential = true WHERE id = $1', [issueId]);
    const stranger = await makePlace();
    expect(bodyOf(await read(open.path).expect(200))).not.toContain('#7 Mend');
    expect(bodyOf(await read(open.path, stranger.token).expect(200))).not.toContain('issue #7');
    expect(bodyOf(await read(open.path, open.token).expect(200))).toContain('issue #7 Mend');
    await read(stranger.path, open.token).expect(404);
    await read(stranger.path).expect(404);
    const hidden = await makeUser(app, { privateProfile: true });
    await recordMany(app, { projectId: open.project.id, authorId: hidden.id, count: 1 });
    const feed = await read(`/users/${hidden.username}/activity.atom`, stranger.token).expect(200);
    expect(titlesOf(bodyOf(feed))).toEqual([]);
  });
});

describe('a feed token', () => {
  it('opens feeds and nothing else', async () => {
    const { project, token, path, user } = await makePlace();
    await read(path, token).expect(200);
    await read(`/${project.fullPath}`, token).expect(404);
    await read(`/${project.fullPath}/-/activity`, token).expect(404);
    await read('/dashboard/activity', token).expect(302);
    await read(`/api/v4/projects/${project.id}`, token).expect(404);
    await request(app.url).get('/api/v4/user').set('PRIVATE-TOKEN', token).expect(401);
    await request(app.url).get('/api/v4/user').set('Authorization', `Bearer ${token}`).expect(401);
    await request(app.url).post(RESET).query({ feed_token: token }).expect(422);
    await request(app.url)
      .get(`/${project.fullPath}.git/info/refs?service=git-upload-pack`)
      .auth(user.username, token)
      .expect(401);
  });

  it('is 401 when it is unknown, whatever else the request has, and for open feeds', async () => {
    const open = await makePlace({ visibility: 'public' });
    await read(open.path).expect(200);
    for (const wrong of ['', 'x', `${open.token}0`, open.token.toUpperCase()]) {
      await read(open.path, wrong).expect(401);
      await open.pages.get(`${open.path}?feed_token=${encodeURIComponent(wrong)}`).expect(401);
    }
    await read(`${open.path}?feed_token[]=${open.token}`).expect(401);
    await read('/dashboard/activity.atom').expect(401);
    await open.pages.get('/dashboard/activity.atom').expect(200);
  });

  it.each(['blocked', 'banned', 'deactivated', 'pending'] as const)(
    'is refused while its user is %s',
    async (state) => {
      const { user, token, path } = await makePlace({ visibility: 'public' });
      await app.dataSource.manager.update(User, { id: user.id }, { state });
      await read(path, token).expect(403);
      await app.dataSource.manager.update(User, { id: user.id }, { state: 'active' });
      await read(path, token).expect(200);
    },
  );

  it('is reset and revoked with an audit row, and stored neither raw nor in the log of it', async () => {
    const { user, pages, token, path } = await makePlace();
    const stored = await app.dataSource.manager.findOneByOrFail(FeedToken, { userId: user.id });
    expect(JSON.stringify(stored)).not.toContain(token);
    const next = await makeToken(pages);
    expect(next).not.toBe(token);
    await read(path, token).expect(401);
    await read(path, next).expect(200);
    await pages.post(`${RESET}/revoke`).expect(303);
    await pages.post(`${RESET}/revoke`).expect(303);
    await read(path, next).expect(401);
    expect(textOf((await pages.get(TOKENS).expect(200)).text)).toContain('Create feed token');
    const rows = await app.dataSource.query<{ action: string; details: object }[]>(
      `SELECT action, details FROM audit_events
       WHERE target_type = 'User' AND target_id = $1 AND action LIKE 'feed%' ORDER BY id`,
      [user.id],
    );
    const actions = ['feed_token_created', 'feed_token_reset', 'feed_token_revoked'];
    expect(rows).toEqual(actions.map((action) => ({ action, details: {} })));
  });

  it('is in the links of the pages of who has one', async () => {
    const { pages, token, path, project } = await makePlace({ visibility: 'public' });
    const page = path.replace('.atom', '');
    const link = (href: string): string =>
      `<link rel="alternate" type="application/atom+xml" href="${href}"`;
    const own = await pages.get(`${page}?filter=issues`).expect(200);
    expect(own.text).toContain(link(`${path}?filter=issues&amp;feed_token=${token}`));
    expect(own.headers['cache-control']).toBe('no-store');
    const anonymous = await request(app.url).get(page).expect(200);
    expect(anonymous.text).toContain(link(path));
    expect(anonymous.text).not.toContain('feed_token');
    const { pages: other } = await makeVisitor(app);
    const { text } = await other.get(page).expect(200);
    expect(text).toContain(link(path));
    expect(text).toContain(`href="${TOKENS}#feed-token"`);
    expect((await pages.get(`/${project.fullPath}`)).text).not.toContain(token);
  });
});
