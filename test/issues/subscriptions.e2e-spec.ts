import { beforeAll, describe, expect, it } from '@jest/globals';
import { SubscriptionsRepository } from '../../src/workspace/subscriptions/subscriptions.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue, type IssueBody } from '../support/issue-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
let place: MadeProject;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  place = await makeProject(app, { namespaceId: owner.user.namespaceId, visibility: 'public' });
});

function pathOf({ iid }: IssueBody): string {
  return `/projects/${place.id}/issues/${iid}`;
}

async function isSubscribed({ api }: MadeActor, issue: IssueBody): Promise<unknown> {
  const { body } = await api.get(pathOf(issue)).expect(200);
  return (body as { subscribed: unknown }).subscribed;
}

describe('subscribing to an issue', () => {
  it('answers the issue, then that nothing changed', async () => {
    const issue = await createIssue(owner.api, place);
    const reader = await makeActor(app);
    expect(await isSubscribed(reader, issue)).toBe(false);

    const { body } = await reader.api.post(`${pathOf(issue)}/subscribe`).expect(201);
    expect(body).toEqual({ ...issue, subscribed: true });
    const again = await reader.api.post(`${pathOf(issue)}/subscribe`).expect(304);
    expect(again.text).toBe('');
    expect(await isSubscribed(reader, issue)).toBe(true);
  });

  it('is undone by unsubscribing, as often as they like', async () => {
    const issue = await createIssue(owner.api, place);
    const reader = await makeActor(app);
    await reader.api.post(`${pathOf(issue)}/unsubscribe`).expect(304);
    await reader.api.post(`${pathOf(issue)}/subscribe`).expect(201);
    const { body } = await reader.api.post(`${pathOf(issue)}/unsubscribe`).expect(201);
    expect(body).toEqual({ ...issue, subscribed: false });
    await reader.api.post(`${pathOf(issue)}/unsubscribe`).expect(304);
    await reader.api.post(`${pathOf(issue)}/subscribe`).expect(201);
    expect(await isSubscribed(reader, issue)).toBe(true);
  });

  it('leaves the issue and the subscriptions of others as they are', async () => {
    const issue = await createIssue(owner.api, place);
    const [one, other] = [await makeActor(app), await makeActor(app)];
    await one.api.post(`${pathOf(issue)}/subscribe`).expect(201);
    expect(await isSubscribed(other, issue)).toBe(false);
    const { body } = await owner.api.get(pathOf(issue)).expect(200);
    expect(body).toEqual(issue);
  });

  it('requires read access to the issue, also in an archived project', async () => {
    const hidden = await createIssue(owner.api, place, { confidential: true });
    const stranger = await makeActor(app);
    await stranger.api.post(`${pathOf(hidden)}/subscribe`).expect(404);

    const namespaceId = owner.user.namespaceId;
    const archived = await makeProject(app, { namespaceId, visibility: 'public' });
    const issue = await createIssue(owner.api, archived);
    await owner.api.post(`/projects/${archived.id}/archive`).expect(201);
    const path = `/projects/${archived.id}/issues/${issue.iid}`;
    await stranger.api.post(`${path}/subscribe`).expect(201);
  });
});

