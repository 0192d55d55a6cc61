import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewEvent } from '../../src/core/activity/event.entity.js';
import { Note } from '../../src/workspace/notes/note.entity.js';
import type { Role } from '../../src/identity/members/roles.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api, type ApiClient } from '../support/api-client.js';
import { makePush, recordEvent } from '../support/event-factories.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import {
  makeGroup,
  makeMember,
  makeMemberOf,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let author: MadeActor;
let admin: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});
beforeEach(async () => {
  author = await makeActor(app);
});

type Attributes = Partial<Parameters<typeof makeProject>[1]>;

/** A project of a group of its own in which everything below is done by the author, a developer. */
async function makePlace(attributes: Attributes = {}): Promise<MadeProject> {
  const group = await makeGroup(app, { visibility: 'public' });
  const place = await makeProject(app, { namespaceId: group.id, ...attributes });
  await makeMember(app, { project: place, user: author.user, role: 'developer' });
  return place;
}

type Kind = Omit<NewEvent, 'projectId' | 'authorId'>;

function record(place: MadeProject, event: Kind): Promise<number> {
  return recordEvent(app, { projectId: place.id, authorId: author.user.id, ...event });
}

async function comment(
  place: MadeProject,
  noteable: NonNullable<Kind['noteable']>,
  columns: Partial<Note>,
): Promise<number> {
  const note = { authorId: author.user.id, body: 'A comment', ...columns };
  const inserted = await app.dataSource.manager.insert(Note, note);
  const { id } = inserted.identifiers[0] as { id: number };
  return record(place, { action: 'commented', target: { type: 'note', id }, noteable });
}

const onCommit = (place: MadeProject, columns: Partial<Note> = {}): Promise<number> =>
  comment(
    place,
    { type: 'commit', id: null },
    { commitProjectId: place.id, commitSha: 'a'.repeat(40), ...columns },
  );

async function makeMergeRequest({ id }: MadeProject): Promise<number> {
  const [row] = await app.dataSource.query<[{ id: number }]>(
    `INSERT INTO merge_requests (project_id, iid, author_id, title, source_branch, target_branch,
       head_sha, base_sha)
     SELECT $1, 1 + count(*), $2, 'A merge request', 'topic' || count(*), 'main',
       repeat('a', 40), repeat('b', 40) FROM merge_requests WHERE project_id = $1 RETURNING id`,
    [id, author.user.id],
  );
  return Number(row.id);
}

async function makeRow(table: 'milestones' | 'wiki_pages', { id }: MadeProject): Promise<number> {
  const columns = table === 'milestones' ? ['iid, title', `1, 'A milestone'`] : ['path', `'a.md'`];
  const [row] = await app.dataSource.query<[{ id: number }]>(
    `INSERT INTO ${table} (project_id, ${columns[0]}) VALUES ($1, ${columns[1]}) RETURNING id`,
    [id],
  );
  return Number(row.id);
}

/** Every kind of event, once each; ids by kind. */
async function everyKind(place: MadeProject): Promise<Record<string, number>> {
  const issue = await createIssue(author.api, place);
  const mergeRequest = await makeMergeRequest(place);
  const snippet = await makeSnippet(app, {
    authorId: author.user.id,
    projectId: place.id,
    visibility: 20,
  });
  const about = (type: 'milestone' | 'wiki_page' | 'merge_request', id: number) =>
    record(place, { action: 'created', target: { type, id } });
  const project = { type: 'project', id: place.id } as const;
  return {
    push: await record(place, { action: 'pushed', push: makePush() }),
    issue: await record(place, { action: 'closed', target: { type: 'issue', id: issue.id } }),
    mergeRequest: await about('merge_request', mergeRequest),
    milestone: await about('milestone', await makeRow('milestones', place)),
    wiki: await about('wiki_page', await makeRow('wiki_pages', place)),
    joined: await record(place, { action: 'joined', target: project }),
    onIssue: await comment(place, { type: 'issue', id: issue.id }, { issueId: issue.id }),
    onMergeRequest: await comment(
      place,
      { type: 'merge_request', id: mergeRequest },
      { mergeRequestId: mergeRequest },
    ),
    onCommit: await onCommit(place),
    onSnippet: await comment(place, { type: 'snippet', id: snippet.id }, { snippetId: snippet.id }),
  };
}

