import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import type { VisibilityName } from '../../src/identity/members/visibility.js';
import { cloneUrl } from '../git-http/world.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { startFormServer, type FormServer } from '../support/form-server.js';
import { makeGitSandbox } from '../support/git.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { signedIn } from '../support/page-client.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';
import { changeSettings } from '../support/settings.js';

const DISCARDED = 'Your merge request has been recognized as spam and has been discarded.';

let app: TestApp;
let provider: FormServer;
let owner: MadeActor;
let project: MadeProject;

beforeAll(async () => {
  app = await sharedTestApp();
  provider = await startFormServer((_, response) => response.end('{"success":true}'));
  owner = await makeActor(app);
});
afterAll(() => provider.close());
beforeEach(async () => {
  project = await place('public');
});
afterEach(() => changeSettings(app, { recaptcha_enabled: false }));

/** A project with the branch `feature`. */
async function place(visibility: VisibilityName): Promise<MadeProject> {
  const { user } = owner;
  const { namespaceId } = user;
  const made = await makeProject(app, { namespaceId, visibility, files: { 'a.txt': 'one\n' } });
  await commitOn(app, made, { branch: 'feature', from: 'main', user, files: { 'b.txt': '2\n' } });
  return made;
}

/** More links than any account may send. */
function spam(): string {
  const links = Array.from({ length: 61 }, (_, n) => `Buy https://shop${n}.example/ now`);
  return [unique('Offer '), ...links].join('\n');
}

/** The same in the length of a title. */
function spamTitle(): string {
  return Array.from({ length: 61 }, (_, at) => `www.${at}.ex`)
    .join(' ')
    .slice(0, 250);
}

function open({ api }: MadeActor, { id }: MadeProject, texts: object): Test {
  const branches = { source_branch: 'feature', target_branch: 'main' };
  return api.post(`/projects/${id}/merge_requests`, { title: 'Honest', ...branches, ...texts });
}

async function openOnes(): Promise<unknown> {
  const path = `/projects/${project.id}/merge_requests?state=opened`;
  return (await owner.api.get(path).expect(200)).body;
}

describe('spam in a merge request', () => {
  it.each([
    ['title', () => ({ title: spamTitle() })],
    ['description', () => ({ description: spam() })],
  ])('is discarded, in its %s when it is opened and when it is changed', async (_, texts) => {
    const opening = await open(owner, project, texts());
    expect([opening.status, opening.body]).toEqual([400, { message: { error: DISCARDED } }]);
    expect(await openOnes()).toEqual([]);
    const { iid } = await openMergeRequest(owner.api, project, { source_branch: 'feature' });
    const path = `/projects/${project.id}/merge_requests/${iid}`;
    const change = await owner.api.put(path, texts());
    expect([change.status, change.body]).toEqual([400, { message: { error: DISCARDED } }]);
    expect((await owner.api.put(path, { labels: 'bug', title: 'Still honest' })).status).toBe(200);
  });

  it('is refused on its pages with the text still in the form', async () => {
    const pages = await signedIn(app, owner.user);
    const description = spam();
    const form = { source_branch: 'feature', target_branch: 'main', title: 'One', description };
    const refused = await pages.post(`/${project.fullPath}/-/merge_requests/new`, form);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(DISCARDED);
    expect(refused.text).toContain(description.split('\n')[0]);
    expect(await openOnes()).toEqual([]);
  });

  it('is found in the title that a comment gives it', async () => {
    const { iid } = await openMergeRequest(owner.api, project, { source_branch: 'feature' });
    const path = `/projects/${project.id}/merge_requests/${iid}`;
    for (const [body, internal] of [
      [`/title ${spamTitle()}`, false],
      [`Among us\n/title ${spamTitle()}`, true],
    ] as const) {
      const { status, body: answer } = await owner.api.post(`${path}/notes`, { body, internal });
      expect([status, answer]).toEqual([400, { message: { error: DISCARDED } }]);
    }
    const both = await owner.api.post(`${path}/notes`, { body: `Hi\n/title ${spamTitle()}` });
    expect(both.status).toBe(400);
    expect((await owner.api.get(path)).body).toMatchObject({ user_notes_count: 0 });
  });

  it('is found in push options, and the push stands', async () => {
    const git = await makeGitSandbox();
    try {
      await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, owner.token), 'clone']);
      await git.run(['checkout', '--quiet', '-b', 'other'], 'clone');
      await git.commit('clone', 'c.txt', 'c');
      const options = ['-o', 'merge_request.create', '-o', `merge_request.title=${spamTitle()}`];
      const pushed = await git.try(['push', ...options, 'origin', 'other'], 'clone');
      expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining(DISCARDED)]);
      expect(await openOnes()).toEqual([]);
    } finally {
      await git.remove();
    }
  });

  it('is taken with a solved CAPTCHA, once', async () => {
    await changeSettings(app, {
      recaptcha_enabled: true,
      recaptcha_site_key: 'public',
      recaptcha_private_key: 'private',
      recaptcha_verify_url: provider.url,
    });
    const description = spam();
    const refused = await open(owner, project, { description }).expect(409);
    const { spam_log_id: id } = refused.body as { spam_log_id: number };
    const solved = await open(owner, project, { description })
      .set('X-Svc-Spam-Log-Id', String(id))
      .set('X-Svc-Captcha-Response', 'right');
    expect(solved.status).toBe(201);
  });

  it('is not looked for in private projects, nor when administrators write', async () => {
    const closed = await place('private');
    expect((await open(owner, closed, { description: spam() })).status).toBe(201);
    const admin = await makeAdmin(app);
    expect((await open(admin, project, { description: spam() })).status).toBe(201);
  });

  it('is looked for in what members of internal projects write', async () => {
    const internal = await place('internal');
    const developer = await makeMemberOf(app, internal, 'developer');
    expect((await open(developer, internal, { description: spam() })).status).toBe(400);
  });
});
