import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { ContainersRepository } from '../../src/git/containers.repository.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import type { Role } from '../../src/identity/members/roles.js';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser, unique, type MadeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import {
  commitOn,
  type MergeRequestBody,
  moveBranches,
} from '../support/merge-request-factories.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import { makeMember, makeProject, type MadeProject } from '../support/project-factories.js';

const XSS = '<script>alert(1)</script>';

let app: TestApp;
let owner: MadeUser;
let pages: PageClient;
let client: ApiClient;

beforeAll(async () => {
  app = await sharedTestApp();
  ({ user: owner, pages } = await makeVisitor(app, { name: 'Grace Hopper' }));
  client = api(app.url, await makeToken(app, owner));
});

interface Place {
  project: MadeProject;
  /** Address of the list. */
  list: string;
}

/** A public project with a commit on `main` and, on `feature`, one more. */
async function place(
  attributes: Partial<Parameters<typeof makeProject>[1]> = {},
  files: Record<string, string> = { 'b.txt': 'two\n' },
): Promise<Place> {
  const { namespaceId } = owner;
  const given = { namespaceId, visibility: 'public' as const, files: { 'a.txt': 'one\n' } };
  const project = await makeProject(app, { ...given, ...attributes });
  await commitOn(app, project, {
    ...{ branch: 'feature', from: 'main', user: owner, files },
    message: 'Add the second part\n\nIt was missing.',
  });
  return { project, list: `/${project.fullPath}/-/merge_requests` };
}

async function member(of: MadeProject, role: Role): Promise<PageClient> {
  const user = await makeUser(app);
  await makeMember(app, { project: of, user, role });
  return signedIn(app, user);
}

const BRANCHES = { source_branch: 'feature', target_branch: 'main' };

/** Opens one by the form and answers its address. */
async function open(
  { list }: Place,
  fields: Record<string, string> = {},
  by: PageClient = pages,
): Promise<string> {
  const sent = { ...BRANCHES, title: unique('Second part '), ...fields };
  const made = await by.post(`${list}/new`, sent);
  expect([made.status, textOf(made.text)]).toEqual([303, expect.anything()]);
  return String(made.headers['location']);
}

async function bodyOf({ project }: Place, iid: number): Promise<MergeRequestBody> {
  const response = await client.get(`/projects/${project.id}/merge_requests/${iid}`);
  return response.body as MergeRequestBody;
}

async function read(address: string, by: PageClient = pages): Promise<string> {
  return textOf((await by.get(address).expect(200)).text);
}

/** Tip of `main`. */
async function tip({ project }: Place): Promise<string> {
  const response = await client.get(`/projects/${project.id}/repository/branches/main`);
  return (response.body as { commit: { id: string } }).commit.id;
}

const asked = (source: string, target?: string): string => {
  const query = new URLSearchParams({ 'merge_request[source_branch]': source });
  if (target !== undefined) query.set('merge_request[target_branch]', target);
  return `new?${query.toString()}`;
};

