import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { Subscription } from '../../src/workspace/subscriptions/subscriptions.repository.js';
import {
  UnsubscribeKeys,
  type MailThread,
} from '../../src/workspace/subscriptions/unsubscribe-keys.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { signedIn } from '../support/page-client.js';
import { makeMember, makeProject, type MadeProject } from '../support/project-factories.js';

const FORM = 'List-Unsubscribe=One-Click';
const SHA = 'a'.repeat(40);

let app: TestApp;
let bob: MadeActor;
let project: MadeProject;
beforeAll(async () => {
  app = await sharedTestApp();
  const ann = await makeActor(app);
  bob = await makeActor(app);
  project = await makeProject(app, { namespaceId: ann.user.namespaceId });
  await makeMember(app, { project, user: bob.user, role: 'developer' });
});

function addressOf(thread: MailThread, user: { id: number } = bob.user): string {
  const key = app.app.get(UnsubscribeKeys).keyOf(thread, user.id);
  return `/-/sent_notifications/${key}/unsubscribe`;
}

const rowsOf = (user: { id: number }): Promise<Subscription[]> =>
  app.dataSource.manager.findBy(Subscription, { userId: user.id });

/** As mail programs send it: no cookie, no token (RFC 8058 §3.1). */
const oneClick = (address: string): Test => request(app.url).post(address).type('form').send(FORM);

async function makeThread(): Promise<{ thread: MailThread; title: string }> {
  const { id, title } = await createIssue(bob.api, project);
  return { thread: { kind: 'issue', id }, title };
}

describe('POST of an unsubscribe link', () => {
  it('needs no cookie and no token, and answers 200 as often as it is sent (M9)', async () => {
    const { thread } = await makeThread();
    const { user } = await makeActor(app);
    const first = await oneClick(addressOf(thread, user)).expect(200);
    await oneClick(addressOf(thread, user)).expect(200);
    expect(first.headers).not.toHaveProperty('set-cookie');
    expect(first.text).toContain('Unsubscribed');
    expect(await rowsOf(user)).toMatchObject([{ issueId: expect.any(Number), subscribed: false }]);
  });

  it('takes multipart bodies and empty ones, too', async () => {
    for (const send of [
      (test: Test) => test.field('List-Unsubscribe', 'One-Click'),
      (test: Test) => test,
    ]) {
      const { thread } = await makeThread();
      const { user } = await makeActor(app);
      await send(request(app.url).post(addressOf(thread, user))).expect(200);
      expect(await rowsOf(user)).toMatchObject([{ subscribed: false }]);
    }
  });

  it('unsubscribes its user, whoever is signed in', async () => {
    const { user: other } = await makeActor(app);
    const { id, iid } = await createIssue(bob.api, project);
    const path = `/projects/${project.id}/issues/${iid}`;
    await bob.api.post(`${path}/subscribe`).expect(304);
    const pages = await signedIn(app, other);
    await pages.post(addressOf({ kind: 'issue', id })).expect(200);
    const { body } = await bob.api.get(path).expect(200);
    expect(body).toMatchObject({ subscribed: false });
    expect(await rowsOf(other)).toEqual([]);
  });

  it('works for threads of every kind, also when they are gone', async () => {
    const { user } = await makeActor(app);
    const threads: MailThread[] = [
      { kind: 'commit', projectId: project.id, sha: SHA },
      { kind: 'issue', id: 999_999 },
      { kind: 'merge_request', id: 999_999 },
      { kind: 'snippet', id: 999_999 },
      { kind: 'project', id: 999_999 },
    ];
    for (const thread of threads) await oneClick(addressOf(thread, user)).expect(200);
    expect(await rowsOf(user)).toMatchObject([
      { commitProjectId: project.id, commitSha: SHA, subscribed: false },
    ]);
    await oneClick(addressOf({ kind: 'project', id: project.id }, { id: 999_999 })).expect(200);
  });

  it('disables the project where the mail was about no thread', async () => {
    const path = `/projects/${project.id}/notification_settings`;
    await bob.api.put(path, { level: 'watch', new_note: true }).expect(200);
    await oneClick(addressOf({ kind: 'project', id: project.id })).expect(200);
    await bob.api.get(path).expect(200, { level: 'disabled' });
    await bob.api.put(path, { level: 'global' }).expect(200);
  });

  it.each(['GET', 'POST'] as const)('returns 404 on %s for a key of another user', async (how) => {
    const { thread } = await makeThread();
    const { user } = await makeActor(app);
    const genuine = addressOf(thread, user);
    const forged = genuine.replace(`-${user.id}-`, `-${bob.user.id}-`);
    const before = await rowsOf(bob.user);
    for (const address of [forged, '/-/sent_notifications/0123456789abcdef/unsubscribe']) {
      const sent = how === 'GET' ? request(app.url).get(address) : oneClick(address);
      const { text } = await sent.expect(404);
      expect(text).toContain('</html>');
    }
    expect(await rowsOf(bob.user)).toEqual(before);
  });
});

describe('GET of an unsubscribe link', () => {
  it('changes nothing and says neither whose it is nor what it is about (M9)', async () => {
    const { thread, title } = await makeThread();
    const { user } = await makeActor(app);
    const { text, headers } = await request(app.url).get(addressOf(thread, user)).expect(200);
    const { headers: head } = await request(app.url).head(addressOf(thread, user)).expect(200);
    for (const secret of [title, user.name, user.username, user.email, project.name]) {
      expect(text).not.toContain(secret);
    }
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer' });
    expect(head).toMatchObject({ 'referrer-policy': 'no-referrer' });
    expect(await rowsOf(user)).toEqual([]);
  });

  it('is the same page for what is there and what is not', async () => {
    const { thread } = await makeThread();
    const texts = await Promise.all(
      [thread, { kind: 'issue' as const, id: 999_999 }].map(async (one) => {
        const { text } = await request(app.url).get(addressOf(one)).expect(200);
        return text.replace(
          /name="authenticity_token" value="[\w-]+"|sent_notifications\/[^/]+/g,
          '',
        );
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });
});
