import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { recordEvent, recordMany } from '../support/event-factories.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { makeFeed } from '../support/feed-factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

const XSS = '<script>alert(1)</script>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Place {
  project: MadeProject;
  /** The only member, and author of what happens. */
  user: MadeUser;
  pages: PageClient;
  /** Address of the feed. */
  path: string;
}

type Attributes = Partial<Parameters<typeof makeProject>[1]>;

async function makePlace(attributes: Attributes = {}): Promise<Place> {
  const { user, pages } = await makeVisitor(app, { name: 'Ann Weaver' });
  const group = await makeGroup(app, { visibility: 'public' });
  const project = await makeProject(app, { namespaceId: group.id, ...attributes });
  await makeMember(app, { project, user, role: 'developer' });
  return { project, user, pages, path: `/${project.fullPath}/-/activity` };
}

function fill({ project, user }: Place, text = 'Mend the loom'): ReturnType<typeof makeFeed> {
  return makeFeed(app, { projectId: project.id, authorId: user.id }, text);
}

async function read(path: string, pages?: PageClient): Promise<string> {
  const asked = pages === undefined ? request(app.url).get(path) : pages.get(path);
  return textOf((await asked.expect(200)).text);
}

/** Sentences of a feed: what stands between the author and the time. */
function sentencesOf(html: string): string[] {
  return [...html.matchAll(/<p class="break-words">([\s\S]*?)<\/p>/g)].map(([, sentence]) =>
    textOf(sentence ?? ''),
  );
}

