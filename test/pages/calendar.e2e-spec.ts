import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { NewEvent } from '../../src/core/activity/event.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makePush, recordEvent } from '../support/event-factories.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { makeFeed } from '../support/feed-factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, signedIn } from '../support/page-client.js';
import { makeMember, makeProject, type MadeProject } from '../support/project-factories.js';

const DAY_MS = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Place {
  user: MadeUser;
  project: MadeProject;
  path: string;
}

async function makePlace(
  attributes: Parameters<typeof makeUser>[1] = {},
  visibility: 'public' | 'private' = 'public',
): Promise<Place> {
  const user = await makeUser(app, attributes);
  const project = await makeProject(app, { namespaceId: user.namespaceId, visibility });
  return { user, project, path: `/users/${user.username}/calendar.json` };
}

/** Noon (UTC) so many days ago. */
function noon(days: number): Date {
  return new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2 - days * DAY_MS);
}

const dayOf = (days: number): string => noon(days).toISOString().slice(0, 10);

async function push(
  { user, project }: Place,
  createdAt: Date,
  event: Partial<NewEvent> = {},
): Promise<void> {
  const given = { action: 'pushed', push: makePush(), ...event } as const;
  await recordEvent(app, { projectId: project.id, authorId: user.id, createdAt, ...given });
}

async function calendar(path: string): Promise<unknown> {
  const { body } = await request(app.url).get(path).expect(200);
  return body;
}

