import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VISIBILITY } from '../../src/identity/members/visibility.js';
import { cloneUrl, makeMember } from '../git-http/world.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { makePushing } from './push-world.js';

let app: TestApp;
let git: GitSandbox;
beforeAll(async () => {
  [app, git] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
});
afterAll(async () => {
  await git.remove();
});

type Body = Record<string, unknown>;

async function setUp(attributes: Parameters<typeof makePushing>[2] = {}) {
  const pushing = await makePushing(app, git, attributes);
  const { project, directory } = pushing;
  const owner = api(app.url, await makeToken(app, project.owner));
  const client = api(app.url, pushing.token);
  const list = async (query = ''): Promise<Body[]> => {
    const { body } = await client.get(`/projects/${project.id}/events?${query}`).expect(200);
    return body as Body[];
  };
  const push = (...refs: string[]) => git.run(['push', '--quiet', 'origin', ...refs], directory);
  return { ...pushing, owner, client, list, push };
}

describe('pushes in the lists of events', () => {
  it('have all of `push_data`, no target, and their pusher as author', async () => {
    const { user, project, directory, list, push } = await setUp();
    const from = await git.run(['rev-parse', 'HEAD'], directory);
    await git.commit(directory, 'a.txt', 'a');
    const to = await git.commit(directory, 'b.txt', 'b');
    await push('main');
    const [event] = await list('action=pushed');
    expect(event).toEqual({
      id: expect.any(Number),
      title: null,
      project_id: project.id,
      action_name: 'pushed to',
      target_id: null,
      target_iid: null,
      target_type: null,
      target_title: null,
      author_id: user.id,
      author: expect.objectContaining({ id: user.id, username: user.username }),
      author_username: user.username,
      created_at: expect.stringMatching(/Z$/),
      imported: false,
      imported_from: 'none',
      data: null,
      push_data: {
        commit_count: 2,
        action: 'pushed',
        ref_type: 'branch',
        commit_from: from,
        commit_to: to,
        ref: 'main',
        commit_title: 'Change b.txt',
        ref_count: null,
      },
    });
  });

  it('are named by what happened to the ref', async () => {
    const { directory, list, push } = await setUp();
    await git.run(['tag', 'v1'], directory);
    await push('HEAD:side');
    await push(':side');
    await push('v1');
    await push('HEAD:b1', 'HEAD:b2', 'HEAD:b3', 'HEAD:b4');
    const events = await list('sort=asc');
    const shown = events.map((event) => [event['action_name'], event['push_data']]);
    const nothing = { commit_count: 0, commit_title: null };
    expect(shown).toEqual([
      ['pushed new', expect.objectContaining({ ref: 'side', commit_from: null, commit_count: 0 })],
      ['deleted', expect.objectContaining({ ref: 'side', commit_to: null, ...nothing })],
      ['pushed new', expect.objectContaining({ ref: 'v1', ref_type: 'tag', commit_count: 1 })],
      ['pushed new', expect.objectContaining({ ref: null, ref_count: 4, ...nothing })],
    ]);
  });

  it('are hidden from Guests of a private project, comments are not', async () => {
    const { project, client, push } = await setUp();
    const path = `/projects/${project.id}/issues`;
    const { body: issue } = await client.post(path, { title: 'Bug' }).expect(201);
    await client.post(`${path}/${issue.iid}/notes`, { body: 'Yes.' }).expect(201);
    await push('HEAD:side');
    const guest = await makeMember(app, project, 'guest');
    const { body } = await api(app.url, guest.token)
      .get(`/projects/${project.id}/events`)
      .expect(200);
    const names = (body as Body[]).map((event) => event['action_name']);
    expect(names).toEqual(['commented on', 'opened']);
  });

  it('are left by commits over the API and by merges, too', async () => {
    const { project, user, client, list } = await setUp();
    const path = `/projects/${project.id}`;
    const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }];
    const commit = { branch: 'topic', start_branch: 'main', commit_message: 'Add a', actions };
    await client.post(`${path}/repository/commits`, commit).expect(201);
    const branches = { source_branch: 'topic', target_branch: 'main' };
    const request = { ...branches, title: 'Add a' };
    const { body } = await client.post(`${path}/merge_requests`, request).expect(201);
    await client.put(`${path}/merge_requests/${body.iid}/merge`).expect(200);
    const events = await list('sort=asc');
    const shown = events.map(({ action_name, target_type, author_id, push_data: pushed }) => {
      const { ref, commit_count: count } = (pushed ?? {}) as Body;
      return [action_name, target_type, author_id, ref, count];
    });
    expect(shown.slice(0, 2)).toEqual([
      ['pushed new', null, user.id, 'topic', 1],
      ['opened', 'MergeRequest', user.id, undefined, undefined],
    ]);
    expect(new Set(shown.slice(2).map(String))).toEqual(
      new Set([`accepted,MergeRequest,${user.id},,`, `pushed to,,${user.id},main,2`]),
    );
  });

  it('to wikis show the page that they change', async () => {
    const { project, token, list } = await setUp();
    await git.run(['init', '--quiet', `wiki-${project.id}`]);
    const directory = `wiki-${project.id}`;
    await git.commit(directory, 'guides/First-steps.md', 'a');
    await git.run(['push', cloneUrl(app, `${project.fullPath}.wiki`, token), 'main'], directory);
    const [event] = await list('target_type=wiki');
    expect(event).toMatchObject({
      action_name: 'created',
      target_type: 'WikiPage::Meta',
      wiki_page: { format: 'markdown', slug: 'guides/First-steps', title: 'First steps' },
    });
  });
});

describe('pushes while their project turns private', () => {
  /** The events that strangers find in a list; none when they do not find the list. */
  async function seen(path: string): Promise<unknown[]> {
    const { status, body } = await api(app.url).get(path);
    return status === 200 ? (body as unknown[]) : [];
  }

  /** Reads until it is over; answers what was seen by readings begun after `since`. */
  async function watch(paths: readonly string[], state: { since: number; isOver: boolean }) {
    const late: unknown[] = [];
    while (!state.isOver) {
      for (const path of paths) {
        const begun = performance.now();
        const events = await seen(path);
        if (begun > state.since) late.push(...events);
      }
    }
    return late;
  }

  it('are hidden from others once that is answered', async () => {
    const { project, user, owner, directory } = await setUp({ visibility: VISIBILITY.public });
    const second = await makeMember(app, project, 'developer');
    const other = `${directory}-other`;
    await git.run(['clone', '-q', cloneUrl(app, project.fullPath, second.token), other]);
    const lists = [`/projects/${project.id}/events`];
    for (const id of [user.id, second.user.id]) lists.push(`/users/${id}/events`);
    for (let round = 0; round < 3; round += 1) {
      await owner.put(`/projects/${project.id}`, { visibility: 'public' }).expect(200);
      const state = { since: Infinity, isOver: false };
      const watching = watch(lists, state);
      const pushes = [directory, other].map(async (place, index) => {
        await git.commit(place, `${index}.txt`, `${round}`);
        await git.run(['push', '-q', 'origin', `HEAD:race-${index}`], place);
      });
      const hiding = owner.put(`/projects/${project.id}`, { visibility: 'private' }).expect(200);
      await hiding.then(() => (state.since = performance.now()));
      await Promise.all(pushes);
      for (const path of lists) expect(await seen(path)).toEqual([]);
      state.isOver = true;
      expect(await watching).toEqual([]);
    }
    const { body } = await owner.get(`/projects/${project.id}/events?action=pushed`).expect(200);
    expect(body).toHaveLength(6);
  });
});