interface Listed {
  id: number;
  project_id: number;
  author_id: number;
}

/** IDs of the author's events that the lists show; they must agree about the project. */
async function seen(client: ApiClient, place: MadeProject): Promise<number[]> {
  const query = 'per_page=100&sort=asc';
  const list = async (path: string): Promise<Listed[]> => {
    const { body, headers } = await client.get(path);
    if (!Array.isArray(body)) return [];
    expect(headers['x-total']).toBe(String(body.length));
    return (body as Listed[]).filter(
      (event) => event.project_id === place.id && event.author_id === author.user.id,
    );
  };
  const ids = (events: { id: number }[]): number[] => events.map(({ id }) => id);
  const ofUser = ids(await list(`/users/${author.user.id}/events?${query}`));
  expect(ids(await list(`/projects/${place.id}/events?${query}`))).toEqual(ofUser);
  return ofUser;
}

function names(kinds: Record<string, number>, ids: number[]): string[] {
  return Object.keys(kinds).filter((name) => ids.includes(kinds[name] ?? 0));
}

const anonymous = (): ApiClient => api(app.url);

async function askers(place: MadeProject): Promise<Record<string, ApiClient>> {
  const member = async (role: Role): Promise<ApiClient> =>
    (await makeMemberOf(app, place, role)).api;
  return {
    anonymous: anonymous(),
    stranger: (await makeActor(app)).api,
    external: (await makeActor(app, { external: true })).api,
    guest: await member('guest'),
    planner: await member('planner'),
    reporter: await member('reporter'),
    admin: admin.api,
  };
}

const ALL = [
  'push',
  'issue',
  'mergeRequest',
  'milestone',
  'wiki',
  'joined',
  'onIssue',
  'onMergeRequest',
  'onCommit',
  'onSnippet',
];
const CODE = ['push', 'mergeRequest', 'onMergeRequest', 'onCommit'];
const WITHOUT_CODE = ALL.filter((kind) => !CODE.includes(kind));

