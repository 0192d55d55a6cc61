import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { VISIBILITY } from '../../src/identity/members/visibility.js';
import { SEARCH_SCOPES, type SearchScope } from '../../src/instance/search/search-query.js';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeAlert } from '../support/alert-factories.js';
import { makeError } from '../support/error-factories.js';
import { createIssue } from '../support/issue-factories.js';
import { openMergeRequest, commitOn } from '../support/merge-request-factories.js';
import { createMilestone } from '../support/milestone-factories.js';
import { signedIn } from '../support/page-client.js';
import {
  makeGroup,
  makeMemberOf,
  makeOwnedGroup,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

/** A word that nothing else has. */
const word = unique('Zw');

let app: TestApp;
let owner: MadeActor;
let stranger: MadeActor;
let guest: MadeActor;
let reporter: MadeActor;
let secret: { group: MadeGroup; project: MadeProject };
let open: { group: MadeGroup; project: MadeProject };

async function makePlace(visibility: 'private' | 'public'): Promise<typeof secret> {
  const name = `${visibility} ${word}`;
  const group = await makeOwnedGroup(app, owner, { name: `Group ${name}`, visibility });
  const project = await makeProject(app, {
    namespaceId: group.id,
    name: `Project ${name}`,
    visibility,
    files: { 'a.txt': 'a\n' },
  });
  const { api: client, user } = owner;
  await createIssue(client, project, { title: `Issue ${name}` });
  await createIssue(client, project, { title: `Confidential ${name}`, confidential: true });
  await createMilestone(client, project, { title: `Milestone ${name}` });
  await commitOn(app, project, { branch: 'b', from: 'main', user, files: { 'b.txt': 'b\n' } });
  await openMergeRequest(client, project, { source_branch: 'b', title: `Merge ${name}` });
  const [authorId, projectId] = [user.id, project.id];
  const level = VISIBILITY[visibility];
  const title = `Snippet ${name}`;
  await makeSnippet(app, { authorId, projectId, title, visibility: level, files: null });
  return { group, project };
}

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app, { name: `Olga ${word}` });
  stranger = await makeActor(app);
  secret = await makePlace('private');
  open = await makePlace('public');
  guest = await makeMemberOf(app, secret.project, 'guest');
  reporter = await makeMemberOf(app, secret.project, 'reporter');
});

/** Returns names and titles of what is found, without the common word, sorted. */
async function found(
  client: ApiClient,
  scope: SearchScope,
  { search = word, base = '' } = {},
): Promise<string[]> {
  const { body } = await client
    .get(`${base}/search?${new URLSearchParams({ scope, search, per_page: '100' }).toString()}`)
    .expect(200);
  return (body as { title?: string; name?: string }[])
    .map(({ title, name }) => (title ?? name ?? '').replace(` ${word}`, ''))
    .sort();
}