describe('new merge requests', () => {
  it('are for two branches that are chosen first', async () => {
    const { list } = await place();
    const first = await pages.get(`${list}/new`).expect(200);
    expect(first.text).toContain('<option value="feature"');
    expect(first.text).not.toContain('name="title"');
    const { text } = await pages.get(`${list}/${asked('feature')}`).expect(200);
    expect(text).toContain('value="Add the second part"');
    expect(textOf(text)).toContain('feature is 1 commit ahead of main.');
    expect(text).toContain('name="reviewers"');
  });

  it('are made by a form with everything that plans the work', async () => {
    const here = await place();
    const reviewer = await makeUser(app);
    await makeMember(app, { project: here.project, user: reviewer, role: 'reporter' });
    const address = await open(here, {
      title: 'The second part',
      draft: 'true',
      description: 'It is **needed**\r\n\r\nat once',
      assignees: `@${owner.username}`,
      reviewers: reviewer.username,
      labels: 'part, urgent',
      remove_source_branch: 'true',
    });
    expect(address).toBe(`${here.list}/1`);
    expect(await bodyOf(here, 1)).toMatchObject({
      title: 'Draft: The second part',
      description: 'It is **needed**\n\nat once',
      draft: true,
      assignees: [{ username: owner.username }],
      reviewers: [{ username: reviewer.username }],
      labels: ['part', 'urgent'],
      force_remove_source_branch: true,
    });
    const { text } = await pages.get(address).expect(200);
    expect(text).toContain('<strong>needed</strong>');
    const shown = textOf(text);
    const parts = [
      'Open',
      'Draft',
      'feature',
      'main',
      'part',
      'Add the second part',
      reviewer.name,
    ];
    for (const part of parts) expect(shown).toContain(part);
  });

  it('show what is wrong, with what was typed in', async () => {
    const here = await place();
    const bad = { ...BRANCHES, title: 'x', description: XSS, reviewers: 'nobody-of-that-name' };
    const { text } = await pages.post(`${here.list}/new`, bad).expect(422);
    expect(textOf(text)).toContain('Reviewers contain an unknown name: nobody-of-that-name.');
    expect(text).not.toContain(XSS);
    expect(text).toContain('&lt;script');
    const untitled = await pages.post(`${here.list}/new`, { ...BRANCHES, draft: 'true' });
    expect(untitled.status).toBe(422);
    expect(textOf(untitled.text)).toContain('Title is empty.');
    const gone = { source_branch: 'gone', title: 'Keep me' };
    const missing = await pages.post(`${here.list}/new`, gone).expect(422);
    expect(textOf(missing.text)).toContain('Source branch "gone" does not exist.');
    expect(missing.text).toContain('value="Keep me"');
    expect(await read(here.list)).toContain('No merge requests yet');
  });

  it('say why branches cannot be joined', async () => {
    const here = await place();
    const tell = async (source: string, target?: string): Promise<string> =>
      read(`${here.list}/${asked(source, target)}`);
    expect(await tell('gone')).toContain('Source branch "gone" does not exist.');
    expect(await tell('feature', 'gone')).toContain('Target branch "gone" does not exist.');
    expect(await tell('main')).toContain("You can't use same project/branch");
    expect(await tell('main', 'feature')).toContain('Nothing to merge');
    await open(here);
    expect(await tell('feature')).toContain('!1 is open for these branches.');
    const again = await pages.post(`${here.list}/new`, { ...BRANCHES, title: 'Again' }).expect(422);
    expect(textOf(again.text)).toContain('Another open merge request already exists');
  });

  it('take no odd name for a branch', async () => {
    const { list } = await place();
    const names = ['-x', '--all', 'a\nb', '@{-1}', 'refs/heads/feature', 'ä'.repeat(500)];
    for (const name of names) {
      const { status, text } = await pages.get(`${list}/${asked(name)}`);
      expect([name, status, text.includes('name="title"')]).toEqual([name, 200, false]);
      const sent = await pages.post(`${list}/new`, { source_branch: name, title: 'Kept' });
      expect([name, sent.status, sent.text.includes('value="Kept"')]).toEqual([name, 422, true]);
    }
    for (const query of [
      'merge_request=x',
      'merge_request[]=x',
      'merge_request[source_branch][]=x',
    ]) {
      await pages.get(`${list}/new?${query}`).expect(200);
    }
  });

  it('are for Developers, where the project takes them', async () => {
    const here = await place();
    const reporter = await member(here.project, 'reporter');
    await reporter.get(`${here.list}/new`).expect(404);
    await reporter.post(`${here.list}/new`, { ...BRANCHES, title: 'x' }).expect(404);
    expect((await reporter.get(here.list)).text).not.toContain('New merge request');
    await open(here, {}, await member(here.project, 'developer'));
    await request(app.url).get(`${here.list}/new`).expect(302);
    const shut = [
      { archived: true },
      { mergeRequestsEnabled: false },
      { repositoryEnabled: false },
    ];
    for (const attributes of shut) {
      const { project, list } = await place();
      await app.dataSource.manager.update(Project, project.id, attributes);
      await pages.get(`${list}/new`).expect(404);
      await pages.post(`${list}/new`, { ...BRANCHES, title: 'x' }).expect(404);
    }
  });

  it('are offered beside branches', async () => {
    const here = await place();
    const { text } = await pages.get(`/${here.project.fullPath}/-/branches`).expect(200);
    const link = /href="([^"]*merge_requests\/new[^"]*)"/.exec(text)?.[1] ?? '';
    expect(await read(link.replaceAll('&amp;', '&'))).toContain('1 commit');
  });
});