describe('what is seen of each kind of event', () => {
  it.each([
    ['public', { anonymous: ALL, stranger: ALL, external: ALL, guest: ALL }],
    ['internal', { anonymous: [], stranger: ALL, external: [], guest: ALL }],
    ['private', { anonymous: [], stranger: [], external: [], guest: WITHOUT_CODE }],
  ] as const)('in a %s project', async (visibility, expected) => {
    const place = await makePlace({ visibility });
    const kinds = await everyKind(place);
    const wanted: Record<string, readonly string[]> = {
      ...expected,
      planner: expected.guest,
      reporter: ALL,
      admin: ALL,
    };
    for (const [viewer, client] of Object.entries(await askers(place))) {
      expect([viewer, names(kinds, await seen(client, place))]).toEqual([viewer, wanted[viewer]]);
    }
  });

  it.each([
    [{ issuesEnabled: false }, ['issue', 'onIssue']],
    [{ mergeRequestsEnabled: false }, ['mergeRequest', 'onMergeRequest']],
    [
      { issuesEnabled: false, mergeRequestsEnabled: false },
      ['issue', 'onIssue', 'mergeRequest', 'onMergeRequest', 'milestone'],
    ],
    [{ wikiEnabled: false }, ['wiki']],
    [{ repositoryEnabled: false }, ['push', 'onCommit', 'mergeRequest', 'onMergeRequest']],
    [{ snippetsEnabled: false }, ['onSnippet']],
  ])('with %p', async (features, hidden) => {
    const place = await makePlace({ visibility: 'public' });
    const kinds = await everyKind(place);
    await app.dataSource.manager.update('Project', { id: place.id }, features);
    const rest = ALL.filter((kind) => !hidden.includes(kind));
    const reporter = await makeMemberOf(app, place, 'reporter');
    for (const client of [anonymous(), reporter.api])
      expect(names(kinds, await seen(client, place))).toEqual(rest);
    // Administrators see the snippets of every project.
    const all = hidden.includes('onSnippet') ? ALL : rest;
    expect(names(kinds, await seen(admin.api, place))).toEqual(all);
  });

  it('is the same through a group above, as long as the membership lasts', async () => {
    const top = await makeGroup(app);
    const below = await makeGroup(app, { parentId: top.id });
    const place = await makeProject(app, { namespaceId: below.id });
    await makeMember(app, { project: place, user: author.user, role: 'developer' });
    const kinds = await everyKind(place);
    const [guest, reporter, former] = await Promise.all([1, 2, 3].map(() => makeActor(app)));
    const join = (actor: MadeActor, role: Role, expiresAt?: string) =>
      makeMember(app, { group: top, user: actor.user, role, ...(expiresAt && { expiresAt }) });
    await Promise.all([join(guest!, 'guest'), join(reporter!, 'reporter')]);
    await join(former!, 'owner', '2020-01-01');
    expect(names(kinds, await seen(guest!.api, place))).toEqual(WITHOUT_CODE);
    expect(names(kinds, await seen(reporter!.api, place))).toEqual(ALL);
    expect(await seen(former!.api, place)).toEqual([]);
    const { body } = await guest!.api.get('/events?scope=all&per_page=100&sort=asc').expect(200);
    expect(
      names(
        kinds,
        body.map(({ id }: { id: number }) => id),
      ),
    ).toEqual(WITHOUT_CODE);
    expect((await former!.api.get('/events?scope=all').expect(200)).body).toEqual([]);
  });
});

describe('what is kept among few', () => {
  it('is a confidential issue and the comments on it', async () => {
    const place = await makePlace({ visibility: 'public' });
    const [writer, assignee] = [
      await makeMemberOf(app, place, 'guest'),
      await makeMemberOf(app, place, 'guest'),
    ];
    const issue = await createIssue(writer.api, place, { title: 'A secret' });
    const kinds = {
      closed: await record(place, { action: 'closed', target: { type: 'issue', id: issue.id } }),
      comment: await comment(place, { type: 'issue', id: issue.id }, { issueId: issue.id }),
    };
    const both = Object.keys(kinds);
    expect(names(kinds, await seen(anonymous(), place))).toEqual(both);
    await app.dataSource.query('INSERT INTO issue_assignees (issue_id, user_id) VALUES ($1, $2)', [
      issue.id,
      assignee.user.id,
    ]);
    await app.dataSource.query('UPDATE issues SET confidential = true WHERE id = $1', [issue.id]);
    const clients = await askers(place);
    for (const viewer of ['anonymous', 'stranger', 'external', 'guest', 'planner'])
      expect([viewer, await seen(clients[viewer]!, place)]).toEqual([viewer, []]);
    for (const client of [clients['reporter']!, admin.api, writer.api, assignee.api])
      expect(names(kinds, await seen(client, place))).toEqual(both);
    const { headers } = await anonymous().get(`/projects/${place.id}/events`).expect(200);
    expect(headers['x-total']).toBe('0');
  });

  it('are internal notes, of whatever they are beneath', async () => {
    const place = await makePlace({ visibility: 'public' });
    const issue = await createIssue(author.api, place);
    const mergeRequest = await makeMergeRequest(place);
    const internal = { internal: true };
    const kinds = {
      issue: await comment(
        place,
        { type: 'issue', id: issue.id },
        { issueId: issue.id, ...internal },
      ),
      mergeRequest: await comment(
        place,
        { type: 'merge_request', id: mergeRequest },
        { mergeRequestId: mergeRequest, ...internal },
      ),
      commit: await onCommit(place, internal),
    };
    const clients = await askers(place);
    for (const viewer of ['anonymous', 'stranger', 'guest', 'planner'])
      expect([viewer, names(kinds, await seen(clients[viewer]!, place))]).toEqual([viewer, []]);
    for (const client of [clients['reporter']!, admin.api])
      expect(names(kinds, await seen(client, place))).toEqual(Object.keys(kinds));
  });

  it('are comments on snippets that the viewer does not see', async () => {
    const place = await makePlace({ visibility: 'public' });
    const owner = await makeActor(app);
    const on = async (visibility: number): Promise<number> => {
      const { id } = await makeSnippet(app, {
        authorId: owner.user.id,
        projectId: place.id,
        visibility,
        files: null,
      });
      return comment(place, { type: 'snippet', id }, { snippetId: id });
    };
    const kinds = { private: await on(0), internal: await on(10), public: await on(20) };
    const clients = await askers(place);
    const wanted = {
      anonymous: ['public'],
      external: ['public'],
      stranger: ['internal', 'public'],
      guest: ['private', 'internal', 'public'],
      admin: ['private', 'internal', 'public'],
    };
    for (const [viewer, expected] of Object.entries(wanted))
      expect([viewer, names(kinds, await seen(clients[viewer]!, place))]).toEqual([
        viewer,
        expected,
      ]);
    expect(names(kinds, await seen(owner.api, place))).toEqual(Object.keys(kinds));
  });

  it('is what is about something that is gone', async () => {
    const place = await makePlace({ visibility: 'public' });
    const gone = 999_999_999;
    const guest = await makeMemberOf(app, place, 'guest');
    await record(place, { action: 'closed', target: { type: 'issue', id: gone } });
    await record(place, {
      action: 'commented',
      target: { type: 'note', id: gone },
      noteable: { type: 'commit', id: null },
    });
    expect(await seen(guest.api, place)).toEqual([]);
  });
});