describe('the feed of a project', () => {
  it('says in a sentence what happened, the latest first', async () => {
    const place = await makePlace();
    await fill(place);
    const { text } = await place.pages.get(place.path).expect(200);
    const path = place.project.fullPath;
    expect(sentencesOf(text)).toEqual([
      `Ann Weaver left project ${path} because the membership expired`,
      `Ann Weaver left project ${path}`,
      'Ann Weaver pushed 4 new branches',
      'Ann Weaver pushed new tag v1',
      'Ann Weaver deleted branch old',
      'Ann Weaver pushed new branch spring',
      'Ann Weaver pushed 2 commits to branch feature/silk',
      'Ann Weaver commented on commit cccccccc',
      'Ann Weaver commented on snippet Mend the loom',
      'Ann Weaver commented on merge request !7 Mend the loom',
      'Ann Weaver commented on issue #7 Mend the loom',
      'Ann Weaver updated wiki page First steps',
      'Ann Weaver accepted merge request !7 Mend the loom',
      'Ann Weaver approved merge request !7 Mend the loom',
      'Ann Weaver opened merge request !7 Mend the loom',
      'Ann Weaver closed milestone Mend the loom',
      'Ann Weaver opened issue #7 Mend the loom',
      `Ann Weaver joined project ${path}`,
      `Ann Weaver created project ${path}`,
    ]);
  });

  it('leads to what it tells of, as far as that has a page', async () => {
    const place = await makePlace();
    const { snippetId, noteIds } = await fill(place);
    const { text } = await place.pages.get(place.path).expect(200);
    const list = /<ul aria-label="Activity[\s\S]*<\/ul>(?=[\s\S]*<\/main>)/.exec(text)?.[0] ?? '';
    const links = [...list.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    const [root, sha] = [`/${place.project.fullPath}`, 'c'.repeat(40)];
    expect(new Set(links)).toEqual(
      new Set([
        `/${place.user.username}`,
        root,
        `${root}/-/commits/v1`,
        `${root}/-/commit/${'2'.repeat(40)}`,
        `${root}/-/commits/spring`,
        `${root}/-/commits/feature/silk`,
        `${root}/-/compare?from=${'1'.repeat(40)}&amp;to=${'2'.repeat(40)}`,
        `${root}/-/commit/${sha}#note_${noteIds.commit}`,
        `${root}/-/snippets/${snippetId}#note_${noteIds.snippet}`,
        `${root}/-/merge_requests/7#note_${noteIds.mergeRequest}`,
        `${root}/-/issues/7#note_${noteIds.issue}`,
        `${root}/-/merge_requests/7`,
        `${root}/-/milestones/7`,
        `${root}/-/issues/7`,
      ]),
    );
    const { text: milestone } = await place.pages.get(`${root}/-/milestones/7`).expect(200);
    expect(textOf(milestone)).toContain('Mend the loom');
  });

  it('shows texts as texts, and of long comments the beginning', async () => {
    const place = await makePlace();
    const { noteIds } = await fill(place, XSS);
    await app.dataSource.query('UPDATE notes SET body = $1 WHERE id = $2', [
      `${'😀'.repeat(199)}ab**c**`,
      noteIds.issue,
    ]);
    const { text } = await place.pages.get(place.path).expect(200);
    expect(text).not.toContain(XSS);
    expect(text).toContain('&lt;script>');
    expect(textOf(text)).toContain(`${'😀'.repeat(199)}a…`);
    expect(textOf(text)).not.toContain('😀ab');
  });

  it.each([
    ['pushes', 5, 'pushed'],
    ['merges', 1, 'accepted'],
    ['issues', 1, 'opened issue'],
    ['comments', 4, 'commented on'],
    ['milestones', 1, 'closed milestone'],
    ['wiki', 1, 'wiki page'],
    ['team', 4, 'project'],
  ])('can be asked for %s only', async (filter, count, words) => {
    const place = await makePlace();
    await fill(place);
    const { text } = await place.pages.get(`${place.path}?filter=${filter}`).expect(200);
    const sentences = sentencesOf(text);
    expect(sentences).toHaveLength(count);
    expect(sentences.join()).toContain(words);
    expect(text).toContain(`href="${place.path}?filter=${filter}" aria-current="page"`);
  });

  it('says when there is nothing, or nothing of that kind', async () => {
    const { path, pages, user, project } = await makePlace();
    expect(await read(path, pages)).toContain('No activity yet Pushes, issues');
    await recordMany(app, { projectId: project.id, authorId: user.id, count: 1 });
    expect(await read(`${path}?filter=wiki`, pages)).toContain('No matching activity');
    await pages.get(`${path}?filter=weather`).expect(400);
  });

  it('has pages of twenty, with the filter kept', async () => {
    const { path, pages, user, project } = await makePlace();
    await recordMany(app, { projectId: project.id, authorId: user.id, count: 45 });
    const { text } = await pages.get(`${path}?filter=team`).expect(200);
    expect(sentencesOf(text)).toHaveLength(20);
    expect(text).toContain(`href="${path}?filter=team&amp;page=2"`);
    const last = await pages.get(`${path}?page=3`).expect(200);
    expect(sentencesOf(last.text)).toHaveLength(5);
  });

  it('folds runs of equal events within a page', async () => {
    const { path, pages, user, project } = await makePlace();
    const root = `/${project.fullPath}/-`;
    await recordMany(app, { projectId: project.id, authorId: user.id, count: 21 });
    const insert = (iid: number) =>
      app.dataSource.query<{ id: number }[]>(
        `INSERT INTO issues (project_id, author_id, iid, title) VALUES ($1, $2, $3, 'Loom')
         RETURNING id`,
        [project.id, user.id, iid],
      );
    for (const iid of [1, 2, 3]) {
      const [issue] = await insert(iid);
      const target = { type: 'issue', id: issue?.id ?? 0 } as const;
      await recordEvent(app, {
        projectId: project.id,
        authorId: user.id,
        action: 'closed',
        target,
      });
    }
    const { text } = await pages.get(`${path}?per_page=10`).expect(200);
    expect(text.match(/<details class="fold /g)).toHaveLength(2);
    expect(textOf(text)).toContain('Ann Weaver closed 3 issues');
    expect(textOf(text)).toContain(`Ann Weaver joined project ${project.fullPath} 7 times`);
    expect(text).toContain(`href="${root}/issues/2"`);
    expect(sentencesOf(text)).toHaveLength(10);
    const rest = await pages.get(`${path}?per_page=10&page=3`).expect(200);
    expect(sentencesOf(rest.text)).toHaveLength(4);
  });

  it('is narrowed down by action and by days, also on further pages', async () => {
    const { path, pages, user, project } = await makePlace();
    const target = { type: 'project', id: project.id } as const;
    const record = (action: 'joined' | 'left', day: string) =>
      recordEvent(app, {
        projectId: project.id,
        authorId: user.id,
        action,
        target,
        createdAt: new Date(`${day}T12:00:00Z`),
      });
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
      await record('joined', day);
      await record('left', day);
    }
    const countOf = async (query: string): Promise<number> =>
      sentencesOf((await pages.get(`${path}?${query}`).expect(200)).text).length;
    expect(await countOf('action=left')).toBe(3);
    expect(await countOf('action=left&from=2026-03-02')).toBe(2);
    expect(await countOf('from=2026-03-02&to=2026-03-02')).toBe(2);
    expect(await countOf('action=&from=&to=2026-03-01')).toBe(2);
    expect(await countOf('filter=pushes&action=left')).toBe(0);
    expect(await countOf('from=0000-01-01&to=9999-12-31')).toBe(6);
    const { text } = await pages.get(`${path}?action=left&to=2026-03-03&per_page=2`).expect(200);
    expect(text).toContain(
      `href="${path}?action=left&amp;to=2026-03-03&amp;page=2&amp;per_page=2"`,
    );
    for (const wrong of ['from=tomorrow', 'to=2026-02-30', 'action=baked']) {
      await pages.get(`${path}?${wrong}`).expect(400);
    }
  });

  it('goes on without authors and milestones that are gone', async () => {
    const place = await makePlace();
    const { id: authorId } = await makeUser(app);
    const { id: projectId } = place.project;
    await makeFeed(app, { projectId, authorId: place.user.id }, 'Mend the loom');
    await app.dataSource.query('DELETE FROM milestones WHERE project_id = $1', [projectId]);
    const target = { type: 'project', id: projectId } as const;
    await recordEvent(app, { projectId, authorId, action: 'joined', target });
    await app.dataSource.query('DELETE FROM namespaces WHERE owner_id = $1', [authorId]);
    await app.dataSource.query('DELETE FROM users WHERE id = $1', [authorId]);
    const text = await read(place.path, place.pages);
    expect(text).toContain(`Deleted user joined project ${place.project.fullPath}`);
    expect(text).toContain('Ann Weaver closed a deleted milestone');
    for (const id of [-1, -2, -3]) {
      const milestone = { type: 'milestone', id } as const;
      await recordEvent(app, {
        projectId,
        authorId: place.user.id,
        action: 'reopened',
        target: milestone,
      });
    }
    const folded = await read(place.path, place.pages);
    expect(folded).toContain('Ann Weaver reopened 3 deleted milestones');
  });

  it('is for who sees the project, and hides what they may not see', async () => {
    const hidden = await makePlace();
    await request(app.url).get(hidden.path).expect(404);
    const { pages: stranger } = await makeVisitor(app);
    await stranger.get(hidden.path).expect(404);
    const open = await makePlace({ visibility: 'public' });
    const { issueId, noteIds } = await fill(open);
    expect(await read(open.path)).toContain('opened issue #7');
    await app.dataSource.query('UPDATE issues SET confidential = true WHERE id = $1', [issueId]);
    await app.dataSource.query('UPDATE notes SET internal = true WHERE id = $1', [noteIds.snippet]);
    const text = await read(open.path, stranger);
    expect(text).not.toMatch(/issue #7|on snippet/);
    expect(text).toContain('commented on merge request !7');
    expect(await read(open.path, open.pages)).toMatch(/on snippet.*opened issue #7/);
  });
});

describe('the feed of a group', () => {
  it('has what happened in all projects below that the viewer sees', async () => {
    const { user, pages } = await makeVisitor(app);
    const top = await makeGroup(app, { visibility: 'public' });
    const below = await makeGroup(app, { parentId: top.id, visibility: 'public' });
    const path = `/groups/${top.fullPath}/-/activity`;
    expect(await read(path)).toContain('No activity yet');
    const open = await makeProject(app, { namespaceId: below.id, visibility: 'public' });
    const hidden = await makeProject(app, { namespaceId: top.id });
    const other = await makeProject(app, {
      namespaceId: (await makeGroup(app, { visibility: 'public' })).id,
      visibility: 'public',
    });
    for (const { id } of [open, hidden, other]) {
      await recordMany(app, { projectId: id, authorId: user.id, count: 1 });
    }
    const joined = ({ fullPath }: MadeProject): string =>
      `Name of ${user.username} joined project ${fullPath}`;
    const sentences = async (client?: PageClient): Promise<string[]> => {
      const asked = client === undefined ? request(app.url).get(path) : client.get(path);
      return sentencesOf((await asked.expect(200)).text).sort();
    };
    expect(await sentences()).toEqual([joined(open)]);
    expect(await sentences(pages)).toEqual([joined(open)]);
    await makeMember(app, { group: top, user, role: 'guest' });
    expect(await sentences(pages)).toEqual([joined(open), joined(hidden)].sort());
  });

  it('names the project where the sentence does not, and is one of the tabs', async () => {
    const place = await makePlace({ visibility: 'public' });
    await fill(place);
    const path = `/groups/${place.project.fullPath.split('/')[0]}/-/activity`;
    const { text } = await request(app.url).get(`${path}?filter=merges`).expect(200);
    expect(sentencesOf(text)).toEqual([
      `Ann Weaver accepted merge request !7 Mend the loom in ${place.project.fullPath}`,
    ]);
    expect(text).toMatch(new RegExp(`href="${path}" aria-current="page"`));
  });

  it('is there for who sees the group', async () => {
    const { fullPath } = await makeGroup(app);
    const { pages } = await makeVisitor(app);
    await pages.get(`/groups/${fullPath}/-/activity`).expect(404);
    await request(app.url).get(`/groups/${fullPath}/-/activity`).expect(404);
  });
});

describe('the feed of a person', () => {
  it('has what they did where the viewer may see it', async () => {
    const { user, project, pages } = await makePlace({ visibility: 'public' });
    const hidden = await makeProject(app, { namespaceId: user.namespaceId });
    for (const { id } of [project, hidden]) {
      await recordMany(app, { projectId: id, authorId: user.id, count: 1 });
    }
    const path = `/users/${user.username}/activity`;
    const anonymous = await read(`/users/${user.username.toUpperCase()}/activity`);
    expect(anonymous).toContain(project.fullPath);
    expect(anonymous).not.toContain(hidden.fullPath);
    expect(await read(path, pages)).toContain(hidden.fullPath);
    await request(app.url).get('/users/nobody-has-this-name/activity').expect(404);
  });

  it('is empty for others when the profile is private or the person is blocked', async () => {
    for (const attributes of [{ privateProfile: true }, { state: 'blocked' } as const]) {
      const user = await makeUser(app, attributes);
      const project = await makeProject(app, {
        namespaceId: user.namespaceId,
        visibility: 'public',
      });
      await recordMany(app, { projectId: project.id, authorId: user.id, count: 1 });
      const path = `/users/${user.username}/activity`;
      const nothing = 'No visible activity';
      expect(await read(path)).toContain(nothing);
      expect(await read(path, (await makeVisitor(app)).pages)).toContain(nothing);
      const { pages: admin } = await makeVisitor(app, { admin: true });
      expect(await read(path, admin)).toContain('joined project');
      expect(await read(`/${user.username}`)).not.toMatch(/Contributions|Recent activity/);
    }
  });
});

describe('the feed of who is signed in', () => {
  it("has all events of the viewer's projects, and links to their own", async () => {
    const { pages, project, path } = await makePlace();
    const { user: colleague } = await makeVisitor(app, { name: unique('Colleague ') });
    await recordMany(app, { projectId: project.id, authorId: colleague.id, count: 1 });
    const elsewhere = await makePlace({ visibility: 'public' });
    await recordMany(app, {
      projectId: elsewhere.project.id,
      authorId: colleague.id,
      count: 1,
    });
    const { text } = await pages.get('/dashboard/activity').expect(200);
    expect(sentencesOf(text)).toEqual([`${colleague.name} joined project ${project.fullPath}`]);
    expect(text).toMatch(/href="\/users\/[^"]+\/activity"[^>]*>\s*Your own activity/);
    expect((await pages.get('/').expect(200)).text).toContain('href="/dashboard/activity"');
    expect(await read(path, pages)).toContain(colleague.name);
  });

  it('is for who is signed in, and says how to fill it', async () => {
    await request(app.url).get('/dashboard/activity').expect(302);
    const pages = await signedIn(app, await makeUser(app));
    expect(await read('/dashboard/activity', pages)).toContain(
      'No activity yet Join or create a project',
    );
  });
});