describe('the list', () => {
  it('shows merge requests by state with their numbers', async () => {
    const here = await place();
    expect(await read(here.list)).toContain('No merge requests yet');
    const first = await open(here, { title: 'Alpha' });
    await pages.post(`${first}/state`, { state_event: 'close' }).expect(303);
    await open(here, { title: 'Beta' });
    const text = await read(here.list);
    expect(text).toContain('Beta');
    expect(text).not.toContain('Alpha');
    expect(text).toMatch(/Open 1 Merged 0 Closed 1 All 2/);
    expect(await read(`${here.list}?state=closed`)).toContain('Alpha');
    await pages.get(`${here.list}?state=some`).expect(400);
  });

  it('counts many of a state every half a minute, and few each time', async () => {
    const here = await place();
    const add = (state: 'opened' | 'merged', count: number) =>
      app.dataSource.query(
        `INSERT INTO merge_requests (project_id, iid, author_id, title, state, merged_at,
           source_branch, target_branch, head_sha, base_sha)
         SELECT $1, coalesce((SELECT max(iid) FROM merge_requests WHERE project_id = $1), 0) + n,
           $4, 'Many', $2, CASE WHEN $2 = 'merged' THEN now() END, 'many-' || n || $2 || now(), 'main',
           '', '' FROM generate_series(1, $3::int) n`,
        [here.project.id, state, count, owner.id],
      );
    await add('merged', 10_001);
    await add('opened', 1);
    const numbers = /Open (\S+) Merged (\S+) Closed (\S+) All (\S+)/;
    const counts = async () => numbers.exec(await read(here.list))?.slice(1);
    const [, many, none] = (await counts()) ?? [];
    expect(none).toBe('0');
    await app.dataSource.query(
      `DELETE FROM merge_requests WHERE project_id = $1 AND state = 'merged' AND iid < 5000`,
      [here.project.id],
    );
    await add('opened', 1);
    expect((await counts())?.slice(0, 3)).toEqual(['2', many, '0']);
  });

  it('is filtered by text, label and people, and ordered', async () => {
    const here = await place();
    await open(here, { title: 'Alpha', labels: 'roof', assignees: owner.username });
    await commitOn(app, here.project, {
      ...{ branch: 'other', from: 'main', user: owner, files: { 'c.txt': 'c\n' } },
    });
    await open(here, { title: 'Beta', source_branch: 'other', reviewers: owner.username });
    const cases: [string, string[]][] = [
      ['search=alph', ['Alpha']],
      ['label=roof', ['Alpha']],
      [`assignee=%40${owner.username}`, ['Alpha']],
      ['assignee=none', ['Beta']],
      ['reviewer=any', ['Beta']],
      [`reviewer=${owner.username}`, ['Beta']],
      [`author=${owner.username}`, ['Alpha', 'Beta']],
      ['search=gamma', []],
    ];
    for (const [query, found] of cases) {
      const text = await read(`${here.list}?state=opened&${query}`);
      expect([query, ['Alpha', 'Beta'].filter((title) => text.includes(title))]).toEqual([
        query,
        found,
      ]);
    }
    const byTitle = await read(`${here.list}?order=title_asc`);
    expect(byTitle.indexOf('Alpha')).toBeLessThan(byTitle.indexOf('Beta'));
    expect(await read(`${here.list}?search=gamma`)).toContain(
      'No merge requests match these filters',
    );
    expect(await read(`${here.list}?per_page=1`)).toContain('Next');
  });

  it('is for who reads the code', async () => {
    const here = await place();
    const address = await open(here);
    await request(app.url).get(here.list).expect(200);
    await request(app.url).get(address).expect(200);
    const closed = await place({ visibility: 'private' });
    const inside = await open(closed);
    const guest = await member(closed.project, 'guest');
    const { pages: stranger } = await makeVisitor(app);
    for (const by of [guest, stranger]) {
      for (const path of ['', '/diffs', '/commits', '/edit', '/merge_box']) {
        await by.get(`${inside}${path}`).expect(404);
      }
      await by.post(`${inside}/merge`).expect(404);
      await by.post(`${inside}/notes`, { body: 'x' }).expect(404);
      await by.get(closed.list).expect(404);
    }
    await (await member(closed.project, 'reporter')).get(inside).expect(200);
  });

  it('shows how to start in an empty project', async () => {
    const project = await makeProject(app, { namespaceId: owner.namespaceId });
    const list = `/${project.fullPath}/-/merge_requests`;
    const text = await read(list);
    expect(text).toContain('Push a branch to merge it');
    expect(text).not.toContain('New merge request');
    await pages.get(`${list}/new`).expect(404);
  });
});

