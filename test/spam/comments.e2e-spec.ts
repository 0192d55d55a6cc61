import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { VISIBILITY, type VisibilityName } from '../../src/identity/members/visibility.js';
import { makeAlert } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { startFormServer, type FormServer } from '../support/form-server.js';
import { createIssue } from '../support/issue-factories.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { signedIn } from '../support/page-client.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';
import { changeSettings } from '../support/settings.js';
import { makeSnippet } from '../support/snippet-factories.js';

const RIGHT = 'the right answer';
const DISCARDED = 'Your comment has been recognized as spam and has been discarded.';
const CHALLENGED =
  'Your comment has been recognized as spam. Please, change the content or solve the reCAPTCHA to proceed.';

let app: OwnTestApp;
let provider: FormServer;
let owner: MadeActor;

beforeAll(async () => {
  provider = await startFormServer(({ fields }, response) => {
    response.end(JSON.stringify({ success: fields['response'] === RIGHT }));
  });
  app = await startTestApp();
  owner = await makeActor(app);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
afterEach(() => changeSettings(app, { recaptcha_enabled: false }));

/** More links than any account may send. */
function spam(): string {
  const links = Array.from({ length: 61 }, (_, n) => `Buy https://shop${n}.example/ now`);
  return [unique('Offer '), ...links].join('\n');
}

function offerCaptcha(): Promise<void> {
  return changeSettings(app, {
    recaptcha_enabled: true,
    recaptcha_site_key: 'public',
    recaptcha_private_key: 'private',
    recaptcha_verify_url: provider.url,
  });
}

function place(visibility: VisibilityName = 'public', attributes = {}): Promise<MadeProject> {
  const { namespaceId } = owner.user;
  const files = { 'a.txt': 'one\n' };
  return makeProject(app, { namespaceId, visibility, files, ...attributes });
}

/** One thing that people comment on. */
interface Discussed {
  /** Paths of its comments in the API and on pages. */
  api: string;
  page: string;
}

const asIssue = async (project: MadeProject, issue = {}): Promise<Discussed> => {
  const { iid } = await createIssue(owner.api, project, issue);
  return {
    api: `/projects/${project.id}/issues/${iid}/notes`,
    page: `/${project.fullPath}/-/issues/${iid}/notes`,
  };
};

const asMergeRequest = async (project: MadeProject): Promise<Discussed> => {
  const { user } = owner;
  const files = { 'b.txt': 'two\n' };
  await commitOn(app, project, { branch: 'feature', from: 'main', user, files });
  const { iid } = await openMergeRequest(owner.api, project, { source_branch: 'feature' });
  return {
    api: `/projects/${project.id}/merge_requests/${iid}/notes`,
    page: `/${project.fullPath}/-/merge_requests/${iid}/notes`,
  };
};

const asSnippet = async (
  { id: projectId, fullPath }: MadeProject,
  visibility: number = VISIBILITY.public,
): Promise<Discussed> => {
  const { id } = await makeSnippet(app, { authorId: owner.user.id, projectId, visibility });
  return {
    api: `/projects/${projectId}/snippets/${id}/notes`,
    page: `/${fullPath}/-/snippets/${id}/notes`,
  };
};

const asCommit = async (project: MadeProject): Promise<Discussed> => {
  const { user } = owner;
  const sha = await commitOn(app, project, { branch: 'main', user, files: { 'c.txt': 'c\n' } });
  return {
    api: `/projects/${project.id}/repository/commits/${sha}/comments`,
    page: `/${project.fullPath}/-/commit/${sha}/comments`,
  };
};

const KINDS = [
  ['an issue', asIssue],
  ['a merge request', asMergeRequest],
  ['a snippet', asSnippet],
  ['a commit', asCommit],
] as const;

/** Comments on commits call their text otherwise. */
function send({ api }: MadeActor, { api: path }: Pick<Discussed, 'api'>, body: string): Test {
  return api.post(path, { body, note: body });
}

function sendInternally({ api }: MadeActor, { api: path }: Discussed, body: string): Test {
  return api.post(path, { body, internal: true });
}

function solved(request: Test, id: number): Test {
  return request.set('X-Svc-Spam-Log-Id', String(id)).set('X-Svc-Captcha-Response', RIGHT);
}

function logOf({ body }: { body: unknown }): number {
  return (body as { spam_log_id: number }).spam_log_id;
}

async function bodiesBy({ user }: MadeActor): Promise<string[]> {
  const rows: { body: string }[] = await app.dataSource.query(
    'SELECT body FROM notes WHERE author_id = $1 ORDER BY id',
    [user.id],
  );
  return rows.map(({ body }) => body);
}

describe.each(KINDS)('spam in comments on %s', (_, open) => {
  it('is discarded, and kept for administrators', async () => {
    const [here, actor] = [await open(await place()), await makeActor(app)];
    const body = spam();
    const response = await send(actor, here, body);

    expect([response.status, response.body]).toEqual([400, { message: { error: DISCARDED } }]);
    expect(await bodiesBy(actor)).toEqual([]);
    const logs: unknown[] = await app.dataSource.query(
      'SELECT kind, title, reason FROM spam_logs WHERE user_id = $1',
      [actor.user.id],
    );
    expect(logs).toEqual([{ kind: 'comment', title: body.slice(0, 255), reason: '61 links' }]);
    expect((await send(actor, here, 'Honest words')).status).toBe(201);
  });

  it('is taken with a solved CAPTCHA, once', async () => {
    await offerCaptcha();
    const [here, actor] = [await open(await place()), await makeActor(app)];
    const body = spam();
    const refused = await send(actor, here, body);
    const id = logOf(refused);
    const first = await solved(send(actor, here, body), id);
    const second = await solved(send(actor, here, body), id);

    expect(refused.body).toEqual({
      needs_captcha_response: true,
      spam_log_id: id,
      captcha_site_key: 'public',
      message: { error: CHALLENGED },
    });
    expect([refused.status, first.status, second.status]).toEqual([409, 201, 409]);
  });

  it('is refused on its page with the text still in the form', async () => {
    const [here, actor] = [await open(await place()), await makeActor(app)];
    const pages = await signedIn(app, actor.user);
    const body = spam();
    const refused = await pages.post(here.page, { body });

    expect(refused.status).toBe(422);
    expect(refused.text).toContain(DISCARDED);
    expect(refused.text).toContain(body.split('\n')[0]);
    await pages.post(here.page, { body: 'Honest words' }).expect(303);
    expect(await bodiesBy(actor)).toEqual(['Honest words']);
  });

  it('is taken on its page with the same headers', async () => {
    await offerCaptcha();
    const [here, actor] = [await open(await place()), await makeActor(app)];
    const pages = await signedIn(app, actor.user);
    const body = spam();
    const id = logOf(await send(actor, here, body).expect(409));

    expect((await solved(pages.post(here.page, { body }), id)).status).toBe(303);
    expect(await bodiesBy(actor)).toEqual([body]);
  });

  it('does not spend a solution on a comment that is refused for another reason', async () => {
    await offerCaptcha();
    const [here, actor] = [await open(await place()), await makeActor(app)];
    const body = spam();
    const id = logOf(await send(actor, here, body).expect(409));

    expect((await solved(send(actor, here, ' '), id)).status).toBe(400);
    expect((await solved(send(actor, here, body), id)).status).toBe(201);
  });

  it('is not looked for in private projects, nor when administrators write', async () => {
    const [closed, open_] = [await open(await place('private')), await open(await place())];

    expect((await send(owner, closed, spam())).status).toBe(201);
    expect((await send(await makeAdmin(app), open_, spam())).status).toBe(201);
  });
});

describe.each(KINDS.slice(0, 3))('spam in changed comments on %s', (_, open) => {
  it('is refused in the API and on its page, and the comment stays', async () => {
    const [here, actor] = [await open(await place()), await makeActor(app)];
    const { id } = (await send(actor, here, 'Honest').expect(201)).body as { id: number };
    const inApi = await actor.api.put(`${here.api}/${id}`, { body: spam() });
    const pages = await signedIn(app, actor.user);
    const onPage = await pages.post(`${here.page}/${id}/edit`, { body: spam() });

    expect([inApi.status, inApi.body]).toEqual([400, { message: { error: DISCARDED } }]);
    expect(onPage.status).toBe(422);
    expect(onPage.text).toContain(DISCARDED);
    expect(await bodiesBy(actor)).toEqual(['Honest']);
    await pages.post(`${here.page}/${id}/edit`, { body: 'Still honest' }).expect(303);
  });

  it('is taken with a solved CAPTCHA', async () => {
    await offerCaptcha();
    const [here, actor] = [await open(await place()), await makeActor(app)];
    const { id } = (await send(actor, here, 'Honest').expect(201)).body as { id: number };
    const change = { body: spam() };
    const log = logOf(await actor.api.put(`${here.api}/${id}`, change).expect(409));

    expect((await solved(actor.api.put(`${here.api}/${id}`, change), log)).status).toBe(200);
  });

  it('is not looked for when the text stays', async () => {
    const [here, admin] = [await open(await place()), await makeAdmin(app)];
    const body = spam();
    const { id } = (await send(admin, here, body).expect(201)).body as { id: number };

    expect((await owner.api.put(`${here.api}/${id}`, { body })).status).toBe(200);
    expect((await owner.api.put(`${here.api}/${id}`, { body: spam() })).status).toBe(400);
  });
});

describe('comments that only members see', () => {
  it('are not looked at: on confidential issues, private snippets, alerts, and internal ones', async () => {
    const project = await place();
    const { iid } = await makeAlert(app, project);
    const alert = `/projects/${project.id}/alert_management_alerts/${iid}/notes`;
    const [issue, request] = [await asIssue(project), await asMergeRequest(project)];
    const statuses = [
      await send(owner, await asIssue(project, { confidential: true }), spam()),
      await send(owner, await asSnippet(project, VISIBILITY.private), spam()),
      await send(owner, { api: alert }, spam()),
      await sendInternally(owner, issue, spam()),
      await sendInternally(owner, request, spam()),
    ].map(({ status }) => status);

    expect(statuses).toEqual([201, 201, 201, 201, 201]);
  });

  it('are not looked at when they are changed', async () => {
    const here = await asIssue(await place());
    const internal = await sendInternally(owner, here, 'Honest');
    const path = `${here.api}/${(internal.body as { id: number }).id}`;

    expect((await owner.api.put(path, { body: spam() })).status).toBe(200);
  });
});

describe('comments that others see', () => {
  it('are looked at in internal projects, and from members', async () => {
    const project = await place('internal');
    const here = await asIssue(project);
    const developer = await makeMemberOf(app, project, 'developer');

    expect((await send(await makeActor(app), here, spam())).status).toBe(400);
    expect((await send(developer, here, spam())).status).toBe(400);
  });

  it('are refused first for what else is wrong with them', async () => {
    const locked = await asIssue(await place());
    await owner.api.put(locked.api.replace('/notes', ''), { discussion_locked: true });

    expect((await send(await makeActor(app), locked, spam())).status).toBe(403);
  });

  it('may repeat when they are short, and not when they are long', async () => {
    const [here, actor] = [await asIssue(await place()), await makeActor(app)];
    const statuses = async (body: string): Promise<number[]> => {
      const all: number[] = [];
      for (let n = 0; n < 6; n += 1) all.push((await send(actor, here, body)).status);
      return all;
    };

    expect(await statuses('LGTM')).toEqual([201, 201, 201, 201, 201, 201]);
    const long = 'Call the number in my profile for a very cheap roof';
    expect(await statuses(long)).toEqual([201, 201, 201, 201, 201, 400]);
    expect(await statuses('http://s.example')).toEqual([201, 201, 201, 201, 201, 400]);
  });
});

describe('spam in comments with commands', () => {
  it('is refused with the commands', async () => {
    const here = await asMergeRequest(await place());

    expect((await send(owner, here, `${spam()}\n/close`)).status).toBe(400);
    const shown = await owner.api.get(here.api.replace('/notes', ''));
    expect(shown.body).toMatchObject({ state: 'opened', user_notes_count: 0 });
  });

  it('passes with one solution for text and title', async () => {
    await offerCaptcha();
    const project = await place();
    const actor = await makeActor(app);
    const { iid } = await createIssue(actor.api, project);
    const path = `/projects/${project.id}/issues/${iid}`;
    const links = Array.from({ length: 12 }, (_, at) => `http://s${at}.example`).join(' ');
    const body = `${spam()}\n/title ${links}`;
    const refused = await actor.api.post(`${path}/notes`, { body }).expect(409);

    await solved(actor.api.post(`${path}/notes`, { body }), logOf(refused)).expect(201);
    expect((await actor.api.get(path)).body).toMatchObject({ title: links, user_notes_count: 1 });
  });

  it('is found in a title beside an internal comment, and in a title alone', async () => {
    const here = await asIssue(await place());
    const links = Array.from({ length: 61 }, (_, at) => `http://s${at}.ex`).join(' ');
    const title = links.slice(0, 250);
    const bodies = [`/title ${title}`, `Among us\n/title ${title}`];

    for (const body of bodies) {
      const { status, body: answer } = await sendInternally(owner, here, body);
      const error = 'Your issue has been recognized as spam and has been discarded.';
      expect([status, answer]).toEqual([400, { message: { error } }]);
    }
  });
});

describe('comments on a confidential issue that is made public', () => {
  const show = { confidential: false };

  it('are looked at, with the reason for administrators', async () => {
    const project = await place();
    const maintainer = await makeMemberOf(app, project, 'maintainer');
    const here = await asIssue(project, { confidential: true });
    const path = here.api.replace('/notes', '');
    await send(maintainer, here, 'Honest words').expect(201);
    const { id } = (await send(maintainer, here, spam()).expect(201)).body as { id: number };
    const refused = await maintainer.api.put(path, show);

    const error = 'Your issue has been recognized as spam and has been discarded.';
    expect([refused.status, refused.body]).toEqual([400, { message: { error } }]);
    expect((await maintainer.api.get(path)).body).toMatchObject({ confidential: true });
    const logs: unknown[] = await app.dataSource.query(
      'SELECT kind, reason FROM spam_logs WHERE user_id = $1',
      [maintainer.user.id],
    );
    expect(logs).toEqual([{ kind: 'issue', reason: '61 links' }]);
    await maintainer.api.put(`${here.api}/${id}`, { body: 'Less' }).expect(200);
    await maintainer.api.put(path, show).expect(200);
  });

  it('are left alone when they are internal, by administrators, or in a private project', async () => {
    const project = await place();
    const here = await asIssue(project, { confidential: true });
    await sendInternally(owner, here, spam()).expect(201);
    await send(await makeAdmin(app), here, spam()).expect(201);
    await owner.api.put(here.api.replace('/notes', ''), show).expect(200);
    const closed = await asIssue(await place('private'), { confidential: true });
    await send(owner, closed, spam()).expect(201);
    await owner.api.put(closed.api.replace('/notes', ''), show).expect(200);
  });

  it('are not added up: many with a link each are no spam', async () => {
    const here = await asIssue(await place(), { confidential: true });
    for (let n = 0; n < 7; n += 1) {
      await send(owner, here, `See https://docs${n}.example/page for the cause`).expect(201);
    }
    await owner.api.put(here.api.replace('/notes', ''), show).expect(200);
  });
});

describe('comments on a private snippet that is made public', () => {
  it('are looked at', async () => {
    const project = await place();
    const here = await asSnippet(project, VISIBILITY.private);
    const maintainer = await makeMemberOf(app, project, 'maintainer');
    const { id } = (await send(maintainer, here, spam()).expect(201)).body as { id: number };
    const path = here.api.replace('/notes', '');
    const refused = await maintainer.api.put(path, { visibility: 'public' });

    const error = 'Your snippet has been recognized as spam and has been discarded.';
    expect([refused.status, refused.body]).toEqual([400, { message: { error } }]);
    await maintainer.api.delete(`${here.api}/${id}`).expect(204);
    await maintainer.api.put(path, { visibility: 'public' }).expect(200);
  });
});