describe('a change of what is seen', () => {
  it('counts for old events at once', async () => {
    const place = await makePlace({ visibility: 'public' });
    const open = await makePlace({ visibility: 'public' });
    const kinds = await everyKind(place);
    const others = await everyKind(open);
    expect(names(kinds, await seen(anonymous(), place))).toEqual(ALL);
    await admin.api.put(`/projects/${place.id}`, { visibility: 'private' }).expect(200);
    expect(await seen(anonymous(), place)).toEqual([]);
    expect(names(others, await seen(anonymous(), open))).toEqual(ALL);
    await admin.api.delete(`/projects/${open.id}`).expect(202);
    expect(await seen(anonymous(), open)).toEqual([]);
    expect(await seen(admin.api, open)).toEqual([]);
    const all = await author.api.get('/events?scope=all&per_page=100').expect(200);
    expect(all.body.every((event: { project_id: number }) => event.project_id !== open.id)).toBe(
      true,
    );
  });

  it('is never told by totals and pages, which are full of what is seen', async () => {
    const place = await makePlace({ visibility: 'private' });
    const guest = await makeMemberOf(app, place, 'guest');
    for (let count = 0; count < 12; count += 1) {
      await record(place, { action: 'pushed', push: makePush() });
      if (count % 2 === 0) await recordIssue(place);
    }
    const path = `/projects/${place.id}/events?per_page=5`;
    const first = await guest.api.get(path).expect(200);
    expect(first.body).toHaveLength(5);
    expect(first.headers).toMatchObject({ 'x-total': '6', 'x-total-pages': '2' });
    const second = await guest.api.get(`${path}&page=2`).expect(200);
    expect(second.body).toHaveLength(1);
    expect(second.headers['x-next-page']).toBe('');
  });
});

/** One event about an issue that everyone sees who sees the project. */
async function recordIssue(place: MadeProject): Promise<void> {
  await createIssue(author.api, place);
}