describe('a merge request', () => {
  it('shows its commits and changes', async () => {
    const here = await place({}, { 'b.txt': 'two\n', 'docs/c.txt': 'three\nfour\n' });
    const address = await open(here);
    expect(await read(address)).toContain('Add the second part');
    expect(await read(`${address}/commits`)).toContain('Add the second part');
    const changes = await read(`${address}/diffs`);
    expect(changes).toContain('2 files changed: 3 lines added , 0 lines removed .');
    expect(changes).toContain('docs/c.txt');
    await pages.get(`${here.list}/99/diffs`).expect(404);
  });

  it('counts its comments, commits and files on each tab', async () => {
    const here = await place({}, { 'b.txt': 'two\n', 'docs/c.txt': 'three\nfour\n' });
    const address = await open(here, { title: 'Draft: Second part' });
    // A slow machine does not count files before it has read the diff.
    for (const path of [`${address}/diffs`, `${address}/commits`, address]) {
      expect(await read(path)).toContain('Overview 0 comments Commits 1 commit Changes 2 files');
    }
    await pages.post(`${address}/notes`, { body: 'Looks good.' }).expect(303);
    await pages.post(`${address}/notes`, { body: 'Hush.', internal: 'true' }).expect(303);
    await pages.post(`${address}/draft`, { draft: 'false' }).expect(303);
    const noted = await read(address);
    expect(noted).toContain('marked this merge request as ready');
    expect(noted).toContain('Overview 2 comments');
    expect(await read(address, await member(here.project, 'reporter'))).toContain(
      'Overview 2 comments',
    );
    expect(await read(address, await member(here.project, 'guest'))).toContain(
      'Overview 1 comment Commits',
    );
  });

  it('shows nothing of its texts, branches and files as HTML', async () => {
    // The spam check refuses such links where others than members see them.
    const here = await place({ visibility: 'private' });
    const branch = `x"><img/src=x/onerror=alert(1)>`;
    await commitOn(app, here.project, {
      ...{ branch, from: 'main', user: owner, message: XSS },
      files: { [`${XSS.replaceAll('/', ' ')}"><img src=x onerror=alert(1)>.txt`]: XSS },
    });
    const address = await open(here, {
      source_branch: branch,
      title: XSS,
      labels: `"><img src=x onerror=alert(1)>`,
      description: `${XSS} [x](javascript:alert(1)) ![y](https://a.example/y.png)`,
    });
    await pages.post(`${address}/notes`, { body: `<img src=x onerror=alert(1)> ${XSS}` });
    const places = [here.list, address, `${address}/diffs`, `${address}/commits`];
    const forms = [`${address}/edit`, `${here.list}/${asked(branch)}`];
    for (const path of [...places, ...forms]) {
      const { text } = await pages.get(path).expect(200);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toMatch(/<img[ /]src=x/);
      expect(text).not.toContain('href="javascript');
    }
  });

  it('has tasks that can be toggled by users who can change it', async () => {
    const here = await place();
    const address = await open(here, { description: '- [ ] one\n- [x] two' });
    const { text } = await pages.get(address).expect(200);
    const [, digest = ''] = /name="digest" value="(\w+)"/.exec(text) ?? [];
    const sent = { task: '1', digest };
    await (await signedIn(app, await makeUser(app))).post(`${address}/edit/task`, sent).expect(404);
    await pages.post(`${address}/edit/task`, sent).expect(303).expect('Location', address);
    await pages.post(`${address}/edit/task`, sent).expect(303);
    expect((await bodyOf(here, 1)).description).toBe('- [ ] one\n- [ ] two');
  });

  it('is changed by its form, with notes of what was done', async () => {
    const here = await place();
    await moveBranches(app, here.project, { user: owner, branches: { stable: await tip(here) } });
    const address = await open(here, { title: 'Draft: First name', labels: 'a' });
    const form = await pages.get(`${address}/edit`).expect(200);
    expect(form.text).toContain('value="First name"');
    await pages
      .post(`${address}/edit`, {
        title: 'Second name',
        description: '',
        draft: 'false',
        target_branch: 'stable',
        assignees: owner.username,
        labels: '',
        discussion_locked: 'true',
      })
      .expect(303);
    expect(await bodyOf(here, 1)).toMatchObject({
      title: 'Second name',
      target_branch: 'stable',
      labels: [],
      assignees: [{ id: owner.id }],
      discussion_locked: true,
    });
    const text = await read(address);
    expect(text).toContain('marked this merge request as ready');
    expect(text).toContain('changed target branch from main to stable');
    const bad = await pages.post(`${address}/edit`, { title: '' }).expect(422);
    expect(textOf(bad.text)).toContain('Title is empty.');
    const gone = { title: 'Third name', target_branch: 'gone' };
    const missing = await pages.post(`${address}/edit`, gone).expect(422);
    expect(textOf(missing.text)).toContain('Target branch "gone" does not exist.');
    expect(missing.text).toContain('value="Third name"');
  });

  it('is closed, reopened and deleted by buttons', async () => {
    const here = await place();
    const address = await open(here);
    await pages.post(`${address}/state`, { state_event: 'close' }).expect(303);
    const closed = await read(address);
    expect(closed).toContain('Closed without being merged by Grace Hopper');
    expect(closed).toContain('Reopen merge request');
    await open(here, { title: 'Another' });
    const clash = await pages.post(`${address}/state`, { state_event: 'reopen' }).expect(422);
    expect(textOf(clash.text)).toContain('Another open merge request already exists');
    await pages.post(`${here.list}/2/state`, { state_event: 'close' }).expect(303);
    await pages.post(`${address}/state`, { state_event: 'reopen' }).expect(303);
    expect(await bodyOf(here, 1)).toMatchObject({ state: 'opened' });
    const maintainer = await member(here.project, 'maintainer');
    await maintainer.post(`${address}/delete`).expect(404);
    const gone = await pages.post(`${address}/delete`).expect(303);
    expect(gone.headers['location']).toBe(here.list);
    await pages.get(address).expect(404);
  });

  it('is left alone by strangers, and in archived projects', async () => {
    const here = await place();
    const address = await open(here);
    const { pages: stranger } = await makeVisitor(app);
    expect((await stranger.get(address).expect(200)).text).not.toContain(`${address}/edit`);
    await stranger.get(`${address}/edit`).expect(404);
    await stranger.post(`${address}/state`, { state_event: 'close' }).expect(403);
    await stranger.post(`${address}/draft`, { draft: 'true' }).expect(403);
    await stranger.post(`${address}/merge`).expect(403);
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [
      here.project.id,
    ]);
    const text = await read(address);
    expect(text).toContain('The project is archived');
    expect(text).not.toContain('Close merge request');
    for (const path of ['merge', 'state', 'draft', 'notes', 'edit', 'delete']) {
      await pages.post(`${address}/${path}`, { body: 'x', title: 'x' }).expect(404);
    }
  });
});