describe('search', () => {
  it('finds nothing of private projects for strangers', async () => {
    const visible: Record<SearchScope, string[]> = {
      projects: ['Project public'],
      groups: ['Group public'],
      users: ['Olga'],
      issues: ['Issue public'],
      merge_requests: ['Merge public'],
      milestones: ['Milestone public'],
      snippet_titles: ['Snippet public'],
    };
    for (const scope of SEARCH_SCOPES) {
      expect([scope, await found(stranger.api, scope)]).toEqual([scope, visible[scope]]);
    }
  });

  it('finds confidential issues for those who can read them', async () => {
    const confidential = async ({ api: client }: MadeActor): Promise<boolean> =>
      (await found(client, 'issues')).includes('Confidential private');
    expect(await confidential(guest)).toBe(false);
    expect(await found(guest.api, 'issues')).toContain('Issue private');
    expect(await confidential(reporter)).toBe(true);
    expect(await confidential(await makeAdmin(app))).toBe(true);
  });

  it('leaves merge requests out for guests of private projects', async () => {
    expect(await found(guest.api, 'merge_requests')).toEqual(['Merge public']);
    expect(await found(reporter.api, 'merge_requests')).toEqual(['Merge private', 'Merge public']);
  });

  it('leaves out what is disabled or being deleted', async () => {
    const name = unique('Gone');
    const { namespaceId } = owner.user;
    const project = await makeProject(app, { namespaceId, name, visibility: 'public' });
    await createIssue(owner.api, project, { title: `Issue ${name}` });
    await createMilestone(owner.api, project, { title: `Milestone ${name}` });
    const rest = (scope: SearchScope): Promise<string[]> =>
      found(stranger.api, scope, { search: name });
    expect(await rest('issues')).toEqual([`Issue ${name}`]);
    await app.dataSource.query(
      'UPDATE projects SET issues_enabled = false, merge_requests_enabled = false WHERE id = $1',
      [project.id],
    );
    expect(await rest('issues')).toEqual([]);
    expect(await rest('milestones')).toEqual([]);
    await app.dataSource.query('UPDATE projects SET pending_delete = true WHERE id = $1', [
      project.id,
    ]);
    expect(await rest('projects')).toEqual([]);
  });

  it('needs a sign-in, a scope and something to search for', async () => {
    await api(app.url).get('/search?scope=projects&search=abc').expect(401);
    await api(app.url)
      .get(`/projects/${open.project.id}/search?scope=issues&search=abc`)
      .expect(401);
    const bad = [
      '',
      'scope=projects',
      'search=abc',
      'scope=blobs&search=abc',
      'scope=users&search=',
    ]
      .concat(`scope=users&search=${'x'.repeat(4_097)}`)
      .concat(`scope=users&search=${'abc+'.repeat(65)}`);
    for (const query of bad) await stranger.api.get(`/search?${query}`).expect(400);
    await stranger.api
      .get(`/projects/${secret.project.id}/search?scope=issues&search=abc`)
      .expect(404);
    await stranger.api.get(`/groups/${secret.group.id}/search?scope=issues&search=abc`).expect(404);
  });

  it('returns the objects of the lists', async () => {
    for (const [scope, path] of [
      ['issues', `/projects/${open.project.id}/issues?search=${word}&confidential=false`],
      ['merge_requests', `/projects/${open.project.id}/merge_requests?search=${word}`],
      ['milestones', `/projects/${open.project.id}/milestones?search=${word}`],
      ['groups', `/groups?search=${word}`],
      ['projects', `/projects?search=${word}&simple=true`],
    ] as const) {
      const [listed] = (await stranger.api.get(path).expect(200)).body as object[];
      const { body } = await stranger.api.get(`/search?scope=${scope}&search=${word}`).expect(200);
      const [hit] = body as Record<string, unknown>[];
      // Outside of the project its number alone is ambiguous.
      delete hit?.['references'];
      delete hit?.['reference'];
      expect(listed).toMatchObject(hit as object);
    }
  });

  it('searches a project, or a group with all below it', async () => {
    const inProject = { base: `/projects/${secret.project.id}` };
    const inGroup = { base: `/groups/${secret.group.id}` };
    expect(await found(owner.api, 'issues', inProject)).toEqual([
      'Confidential private',
      'Issue private',
    ]);
    expect(await found(owner.api, 'projects', inGroup)).toEqual(['Project private']);
    expect(await found(owner.api, 'groups', inGroup)).toEqual([]);
    expect(await found(owner.api, 'merge_requests', inGroup)).toEqual(['Merge private']);
    expect(await found(owner.api, 'users', inGroup)).toEqual(['Olga']);
    expect(await found(owner.api, 'users', inProject)).toEqual(['Olga']);
    expect(await found(owner.api, 'snippet_titles', inProject)).toEqual(['Snippet private']);
    const subgroup = await makeGroup(app, { parentId: secret.group.id, name: `Sub ${word}` });
    expect(await found(owner.api, 'groups', inGroup)).toEqual(['Sub']);
    expect(subgroup.id).toBeGreaterThan(0);
  });

  it('finds all words in any order, quoted phrases, and wildcards as they are', async () => {
    const search = (text: string): Promise<string[]> =>
      found(stranger.api, 'issues', { search: text });
    expect(await search(`public ${word}`)).toEqual(['Issue public']);
    expect(await search(`"Issue public ${word}"`)).toEqual(['Issue public']);
    expect(await search(`"public issue" ${word}`)).toEqual([]);
    expect(await search(word.toLowerCase().slice(1))).toEqual(['Issue public']);
    for (const text of [`${word}%`, `_${word}`, `${word}\\`, `"${word}`, `a ${word}`]) {
      expect([text, (await search(text)).length]).toEqual([
        text,
        /["a]/.test(text[0] ?? '') ? 1 : 0,
      ]);
    }
  });

  it('finds names of signs when they are equal', async () => {
    const { namespaceId } = owner.user;
    const name = unique('C++.');
    await makeProject(app, { namespaceId, name, visibility: 'public' });
    expect(await found(stranger.api, 'projects', { search: '++.' })).not.toContain(name);
    expect(await found(stranger.api, 'projects', { search: name.slice(4) })).toContain(name);
  });

  it('finds short names when they are equal', async () => {
    const name = 'Qz';
    const { namespaceId } = owner.user;
    await makeProject(app, { namespaceId, name, visibility: 'public' });
    expect(await found(stranger.api, 'projects', { search: 'qz' })).toContain(name);
    expect(await found(stranger.api, 'projects', { search: 'q' })).not.toContain(name);
  });

  it('pages, sorts and filters by state', async () => {
    const name = unique('Paged');
    const { project } = open;
    for (const at of [1, 2, 3]) await createIssue(owner.api, project, { title: `${name} ${at}` });
    await owner.api.put(`/projects/${project.id}/issues/3`, { state_event: 'close' }).expect(200);
    const path = `/search?scope=issues&search=${name}`;
    const first = await stranger.api.get(`${path}&per_page=2&sort=asc`).expect(200);
    expect((first.body as { title: string }[]).map(({ title }) => title)).toEqual([
      `${name} 1`,
      `${name} 2`,
    ]);
    expect(first.headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' });
    const closed = await stranger.api.get(`${path}&state=closed`).expect(200);
    expect((closed.body as { title: string }[]).map(({ title }) => title)).toEqual([`${name} 1`]);
  });

  it('puts equal names first, then those that begin alike, then the newest', async () => {
    const name = unique('First');
    const { namespaceId } = owner.user;
    const named = async (prefix: string, suffix: string): Promise<void> => {
      const text = `${prefix}${name.toUpperCase()}${suffix}`;
      await makeProject(app, { namespaceId, name: text, visibility: 'public' });
      await makeGroup(app, { name: text, visibility: 'public' });
      await makeActor(app, { name: text });
    };
    await named('Old ', '');
    await named('', '');
    await named('', ' one');
    await named('', ' two');
    await named('New ', '');
    const big = name.toUpperCase();
    const best = [big, `${big} two`, `${big} one`, `New ${big}`, `Old ${big}`];
    const pages = await signedIn(app, owner.user);
    const palette = (await pages.get(`/search/palette?term=${name}`).expect(200)).text;
    for (const scope of ['projects', 'groups', 'users']) {
      const path = `/search?scope=${scope}&search=${name}&per_page=2`;
      const names: string[] = [];
      for (const page of [1, 2, 3]) {
        const { body, headers } = await owner.api.get(`${path}&page=${page}`).expect(200);
        expect(headers).toMatchObject({ 'x-total': '5' });
        names.push(...(body as { name: string }[]).map((item) => item.name));
      }
      expect([scope, names]).toEqual([scope, best]);
      const { body } = await owner.api.get(`${path}&page=4`).expect(200);
      expect(body).toEqual([]);
      const oldest = await owner.api.get(`${path}&sort=asc`).expect(200);
      expect(oldest.body).toMatchObject([{ name: `Old ${big}` }, { name: big }]);
      const tab = textOf((await pages.get(`/search?scope=${scope}&search=${name}`)).text);
      expect(tab).toMatch(new RegExp(best.join('.*')));
    }
    // Four of each kind.
    expect(textOf(palette)).toContain(`New ${big}`);
    expect(textOf(palette)).not.toContain(`Old ${big}`);
  });

  it('ranks the names that the viewer can see among any number of others', async () => {
    const name = unique('Same');
    const { namespaceId } = owner.user;
    const equal = await makeProject(app, { namespaceId, name, visibility: 'public' });
    await makeProject(app, { namespaceId, name: `New ${name}`, visibility: 'public' });
    const secretId = secret.group.id;
    await app.dataSource.query(
      `WITH made AS (
         INSERT INTO namespaces (kind, parent_id, name, path, full_path, full_name)
         SELECT 'group', $1, 'Part ' || n, lower($2) || n, 'part/' || lower($2) || n, 'Part ' || n
         FROM generate_series(1, 205) n RETURNING id
       ), part AS (INSERT INTO groups (id, repository_storage) SELECT id, 'default' FROM made)
       INSERT INTO projects (namespace_id, name, path, repository_storage)
       SELECT id, $2, lower($2), 'default' FROM made`,
      [secretId, name],
    );
    const path = `/search?scope=projects&search=${name}&per_page=2`;
    const { body, headers } = await stranger.api.get(path).expect(200);
    expect(body).toMatchObject([{ id: equal.id }, { name: `New ${name}` }]);
    expect(headers).toMatchObject({ 'x-total': '2' });
  });

  it('finds what begins alike after the names that are ranked', async () => {
    const name = unique('Many');
    await app.dataSource.query(
      `INSERT INTO users (username, name, email, confirmed_at, created_at)
       SELECT lower($1) || '-' || n, 'Person ' || n, lower($1) || n || '@example.com', now(),
         now() - n * interval '1 minute' FROM generate_series(1, 205) n`,
      [name],
    );
    const path = `/search?scope=users&search=${name}&per_page=100`;
    const usernames: string[] = [];
    for (const page of [1, 2, 3]) {
      const { body } = await owner.api.get(`${path}&page=${page}`).expect(200);
      usernames.push(...(body as { username: string }[]).map(({ username }) => username));
    }
    expect(new Set(usernames).size).toBe(205);
    expect(usernames).toHaveLength(205);
    const best = await makeActor(app, { name });
    const first = await owner.api.get(`${path}&per_page=1`).expect(200);
    expect(first.body).toMatchObject([{ id: best.user.id }]);
    const signs = await makeActor(app, { name: `${name}_%\\` });
    await makeActor(app, { name: `A ${name}_%\\` });
    const literal = new URLSearchParams({ scope: 'users', search: `${name}_%\\`, per_page: '1' });
    const { body } = await owner.api.get(`/search?${literal.toString()}`).expect(200);
    expect(body).toMatchObject([{ id: signs.user.id }]);
  });

  it('walks an index', async () => {
    const plan = await app.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      const rows = await manager.query<Record<string, string>[]>(
        `EXPLAIN SELECT id FROM issues WHERE title ILIKE '%abcdef%'`,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('ix_issues_search');
  });
});

describe('the search page', () => {
  it('shows visitors what is public, and no people', async () => {
    const { text } = await request(app.url).get(`/search?search=${word}`).expect(200);
    expect(text).toContain(`href="/${open.project.fullPath}"`);
    expect(textOf(text)).toContain('Projects 1 Groups 1 Issues 1 Merge requests 1 Milestones 1');
    expect(text).not.toContain('private');
    expect(text).not.toContain(owner.user.username);
    const people = await request(app.url).get(`/search?search=${word}&scope=users`).expect(200);
    expect(people.text).not.toContain(owner.user.username);
  });

  it('counts what each viewer can see', async () => {
    const pages = await signedIn(app, guest.user);
    const { text } = await pages.get(`/search?search=${word}&scope=issues`).expect(200);
    expect(textOf(text)).toContain(`Issue private ${word}`);
    expect(text).not.toContain('Confidential private');
    expect(textOf(text)).toMatch(/People 1 Issues 2 Merge requests 1/);
  });

  it('shows alerts to developers and errors to reporters, on the page and in the palette', async () => {
    const { project } = secret;
    const { iid } = await makeAlert(app, project, { title: `Disk ${word}`, status: 1 });
    const { id } = await makeError(app, project, { type: 'TypeError', value: `No ${word}` });
    const alert = `href="/${project.fullPath}/-/alert_management/${iid}/details"`;
    const error = `href="/${project.fullPath}/-/error_tracking/${id}/details"`;
    const developer = await makeMemberOf(app, project, 'developer');
    const seen = async (user: MadeActor['user']): Promise<boolean[]> => {
      const pages = await signedIn(app, user);
      const addresses = ['alerts', 'errors'].map((one) => `/search?search=${word}&scope=${one}`);
      const texts: string[] = [];
      for (const address of [...addresses, `/search/palette?term=${word}`]) {
        texts.push((await pages.get(address).expect(200)).text);
      }
      const [alerts = '', errors = '', palette = ''] = texts;
      expect([palette.includes(alert), palette.includes(error)]).toEqual([
        alerts.includes(alert),
        errors.includes(error),
      ]);
      return [alerts.includes(alert), errors.includes(error)];
    };
    expect(await seen(developer.user)).toEqual([true, true]);
    expect(await seen((await makeAdmin(app)).user)).toEqual([true, true]);
    expect(await seen(reporter.user)).toEqual([false, true]);
    expect(await seen(guest.user)).toEqual([false, false]);
    expect(await seen(stranger.user)).toEqual([false, false]);
    const anyone = await request(app.url).get(`/search?search=${word}&scope=errors`).expect(200);
    expect(anyone.text).not.toContain(error);
    await developer.api.get(`/search?scope=alerts&search=${word}`).expect(400);
  });

  it('shows the latest alerts of all projects of a user first', async () => {
    const title = unique('Disk');
    for (const [name, { project }] of Object.entries({
      first: secret,
      second: open,
      third: secret,
    })) {
      await makeAlert(app, project, { title: `${title} ${name}`, status: 1 });
    }
    const pages = await signedIn(app, owner.user);
    const shown = async (query: string): Promise<string[]> => {
      const { text } = await pages.get(`/search?search=${title}&scope=alerts${query}`).expect(200);
      return [...textOf(text).matchAll(new RegExp(`${title} (\\w+)`, 'g'))].map(
        ([, name]) => name ?? '',
      );
    };
    expect(await shown('')).toEqual(['third', 'second', 'first']);
    expect(await shown('&per_page=2')).toEqual(['third', 'second']);
    expect(await shown('&per_page=2&page=2')).toEqual(['first']);
  });

  it('shows the rest when the search of one kind takes too long', async () => {
    const runner = app.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query('LOCK TABLE errors IN ACCESS EXCLUSIVE MODE');
      const pages = await signedIn(app, owner.user);
      const [page, palette] = await Promise.all([
        pages.get(`/search?search=${word}&scope=errors`).expect(200),
        pages.get(`/search/palette?term=${word}`).expect(200),
      ]);
      expect(textOf(page.text)).toMatch(/Alerts 1 Errors Milestones 2/);
      expect(textOf(page.text)).toContain('The search took too long');
      expect(palette.text).toContain(`href="/${open.project.fullPath}"`);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('explains empty results, short texts and itself, and shows text as it was typed', async () => {
    const page = async (search: string): Promise<string> => {
      const query = new URLSearchParams({ search }).toString();
      return (await request(app.url).get(`/search?${query}`).expect(200)).text;
    };
    expect(textOf(await page(unique('nothing')))).toContain('No projects match your search');
    expect(textOf(await page('~'))).toContain('Enter at least 3 characters');
    expect(textOf(await page(' '))).toContain('Search names and titles');
    const html = await page('"><script>alert(1)</script>');
    expect(html).not.toContain('<script>alert');
    await request(app.url).get('/search?search=abc&scope=blobs').expect(400);
  });

  it('offers a few of each kind to the command palette', async () => {
    const path = `/search/palette?term=${word}`;
    const { text } = await request(app.url).get(path).expect(200);
    expect(text).toContain(`<a role="option" href="/${open.project.fullPath}">`);
    expect(text).not.toContain('private');
    expect(text).not.toContain('<html');
    const member = await (await signedIn(app, reporter.user)).get(path).expect(200);
    expect(member.text).toContain(`Confidential private ${word}`);
    await request(app.url).get('/search/palette').expect(400);
  });
});
