import { beforeAll, describe, expect, it } from '@jest/globals';
import { Milestone } from '../../src/workspace/milestones/milestone.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makePush, recordEvent } from '../support/event-factories.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let app: TestApp;
let ann: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  ann = await makeActor(app);
});

function project(): Promise<MadeProject> {
  return makeProject(app, { namespaceId: ann.user.namespaceId, visibility: 'public' });
}

type Body = Record<string, unknown>;

async function eventsOf(client: MadeActor['api'], place: MadeProject, query = ''): Promise<Body[]> {
  const { body } = await client.get(`/projects/${place.id}/events?${query}`).expect(200);
  return body as Body[];
}

function author({ user }: MadeActor): Body {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: `${app.url}/${user.username}`,
  };
}

describe('an event about an issue', () => {
  it('has these fields, and `data` in the list of its project', async () => {
    const place = await project();
    const bob = await makeMemberOf(app, place, 'developer');
    const { id, iid } = await createIssue(bob.api, place, { title: 'It is broken' });
    const [own] = (await bob.api.get('/events').expect(200)).body;
    const expected = {
      id: expect.any(Number),
      title: null,
      project_id: place.id,
      action_name: 'opened',
      target_id: id,
      target_iid: iid,
      target_type: 'Issue',
      author_id: bob.user.id,
      target_title: 'It is broken',
      created_at: expect.stringMatching(TIME),
      author: author(bob),
      author_username: bob.user.username,
      imported: false,
      imported_from: 'none',
    };
    expect(own).toEqual(expected);
    const ofUser = await ann.api.get(`/users/${bob.user.username}/events`).expect(200);
    expect(ofUser.body).toEqual([own]);
    expect(await eventsOf(ann.api, place)).toEqual([{ ...own, data: null }]);
  });

  it('says what happened: closing, and opening for the first time and again', async () => {
    const place = await project();
    const { iid } = await createIssue(ann.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    await ann.api.put(path, { state_event: 'close' }).expect(200);
    await ann.api.put(path, { state_event: 'reopen' }).expect(200);
    const named = async (query: string): Promise<unknown[]> =>
      (await eventsOf(ann.api, place, query)).map(({ action_name: name }) => name);
    expect(await named('sort=asc')).toEqual(['opened', 'closed', 'opened']);
    expect(await named('action=closed&target_type=issue')).toEqual(['closed']);
    expect(await named('action=reopened')).toEqual(['opened']);
    expect(await named('action=created')).toEqual(['opened']);
  });

  it('goes with the issue, and so do those of its comments', async () => {
    const place = await project();
    const { iid } = await createIssue(ann.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    await ann.api.post(`${path}/notes`, { body: 'Really?' }).expect(201);
    const other = await createIssue(ann.api, place);
    await ann.api.delete(path).expect(204);
    const left = await eventsOf(ann.api, place);
    expect(left.map(({ target_id: id }) => id)).toEqual([other.id]);
  });
});

describe('an event of a comment', () => {
  it('brings the whole note', async () => {
    const place = await project();
    const bob = await makeMemberOf(app, place, 'developer');
    const { id, iid } = await createIssue(ann.api, place, { title: 'It is broken' });
    const path = `/projects/${place.id}/issues/${iid}/notes`;
    const note = await bob.api.post(path, { body: 'Me too' }).expect(201);
    const [event] = (await bob.api.get('/events?action=commented').expect(200)).body;
    expect(event).toEqual({
      id: expect.any(Number),
      title: null,
      project_id: place.id,
      action_name: 'commented on',
      target_id: note.body.id,
      target_iid: note.body.id,
      target_type: 'Note',
      author_id: bob.user.id,
      target_title: 'It is broken',
      created_at: expect.stringMatching(TIME),
      note: note.body,
      author: author(bob),
      author_username: bob.user.username,
      imported: false,
      imported_from: 'none',
    });
    expect(event.note).toMatchObject({
      body: 'Me too',
      attachment: null,
      system: false,
      noteable_id: id,
      noteable_type: 'Issue',
      noteable_iid: iid,
    });
  });

  it('names the commit that a note is beneath by nothing but its kind', async () => {
    const place = await project();
    const [{ id }] = await app.dataSource.query<[{ id: string }]>(
      `INSERT INTO notes (commit_project_id, commit_sha, author_id, body)
       VALUES ($1, $2, $3, 'Nice') RETURNING id`,
      [place.id, 'a'.repeat(40), ann.user.id],
    );
    await recordEvent(app, {
      projectId: place.id,
      authorId: ann.user.id,
      action: 'commented',
      target: { type: 'note', id: Number(id) },
      noteable: { type: 'commit', id: null },
    });
    const [event] = await eventsOf(ann.api, place);
    expect(event).toMatchObject({
      target_id: Number(id),
      target_title: null,
      note: { noteable_type: 'Commit', noteable_id: null, noteable_iid: null, body: 'Nice' },
    });
  });
});

describe('an event of a comment on a line', () => {
  it('is one of a diff note, with its place in the changes', async () => {
    const place = await project();
    const sha = 'b'.repeat(40);
    const [{ id }] = await app.dataSource.query<[{ id: string }]>(
      `INSERT INTO notes (commit_project_id, commit_sha, commit_path, commit_line,
         commit_line_type, author_id, body)
       VALUES ($1, $2, 'a.ts', 7, 'new', $3, 'Why?') RETURNING id`,
      [place.id, sha, ann.user.id],
    );
    await recordEvent(app, {
      projectId: place.id,
      authorId: ann.user.id,
      action: 'commented',
      target: { type: 'note', id: Number(id) },
      noteable: { type: 'commit', id: null },
    });
    const [event] = await eventsOf(ann.api, place);
    expect(event).toMatchObject({
      target_type: 'DiffNote',
      note: {
        type: 'DiffNote',
        commit_id: sha,
        position: {
          base_sha: null,
          start_sha: null,
          head_sha: sha,
          old_path: 'a.ts',
          new_path: 'a.ts',
          position_type: 'text',
          old_line: null,
          new_line: 7,
        },
      },
    });
    const { body } = await ann.api.get(`/projects/${place.id}/events?target_type=note`);
    expect(body).toHaveLength(1);
  });
});

describe('an event of a push', () => {
  it('has no target, but says what was pushed', async () => {
    const place = await project();
    const record = (push: ReturnType<typeof makePush>): Promise<number> =>
      recordEvent(app, { projectId: place.id, authorId: ann.user.id, action: 'pushed', push });
    await record(makePush({ commitCount: 2, commitTitle: 'Two of them' }));
    await record(makePush({ action: 'created', commitFrom: null, ref: 'topic' }));
    await record(
      makePush({ action: 'removed', commitTo: null, commitCount: 0, commitTitle: null }),
    );
    await record(makePush({ action: 'created', refType: 'tag', ref: 'v1', commitFrom: null }));
    const bulk = { ref: null, refCount: 4, commitFrom: null, commitTo: null, commitCount: 0 };
    await record(makePush({ action: 'created', commitTitle: null, ...bulk }));

    const [event, ...more] = await eventsOf(ann.api, place, 'sort=asc');
    expect(event).toEqual({
      id: expect.any(Number),
      title: null,
      project_id: place.id,
      action_name: 'pushed to',
      target_id: null,
      target_iid: null,
      target_type: null,
      author_id: ann.user.id,
      target_title: null,
      created_at: expect.stringMatching(TIME),
      push_data: {
        commit_count: 2,
        action: 'pushed',
        ref_type: 'branch',
        commit_from: '1'.repeat(40),
        commit_to: '2'.repeat(40),
        ref: 'main',
        commit_title: 'Two of them',
        ref_count: null,
      },
      author: author(ann),
      author_username: ann.user.username,
      imported: false,
      imported_from: 'none',
      data: null,
    });
    expect(more.map(({ action_name: name, push_data: push }) => [name, push])).toMatchObject([
      ['pushed new', { action: 'created', ref_type: 'branch', ref: 'topic', commit_from: null }],
      ['deleted', { action: 'removed', commit_to: null, commit_count: 0, commit_title: null }],
      ['pushed new', { action: 'created', ref_type: 'tag', ref: 'v1' }],
      ['pushed new', { action: 'created', ref: null, ref_count: 4, commit_count: 0 }],
    ]);
  });
});

describe('events of memberships', () => {
  it('are the member’s, and about the project', async () => {
    const place = await project();
    const gus = await makeActor(app);
    await ann.api
      .post(`/projects/${place.id}/members`, { user_id: gus.user.id, access_level: 10 })
      .expect(201);
    await ann.api.delete(`/projects/${place.id}/members/${gus.user.id}`).expect(204);
    await recordEvent(app, {
      projectId: place.id,
      authorId: gus.user.id,
      action: 'expired',
      target: { type: 'project', id: place.id },
    });
    const events = await eventsOf(ann.api, place, 'sort=asc&target_type=project');
    expect(events.map(({ action_name: name }) => name)).toEqual([
      'joined',
      'left',
      'removed due to membership expiration from',
    ]);
    for (const event of events) {
      expect(event).toMatchObject({
        author_id: gus.user.id,
        target_id: place.id,
        target_iid: place.id,
        target_type: 'Project',
        target_title: place.name,
      });
    }
  });
});

describe('events of other things', () => {
  it('lose their milestone with it', async () => {
    const place = await project();
    const inserted = await app.dataSource.manager.insert(Milestone, {
      projectId: place.id,
      iid: 7,
      title: 'First',
    });
    const { id } = inserted.identifiers[0] as { id: number };
    for (const action of ['created', 'closed'] as const) {
      await recordEvent(app, {
        projectId: place.id,
        authorId: ann.user.id,
        action,
        target: { type: 'milestone', id },
      });
    }
    const about = async (): Promise<unknown[]> =>
      (await eventsOf(ann.api, place, 'target_type=milestone')).map((event) => [
        event['action_name'],
        event['target_type'],
        event['target_id'],
        event['target_iid'],
        event['target_title'],
      ]);
    expect(await about()).toEqual([
      ['closed', 'Milestone', id, 7, 'First'],
      ['opened', 'Milestone', id, 7, 'First'],
    ]);
    await app.dataSource.manager.delete(Milestone, { id });
    expect(await about()).toEqual([
      ['closed', 'Milestone', null, null, null],
      ['opened', 'Milestone', null, null, null],
    ]);
  });

  it('are about merge requests: accepted and approved', async () => {
    const place = await project();
    const [{ id }] = await app.dataSource.query<[{ id: string }]>(
      `INSERT INTO merge_requests (project_id, iid, author_id, title, source_branch,
         target_branch, head_sha, base_sha)
       VALUES ($1, 3, $2, 'Mend it', 'topic', 'main', repeat('a', 40), repeat('b', 40))
       RETURNING id`,
      [place.id, ann.user.id],
    );
    const target = { type: 'merge_request', id: Number(id) } as const;
    for (const action of ['merged', 'approved'] as const)
      await recordEvent(app, { projectId: place.id, authorId: ann.user.id, action, target });
    const events = await eventsOf(ann.api, place, 'target_type=merge_request&sort=asc');
    expect(events).toMatchObject([
      { action_name: 'accepted', target_type: 'MergeRequest', target_iid: 3 },
      { action_name: 'approved', target_type: 'MergeRequest', target_title: 'Mend it' },
    ]);
    expect(await eventsOf(ann.api, place, 'action=approved')).toHaveLength(1);
  });

  it('are about pages of wikis', async () => {
    const place = await project();
    const [{ id }] = await app.dataSource.query<[{ id: string }]>(
      `INSERT INTO wiki_pages (project_id, path) VALUES ($1, 'how-to/first-steps.md') RETURNING id`,
      [place.id],
    );
    const target = { type: 'wiki_page', id: Number(id) } as const;
    for (const action of ['created', 'updated', 'destroyed'] as const)
      await recordEvent(app, { projectId: place.id, authorId: ann.user.id, action, target });
    const events = await eventsOf(ann.api, place, 'target_type=wiki&sort=asc');
    expect(events.map(({ action_name: name }) => name)).toEqual([
      'created',
      'updated',
      'destroyed',
    ]);
    expect(events[0]).toMatchObject({
      target_type: 'WikiPage::Meta',
      target_id: Number(id),
      target_iid: Number(id),
      target_title: 'first steps',
      wiki_page: { format: 'markdown', slug: 'how-to/first-steps', title: 'first steps' },
    });
  });

  it('say that a project was made', async () => {
    const { body } = await ann.api.post('/projects', { name: 'Made just now' }).expect(201);
    const [event] = (await ann.api.get('/events?action=created').expect(200)).body;
    expect(event).toMatchObject({
      action_name: 'created',
      target_type: 'Project',
      target_id: body.id,
      target_title: 'Made just now',
    });
  });

  it('have no author once that user is deleted', async () => {
    const place = await project();
    const gone = await makeMemberOf(app, place, 'guest');
    await recordEvent(app, {
      projectId: place.id,
      authorId: gone.user.id,
      action: 'joined',
      target: { type: 'project', id: place.id },
    });
    await app.dataSource.query('DELETE FROM namespaces WHERE owner_id = $1', [gone.user.id]);
    await app.dataSource.query('DELETE FROM users WHERE id = $1', [gone.user.id]);
    const [event] = await eventsOf(ann.api, place);
    expect(event).toMatchObject({ author_id: gone.user.id, author_username: null });
    expect(event).not.toHaveProperty('author');
  });
});