describe('GET /users/:username/calendar.json', () => {
  it('counts by days in UTC, oldest first, for everyone', async () => {
    const place = await makePlace();
    for (const days of [3, 1, 3]) await push(place, noon(days));
    await push(place, new Date(`${dayOf(5)}T00:00:00.000Z`));
    await push(place, new Date(`${dayOf(5)}T23:59:59.999Z`));
    const { text, headers } = await request(app.url).get(place.path).expect(200);
    expect(text).toBe(`{"${dayOf(5)}":2,"${dayOf(3)}":2,"${dayOf(1)}":1}`);
    expect(headers['content-type']).toBe('application/json');
  });

  it('counts pushes and comments, and what is done about issues and merge requests', async () => {
    const { user, project, path } = await makePlace();
    await makeFeed(app, { projectId: project.id, authorId: user.id }, 'Mend the loom');
    const days = (await calendar(path)) as Record<string, number>;
    const total = Object.values(days).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(5 + 4 + 1 + 3);
  });

  it('goes back twelve months', async () => {
    const place = await makePlace();
    const today = new Date().toISOString();
    const first = new Date(`${Number(today.slice(0, 4)) - 1}${today.slice(4, 10)}T00:00:00.000Z`);
    await push(place, first);
    await push(place, new Date(first.getTime() - 1));
    expect(await calendar(place.path)).toEqual({ [first.toISOString().slice(0, 10)]: 1 });
  });

  it('leaves out what the viewer may not see', async () => {
    const place = await makePlace({}, 'private');
    await push(place, noon(2));
    expect(await calendar(place.path)).toEqual({});
    const own = await signedIn(app, place.user);
    const { body } = await own.get(place.path).expect(200);
    expect(body).toEqual({ [dayOf(2)]: 1 });
    const { user: colleague, pages } = await makeVisitor(app);
    expect((await pages.get(place.path)).body).toEqual({});
    await makeMember(app, { project: place.project, user: colleague, role: 'developer' });
    expect((await pages.get(place.path)).body).toEqual({ [dayOf(2)]: 1 });
  });

  it('counts for each viewer what their list of events has', async () => {
    const { user, project, path } = await makePlace();
    const place = { projectId: project.id, authorId: user.id };
    const { issueId, noteIds } = await makeFeed(app, place, 'Mend the loom');
    await app.dataSource.query('UPDATE issues SET confidential = true WHERE id = $1', [issueId]);
    await app.dataSource.query('UPDATE notes SET internal = true WHERE id = $1', [noteIds.snippet]);
    const total = async (role?: 'guest' | 'reporter'): Promise<number> => {
      const { user: viewer, pages } = await makeVisitor(app);
      if (role) await makeMember(app, { project, user: viewer, role });
      const { body } = await pages.get(path).expect(200);
      return Object.values(body as Record<string, number>).reduce((sum, one) => sum + one, 0);
    };
    expect([await total(), await total('guest'), await total('reporter')]).toEqual([10, 10, 13]);
    const off = { issuesEnabled: false, mergeRequestsEnabled: false, snippetsEnabled: false };
    await app.dataSource.manager.update(Project, { id: project.id }, off);
    expect([await total(), await total('reporter')]).toEqual([6, 6]);
    await app.dataSource.manager.update(Project, { id: project.id }, { pendingDelete: true });
    expect(await total('reporter')).toBe(0);
  });

  it('is empty of private profiles, but for themselves and administrators', async () => {
    const place = await makePlace({ privateProfile: true });
    await push(place, noon(2));
    expect(await calendar(place.path)).toEqual({});
    const { pages } = await makeVisitor(app);
    expect((await pages.get(place.path).expect(200)).body).toEqual({});
    for (const pages of [
      await signedIn(app, place.user),
      (await makeVisitor(app, { admin: true })).pages,
    ]) {
      expect((await pages.get(place.path).expect(200)).body).toEqual({ [dayOf(2)]: 1 });
    }
  });

  it('tells whether it has changed, at once', async () => {
    const place = await makePlace();
    await push(place, noon(2));
    const { headers } = await request(app.url).get(place.path).expect(200);
    const known = { 'If-None-Match': headers['etag'] ?? '' };
    expect(headers['etag']).toMatch(/^W\/"/);
    await request(app.url).get(place.path).set(known).expect(304);
    await push(place, noon(1));
    await request(app.url).get(place.path).set(known).expect(200);
    await request(app.url).head(place.path).expect(200);
  });

  it('takes names of any case and with dots, and refuses unknown ones', async () => {
    const user = await makeUser(app, { username: `a.weaver${Date.now()}` });
    const path = `/users/${user.username.toUpperCase()}/calendar.json`;
    expect(await calendar(path)).toEqual({});
    await request(app.url).get('/users/nobody-has-this-name/calendar.json').expect(404);
    await request(app.url).post(path).expect(405);
  });
});

describe('the calendar on the page of a user', () => {
  it('has a square for each day, the numbers as a table, and the latest of what happened', async () => {
    const place = await makePlace();
    for (const days of [3, 1, 3]) await push(place, noon(days));
    const { text } = await request(app.url).get(`/${place.user.username}`).expect(200);
    const squares = text.match(/<rect[^>]*><title>/g) ?? [];
    expect(squares.length).toBeGreaterThanOrEqual(366);
    // A year, also one with a leap day, and up to six days before it.
    expect(squares.length).toBeLessThanOrEqual(367 + 6);
    const date = (days: number): string =>
      noon(days).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
    expect(text).toContain(`<title>2 contributions on ${date(3)}</title>`);
    expect(text).toContain(`<title>1 contribution on ${date(1)}</title>`);
    expect(text).toContain(`<title>No contributions on ${date(2)}</title>`);
    expect(textOf(text)).toContain('3 contributions on 2 days.');
    expect(textOf(text)).toMatch(new RegExp(`${dayOf(1)} 1 ${dayOf(3)} 2`));
    expect(text).toContain(`href="/users/${place.user.username}/activity"`);
    expect(textOf(text).match(/pushed 1 commit to branch main/g)).toHaveLength(3);
  });

  it('has the latest ten events, and says when there are none', async () => {
    const place = await makePlace();
    const read = async (): Promise<string> =>
      textOf((await request(app.url).get(`/${place.user.username}`).expect(200)).text);
    expect(await read()).toContain('No visible activity');
    for (let days = 0; days < 12; days += 1) await push(place, noon(days + 1));
    expect((await read()).match(/pushed 1 commit/g)).toHaveLength(10);
  });
});