describe('merging', () => {
  it('merges with a message, removes the branch and closes issues', async () => {
    const here = await place();
    await client.post(`/projects/${here.project.id}/issues`, { title: 'Roof leaks' });
    const address = await open(here, { description: 'Closes #1' });
    const before = await read(address);
    expect(before).toContain('Ready to merge.');
    expect(before).toContain('#1 Roof leaks');
    const { sha } = await bodyOf(here, 1);
    const other = await makeUser(app, { name: 'Mary Shaw' });
    await makeMember(app, { project: here.project, user: other, role: 'maintainer' });
    expect(before).toContain('Grace Hopper wants to merge feature');
    const merged = await (
      await signedIn(app, other)
    ).post(`${address}/merge`, {
      sha,
      merge_commit_message: 'Join both\r\n\r\nat last',
      should_remove_source_branch: 'true',
    });
    expect([merged.status, merged.headers['location']]).toEqual([303, address]);
    expect(await bodyOf(here, 1)).toMatchObject({ state: 'merged' });
    const after = await read(address);
    expect(after).toContain('Merged by Mary Shaw');
    expect(after).toContain('Mary Shaw merged feature');
    expect(after).not.toContain('Ready to merge.');
    expect(await read(`${address}/diffs`)).toContain('1 file changed');
    const id = here.project.id;
    const commit = await client.get(`/projects/${id}/repository/commits/main`);
    expect(commit.body).toMatchObject({ message: 'Join both\n\nat last\n' });
    await client.get(`/projects/${id}/repository/branches/feature`).expect(404);
    expect((await client.get(`/projects/${id}/issues/1`)).body).toMatchObject({ state: 'closed' });
  });

  it('lists the conflicting files, and looks the storage up once for the page', async () => {
    const here = await place({}, { 'a.txt': 'mine\n' });
    const address = await open(here);
    await commitOn(app, here.project, {
      ...{ branch: 'main', user: owner, files: { 'a.txt': 'theirs\n' } },
    });
    const lookups = jest.spyOn(app.app.get(ContainersRepository, { strict: false }), 'findState');
    const text = await read(address);
    expect(lookups).toHaveBeenCalledTimes(1);
    lookups.mockRestore();
    expect(text).toContain('Merge conflicts must be resolved');
    expect(text).toMatch(/Conflicting files: a\.txt/);
    const { text: refused } = await pages
      .post(`${address}/merge`, { merge_commit_message: 'Mine' })
      .expect(422);
    expect(textOf(refused)).toContain('Branch cannot be merged: there are conflicts.');
  });

  it('keeps the input after a concurrent push', async () => {
    const here = await place();
    const address = await open(here);
    const { sha } = await bodyOf(here, 1);
    await commitOn(app, here.project, {
      ...{ branch: 'feature', user: owner, files: { 'c.txt': 'c\n' } },
    });
    const typed = { sha, merge_commit_message: 'All of it', should_remove_source_branch: 'true' };
    const { text } = await pages.post(`${address}/merge`, typed).expect(422);
    expect(textOf(text)).toContain('The source branch has new commits.');
    expect(text).toContain('All of it</textarea>');
    expect(text).toMatch(/value="true"[^>]*checked|checked[^>]*value="true"/);
    const now = /name="sha" value="([0-9a-f]{40})"/.exec(text)?.[1] ?? '';
    expect(now).not.toBe(sha);
    await pages.post(`${address}/merge`, { ...typed, sha: now }).expect(303);
  });

  it('waits until drafts are ready', async () => {
    const here = await place();
    const address = await open(here, { title: 'Draft: not yet' });
    expect(await read(address)).toContain('This is a draft');
    const { text } = await pages.post(`${address}/merge`).expect(422);
    expect(textOf(text)).toContain('Drafts and closed merge requests cannot be merged.');
    await pages.post(`${address}/draft`, { draft: 'false' }).expect(303);
    expect(await bodyOf(here, 1)).toMatchObject({ title: 'not yet' });
    expect(await read(address)).toContain('Ready to merge.');
  });

  it('waits until the repository is where it is moved to', async () => {
    const here = await place();
    const address = await open(here);
    await app.dataSource.query('UPDATE projects SET repository_read_only = true WHERE id = $1', [
      here.project.id,
    ]);
    expect(await read(address)).toContain('The repository is read-only');
    const { text } = await pages.post(`${address}/merge`).expect(422);
    expect(textOf(text)).toContain('temporarily read-only');
  });

  it('is for who may push to the target branch', async () => {
    const here = await place();
    const address = await open(here);
    const developer = await member(here.project, 'developer');
    const text = await read(address, developer);
    expect(text).toContain('Maintainers and above can merge into main.');
    await developer.post(`${address}/merge`).expect(403);
    await (await member(here.project, 'maintainer')).post(`${address}/merge`).expect(303);
  });

  it('shows when a branch was deleted, or has no more changes', async () => {
    const here = await place();
    const address = await open(here);
    await moveBranches(app, here.project, { user: owner, branches: { feature: await tip(here) } });
    expect(await read(address)).toContain('Nothing to merge');
    await moveBranches(app, here.project, { user: owner, branches: { feature: null } });
    const text = await read(address);
    expect(text).toContain('Branch not found');
    const { text: refused } = await pages.post(`${address}/merge`).expect(422);
    expect(textOf(refused)).toContain('the source branch does not exist');
  });

  it('is checked again by a part of the page', async () => {
    const here = await place();
    const address = await open(here);
    const { text } = await pages.get(`${address}/merge_box`).expect(200);
    expect(text).toContain('id="merge-box"');
    expect(text).not.toContain('<html');
    expect(textOf(text)).toContain('Ready to merge.');
  });
});