describe('who takes part in an issue', () => {
  it('gets its mails: its author, who works on it, comments on it and is named in it', async () => {
    const [assignee, commenter, named, namedLater, silent] = await Promise.all(
      Array.from({ length: 5 }, () => makeMemberOf(app, place, 'developer')),
    );
    if (!assignee || !commenter || !named || !namedLater || !silent) throw new Error('too few');
    const issue = await createIssue(owner.api, place, {
      assignee_ids: [assignee.user.id],
      description: `Ask @${named.user.username}.`,
    });
    const body = `What of @${namedLater.user.username}?`;
    await commenter.api.post(`${pathOf(issue)}/notes`, { body }).expect(201);

    for (const actor of [owner, assignee, commenter, named, namedLater]) {
      expect(await isSubscribed(actor, issue)).toBe(true);
    }
    expect(await isSubscribed(silent, issue)).toBe(false);
    await assignee.api.post(`${pathOf(issue)}/unsubscribe`).expect(201);
    expect(await isSubscribed(assignee, issue)).toBe(false);
  });

  it.each(['disabled', 'mention'])(
    'is not subscribed at the level %s, but can subscribe',
    async (level) => {
      const member = await makeMemberOf(app, place, 'developer');
      const issue = await createIssue(owner.api, place, { assignee_ids: [member.user.id] });
      await member.api.put('/notification_settings', { level }).expect(200);
      expect(await isSubscribed(member, issue)).toBe(false);

      const settings = `/projects/${place.id}/notification_settings`;
      await member.api.put(settings, { level: 'participating' }).expect(200);
      expect(await isSubscribed(member, issue)).toBe(true);
      await member.api.put(settings, { level: 'global' }).expect(200);

      await member.api.post(`${pathOf(issue)}/subscribe`).expect(201);
      expect(await isSubscribed(member, issue)).toBe(true);
    },
  );

  it('stays subscribed by choice, regardless of later level changes', async () => {
    const member = await makeMemberOf(app, place, 'developer');
    const issue = await createIssue(owner.api, place, { assignee_ids: [member.user.id] });
    await member.api.post(`${pathOf(issue)}/subscribe`).expect(304);
    await member.api.put('/notification_settings', { level: 'disabled' }).expect(200);
    expect(await isSubscribed(member, issue)).toBe(true);
  });

  it('includes members who watch the project, but not other watchers', async () => {
    const member = await makeMemberOf(app, place, 'developer');
    const stranger = await makeActor(app);
    const issue = await createIssue(owner.api, place);
    for (const { api } of [member, stranger]) {
      await api.put('/notification_settings', { level: 'watch' }).expect(200);
    }
    expect(await isSubscribed(member, issue)).toBe(true);
    expect(await isSubscribed(stranger, issue)).toBe(false);
  });

  it('does not learn of internal comments that name them', async () => {
    const guest = await makeMemberOf(app, place, 'guest');
    const issue = await createIssue(owner.api, place);
    const body = `@${guest.user.username} must not know`;
    await owner.api.post(`${pathOf(issue)}/notes`, { body, internal: true }).expect(201);
    expect(await isSubscribed(guest, issue)).toBe(false);
  });

  it('is not who was only named by what the server noted', async () => {
    const member = await makeMemberOf(app, place, 'developer');
    const issue = await createIssue(owner.api, place, { assignee_ids: [member.user.id] });
    await owner.api.put(pathOf(issue), { assignee_ids: [] }).expect(200);
    expect(await isSubscribed(member, issue)).toBe(false);
  });
});

describe('the store of subscriptions', () => {
  it('has each thread and user once, and nothing for what is gone', async () => {
    const { user } = await makeActor(app);
    const issue = await createIssue(owner.api, place);
    const threads = [
      { kind: 'issue', id: issue.id },
      { kind: 'commit', projectId: place.id, sha: 'a'.repeat(40) },
    ] as const;
    const { manager } = app.dataSource;
    const subscriptions = new SubscriptionsRepository(app.dataSource);
    const userId = user.id;
    for (const thread of threads) {
      expect(await subscriptions.put(manager, { userId, thread, subscribed: true })).toBe(true);
      expect(await subscriptions.put(manager, { userId, thread, subscribed: false })).toBe(true);
    }
    const gone = { kind: 'snippet', id: 0 } as const;
    expect(await subscriptions.put(manager, { userId, thread: gone, subscribed: true })).toBe(
      false,
    );
    const ofNobody = { userId: 0, thread: threads[0], subscribed: true };
    expect(await subscriptions.put(manager, ofNobody)).toBe(false);
    const rows = await app.dataSource.query<unknown[]>(
      'SELECT issue_id, commit_sha, subscribed FROM subscriptions WHERE user_id = $1 ORDER BY id',
      [user.id],
    );
    expect(rows).toEqual([
      { issue_id: issue.id, commit_sha: null, subscribed: false },
      { issue_id: null, commit_sha: 'a'.repeat(40), subscribed: false },
    ]);
  });
});
