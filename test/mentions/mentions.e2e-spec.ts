import { beforeAll, describe, expect, it } from '@jest/globals';
import { Mention, MentionsRepository } from '../../src/workspace/mentions/mentions.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeUser, type MadeActor, type MadeUser } from '../support/factories.js';
import { createIssue, type IssueBody } from '../support/issue-factories.js';
import {
  makeGroup,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
let ann: MadeUser;
let group: MadeGroup;
let subgroup: MadeGroup;
let place: MadeProject;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  ann = await makeUser(app);
  group = await makeGroup(app);
  subgroup = await makeGroup(app, { parentId: group.id });
  place = await makeProject(app, { namespaceId: owner.user.namespaceId, visibility: 'public' });
});

type Text = { issueId: number } | { noteId: number };

/** Returns the mentions of a text: IDs of users, then of groups, then `all`. */
async function namedBy(text: Text): Promise<(number | 'all')[]> {
  const rows = await app.dataSource.getRepository(Mention).findBy(text);
  const users = rows.flatMap(({ userId }) => userId ?? []);
  const groups = rows.flatMap(({ namespaceId }) => namespaceId ?? []);
  const isAll = rows.some(({ userId, namespaceId }) => userId === null && namespaceId === null);
  return [...users, ...groups, ...(isAll ? (['all'] as const) : [])];
}

function issue(body: Record<string, unknown> = {}): Promise<IssueBody> {
  return createIssue(owner.api, place, body);
}

describe('mentions of a text', () => {
  it('is noted of title and description: users, groups and all members', async () => {
    const { id } = await issue({
      title: `For @${ann.username.toUpperCase()}`,
      description: `@${ann.username}, @${group.fullPath}, @${subgroup.fullPath}/x and @all.`,
    });
    expect(await namedBy({ issueId: id })).toEqual([ann.id, group.id, 'all']);
  });

  it('excludes unknown users and code', async () => {
    const { id } = await issue({
      description: `@nobody-at-all, @${subgroup.fullPath} and \`@${ann.username}\``,
    });
    expect(await namedBy({ issueId: id })).toEqual([subgroup.id]);
  });

  it('is replaced when the text changes, and answers who is new', async () => {
    const { id } = await issue({ description: `@${ann.username} @all` });
    const mentions = new MentionsRepository(app.dataSource);
    const replace = (body: string): Promise<unknown> =>
      app.dataSource.transaction((tx) => mentions.replace(tx, { issueId: id }, body));
    const text = `@${owner.user.username} @${group.fullPath} @all`;
    expect(await replace(text)).toEqual({
      userIds: [owner.user.id],
      namespaceIds: [group.id],
      all: false,
    });
    expect(await namedBy({ issueId: id })).toEqual([owner.user.id, group.id, 'all']);
    const nobody = { userIds: [], namespaceIds: [], all: false };
    expect(await replace(text)).toEqual(nobody);
    expect(await replace('')).toEqual(nobody);
    expect(await namedBy({ issueId: id })).toEqual([]);
  });

  it('is noted of comments and of their later text, and goes with them', async () => {
    const { iid } = await issue();
    const path = `/projects/${place.id}/issues/${iid}/notes`;
    const made = await owner.api.post(path, { body: `@${ann.username}` }).expect(201);
    const { id } = made.body as { id: number };
    expect(await namedBy({ noteId: id })).toEqual([ann.id]);
    await owner.api.put(`${path}/${id}`, { body: `@${group.fullPath}` }).expect(200);
    expect(await namedBy({ noteId: id })).toEqual([group.id]);
    await owner.api.put(`${path}/${id}`, { body: 'Nobody.' }).expect(200);
    expect(await namedBy({ noteId: id })).toEqual([]);
    await owner.api.put(`${path}/${id}`, { body: '@all' }).expect(200);
    await owner.api.delete(`${path}/${id}`).expect(204);
    expect(await namedBy({ noteId: id })).toEqual([]);
  });

  it('is not looked for in a new text without a name', async () => {
    const text = `ann@example.com and \`@${ann.username}\``;
    const tx = Object.create(app.dataSource.manager, {
      query: { value: () => Promise.reject(new Error('asked')) },
    }) as typeof app.dataSource.manager;
    await new MentionsRepository(app.dataSource).add(tx, { issueId: 0 }, text);
  });
});