describe('comments', () => {
  async function noteIds({ project }: Place): Promise<number[]> {
    const rows = await app.dataSource.query<{ id: number }[]>(
      `SELECT n.id FROM notes n JOIN merge_requests r ON r.id = n.merge_request_id
       WHERE r.project_id = $1 AND NOT n.system ORDER BY n.id`,
      [project.id],
    );
    return rows.map(({ id }) => id);
  }

  it('are written, changed and deleted by forms', async () => {
    const here = await place();
    const address = await open(here);
    const sent = await pages.post(`${address}/notes`, { body: 'One\r\n\r\n**two**' }).expect(303);
    const [id] = await noteIds(here);
    expect(sent.headers['location']).toBe(`${address}#note_${id}`);
    expect((await pages.get(address)).text).toContain('<p>One</p>\n<p><strong>two</strong></p>');
    const note = `${address}/notes/${id}`;
    expect((await pages.get(`${note}/edit`).expect(200)).text).toContain('One\n\n**two**');
    await pages.post(`${note}/edit`, { body: 'Three' }).expect(303);
    expect(await read(address)).toMatch(/edited .*Three/);
    const blank = await pages.post(`${note}/edit`, { body: ' ' }).expect(422);
    expect(textOf(blank.text)).toContain("Body can't be blank.");
    const { pages: other } = await makeVisitor(app);
    await other.post(`${note}/edit`, { body: 'x' }).expect(403);
    await other.post(`${note}/delete`).expect(403);
    await pages.post(`${note}/delete`).expect(303);
    expect(await noteIds(here)).toEqual([]);
    const empty = await pages.post(`${address}/notes`, { body: '\r\n ' }).expect(422);
    expect(textOf(empty.text)).toContain("Body can't be blank.");
  });

  it('run their commands, and the page shows it', async () => {
    const here = await place();
    const address = await open(here);
    const sent = await pages.post(`${address}/notes`, { body: '/draft\r\n/lock' }).expect(303);
    expect(sent.headers['location']).toBe(address);
    const flash = /_svc_flash=[^;]*/.exec(String(sent.headers['set-cookie']))?.[0] ?? '';
    const cookie = `_svc_session=${pages.cookie}; ${flash}`;
    const { text } = await pages.get(address).set('Cookie', cookie);
    expect(text).toContain('>Marked this merge request as a draft. Locked the discussion.<');
    expect(await noteIds(here)).toEqual([]);
    const mixed = await pages.post(`${address}/notes`, { body: 'Go\r\n/ready' }).expect(303);
    const [id] = await noteIds(here);
    expect(mixed.headers['location']).toBe(`${address}#note_${id}`);
  });

  it('may be internal, and need membership when the discussion is locked', async () => {
    const here = await place();
    const address = await open(here);
    await pages.post(`${address}/notes`, { body: 'Hush now', internal: 'true' }).expect(303);
    const { pages: stranger } = await makeVisitor(app);
    expect(await read(address, stranger)).not.toContain('Hush now');
    await stranger.post(`${address}/notes`, { body: 'Open word' }).expect(303);
    expect(await read(address)).toContain('Open word');
    expect(textOf((await request(app.url).get(address)).text)).toContain('Sign in to comment.');
    await app.dataSource.query(
      'UPDATE merge_requests SET discussion_locked = true WHERE project_id = $1',
      [here.project.id],
    );
    expect(await read(address, stranger)).toContain('The discussion is locked.');
    await stranger.post(`${address}/notes`, { body: 'x' }).expect(403);
  });

  it('stand oldest first above the form, the latest on the first page', async () => {
    const here = await place();
    const address = await open(here);
    for (const body of ['first one', 'second one', 'third one']) {
      await pages.post(`${address}/notes`, { body }).expect(303);
    }
    const text = await read(`${address}?per_page=2`);
    expect(text).toMatch(/Show earlier activity.*second one.*third one.*Add comment/);
    expect(text).not.toContain('first one');
    const next = await read(`${address}?per_page=2&page=2`);
    expect(next).toContain('first one');
    expect(next).toContain('Add the second part');
  });
});
