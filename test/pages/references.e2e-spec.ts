import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { makeAlert } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { eventually } from '../support/eventually.js';
import { createIssue } from '../support/issue-factories.js';
import { commitOn, openMergeRequest, tipOf } from '../support/merge-request-factories.js';
import { createMilestone } from '../support/milestone-factories.js';
import { signedIn, type PageClient } from '../support/page-client.js';
import {
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
let reader: PageClient;
let group: MadeGroup;
let project: MadeProject;
let secret: { group: MadeGroup; project: MadeProject; sha: string };
let sha: string;
const title = unique('Private title ');

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  reader = await signedIn(app, (await makeActor(app)).user);
  group = await makeOwnedGroup(app, owner, { visibility: 'public' });
  const files = { 'README.md': 'Start\n' };
  project = await makeProject(app, { namespaceId: group.id, visibility: 'public', files });
  const { api, user } = owner;
  sha = await commitOn(app, project, {
    branch: 'b',
    from: 'main',
    user,
    files: { 'b.txt': 'b\n' },
  });
  await createIssue(api, project, { title: 'First "quoted" <b>' });
  await createIssue(api, project, { title: 'Second' });
  await api.put(`/projects/${project.id}/issues/2`, { state_event: 'close' }).expect(200);
  await createIssue(api, project, { title, confidential: true });
  await createMilestone(api, project, { title: 'Version 1.0' });
  await openMergeRequest(api, project, { source_branch: 'b', title: 'Merge b' });
  const hidden = await makeOwnedGroup(app, owner, { name: title });
  const elsewhere = await makeProject(app, { namespaceId: hidden.id, name: title, files });
  await createIssue(api, elsewhere, { title });
  await createMilestone(api, elsewhere, { title: 'Hidden' });
  const tip = (await tipOf(app, elsewhere, 'main')) ?? '';
  secret = { group: hidden, project: elsewhere, sha: tip };
});

/** Returns the HTML of an issue's description with that text, as the page shows it. */
async function rendered(text: string, by: PageClient = reader): Promise<string> {
  const { iid } = await createIssue(owner.api, project, { description: text });
  const { text: html } = await by.get(`/${project.fullPath}/-/issues/${iid}`).expect(200);
  return /<div class="markdown">([\s\S]*?)<\/div>/.exec(html)?.[1]?.trim() ?? '';
}

const base = (): string => `/${project.fullPath}/-`;

describe('references', () => {
  it('lead nowhere for those who cannot see the target, as for what does not exist', async () => {
    const { fullPath } = secret.project;
    for (const text of [
      `${fullPath}#1`,
      `${fullPath}!1`,
      `${fullPath}$1`,
      `${fullPath}%Hidden`,
      `${fullPath}@${secret.sha}`,
      `@${secret.group.fullPath}`,
      '#3',
    ]) {
      const html = await rendered(text);
      expect(html).toBe(`<p>${text}</p>`);
      const other = text.replace(fullPath, `${secret.group.fullPath}/unknown`);
      expect(html.replaceAll(text, other)).toBe(await rendered(other));
    }
    const url = `${app.url}/${fullPath}/-/issues/1`;
    expect(await rendered(url)).toBe(
      `<p><a href="${url}" rel="nofollow noopener noreferrer">${url}</a></p>`,
    );
    const asOwner = await signedIn(app, owner.user);
    const mine = await rendered(`${fullPath}#1 ${fullPath}@${secret.sha} #3`, asOwner);
    expect(mine.match(/<a href/g)).toHaveLength(3);
    expect(mine).toContain(`title="${title}"`);
  });

  it('are not shared between viewers by the cache of rendered texts', async () => {
    const long = `${secret.project.fullPath}#1 ${'word '.repeat(200)}`;
    const { iid } = await createIssue(owner.api, project, { description: long });
    const path = `${base()}/issues/${iid}`;
    const asOwner = await signedIn(app, owner.user);
    expect((await asOwner.get(path)).text).toContain(title);
    expect((await reader.get(path)).text).not.toContain(title);
    expect((await request(app.url).get(path)).text).not.toContain(title);
    expect((await asOwner.get(path)).text).toContain(title);
  });

  it('are links with the title, and say what is closed', async () => {
    expect(await rendered('see #1, #2 and !1')).toBe(
      `<p>see <a href="${base()}/issues/1" title="First &quot;quoted&quot; &lt;b&gt;">#1</a>, ` +
        `<a href="${base()}/issues/2" title="Second">#2 (closed)</a> and ` +
        `<a href="${base()}/merge_requests/1" title="Merge b">!1</a></p>`,
    );
    const full = `${project.fullPath}#1`;
    expect(await rendered(`Closes ${full}`)).toContain(`>${full}</a>`);
    expect(await rendered('%"Version 1.0"')).toContain(`href="${base()}/milestones/1"`);
    expect(await rendered(`@${owner.user.username}`)).toContain(
      `<a href="/${owner.user.username}" title="${owner.user.name}">@`,
    );
    expect(await rendered(`@${group.fullPath}`)).toContain(`href="/groups/${group.fullPath}"`);
  });

  it('shorten commits and addresses of the instance', async () => {
    const link = `<a href="${base()}/commit/${sha}" title="Change">${sha.slice(0, 8)}</a>`;
    expect(await rendered(sha)).toBe(`<p>${link}</p>`);
    const short = sha.slice(0, 8);
    if (/\d/.test(short) && /[a-f]/.test(short)) expect(await rendered(short)).toContain(link);
    expect(await rendered(`${app.url}${base()}/issues/2`)).toContain('>#2 (closed)</a>');
    expect(await rendered(`<${app.url}${base()}/issues/1#note_5>`)).toContain(
      `issues/1#note_5" title="First &quot;quoted&quot; &lt;b&gt;">#1 (comment)</a>`,
    );
    expect(await rendered(`${app.url}${base()}/commit/${sha}`)).toContain(link);
    const foreign = `https://example.com${base()}/issues/1`;
    expect(await rendered(foreign)).toContain(`>${foreign}</a>`);
  });

  it('stay plain at the end of truncated commit messages', async () => {
    const { user } = owner;
    const message = `${'word '.repeat(13)}#12 ${'x'.repeat(928)} #12`;
    const commit = await commitOn(app, project, {
      branch: unique('cut-'),
      from: 'main',
      user,
      files: { 'cut.txt': 'x' },
      message,
    });
    const link = `<a href="${base()}/issues/1" title=`;
    const page = await reader.get(`${base()}/commit/${commit}`).expect(200);
    expect(page.text).toContain('x #1…');
    expect(page.text).not.toContain(link);
    const feed = await reader.get(`${base()}/activity`).expect(200);
    expect(feed.text).toContain('word #1...');
    expect(feed.text).not.toContain(link);
  });

  it('leave code, links and escaped signs alone', async () => {
    for (const text of ['`#1`', '```\n#1\n```', '    #1', '\\#1', '&#35;1', '#1st', 'a#1', '##1']) {
      expect([text, await rendered(text)]).toEqual([text, expect.not.stringContaining('<a')]);
    }
    expect(await rendered('[see #1](https://example.com)')).toBe(
      '<p><a href="https://example.com" rel="nofollow noopener noreferrer">see #1</a></p>',
    );
  });

  it('let no markup through', async () => {
    const evil = await makeActor(app, { name: '"><script>alert(1)</script>' });
    const attempts = [
      `@${evil.user.username}`,
      '%"<img src=x onerror=alert(1)>"',
      '<ref-mark key="issue||1">x</ref-mark>',
      '&lt;ref-mark key="user||x"&gt;#1&lt;/ref-mark&gt;',
      `${app.url}${base()}/issues/1#note_1"onmouseover="alert(1)`,
    ];
    for (const text of attempts) {
      const html = await rendered(text);
      expect(html).not.toMatch(/<(?:script|img|ref-mark)|<[^<>]*\son\w+=/);
    }
  });

  it('are links in every part of a text that is rendered in parts', async () => {
    const long = `# Long\n\n${'*a* *b* *c* *d*\n\n'.repeat(4_000)}## End\n\n- [ ] see #1\n`;
    const { iid } = await createIssue(owner.api, project, { description: long });
    const asOwner = await signedIn(app, owner.user);
    for (const by of [asOwner, reader, asOwner]) {
      // A page of a busy process shows the source of the rest and leaves its HTML to the next one.
      await eventually(async () => {
        const { text } = await by.get(`${base()}/issues/${iid}`).expect(200);
        expect(text.match(/<em>d<\/em>/g)).toHaveLength(4_000);
        expect(text).toContain('<h4>End</h4>');
        expect(text).toContain(`aria-label="Not done"> see <a href="${base()}/issues/1"`);
        expect(text).not.toMatch(/markdown-(?:rest|notice)/);
      });
    }
  });

  it('are looked up within bounds', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `#${at + 1}`).join(' ');
    const repeated = '#1 '.repeat(5_000);
    for (const text of [many, repeated, `${'a/'.repeat(20_000)}#1`]) {
      const html = await rendered(text);
      expect((html.match(/<a href/g) ?? []).length).toBeLessThanOrEqual(500);
    }
  });

  it('are links in comments, commit messages, previews and READMEs', async () => {
    const { user, api } = owner;
    await api.post(`/projects/${project.id}/issues/1/notes`, { body: 'as !1 says' }).expect(201);
    const issue = await reader.get(`${base()}/issues/1`).expect(200);
    expect(issue.text).toContain(`as <a href="${base()}/merge_requests/1" title="Merge b">!1</a>`);
    const message = `Fix #2\n\nCloses ${project.fullPath}#1 and <b>`;
    const files = { 'README.md': 'Plan: #1\n' };
    const branch = 'main';
    const commit = await commitOn(app, project, { branch, user, files, message });
    const page = await reader.get(`${base()}/commit/${commit}`).expect(200);
    expect(page.text).toContain(`Fix <a href="${base()}/issues/2" title="Second">#2 (closed)</a>`);
    expect(page.text).toContain(`>${project.fullPath}#1</a> and &lt;b&gt;`);
    const overview = await reader.get(`/${project.fullPath}`).expect(200);
    expect(overview.text).toContain(`Plan: <a href="${base()}/issues/1"`);
    const path = `${base()}/issues/new`;
    const preview = await reader.post('/-/markdown_preview', { text: '#1 #3', path }).expect(200);
    expect(preview.text).toContain(`<a href="${base()}/issues/1"`);
    expect(preview.text).not.toContain(title);
  });

  it('stay plain in backticks of commit messages, which show as code', async () => {
    const message = 'Run `npm <b> #1` for #1';
    const commit = await commitOn(app, project, {
      branch: 'main',
      user: owner.user,
      files: { 'run.txt': 'now\n' },
      message,
    });
    const { text } = await reader.get(`${base()}/commit/${commit}`).expect(200);
    expect(text).toContain('Run <code>npm &lt;b&gt; #1</code> for <a ');
    const list = await reader.get(`${base()}/commits/main`).expect(200);
    expect(list.text).toContain('Run <code>npm &lt;b&gt; #1</code> for #1</span></a>');
  });

  it('stay plain between runs of backticks of equal length only', async () => {
    const code = '``` js #1 ``` ``a `b` #1`` `` ` ``';
    const message = `Spans\n\n${code}\n\`foo' #1 not \`bar'\n\`open\nline\` #1`;
    const commit = await commitOn(app, project, {
      branch: 'main',
      user: owner.user,
      files: { 'run.txt': 'spans\n' },
      message,
    });
    const { text } = await reader.get(`${base()}/commit/${commit}`).expect(200);
    expect(text).toContain('<code>js #1</code> <code>a `b` #1</code> <code>`</code>');
    expect(text).toMatch(/`foo' <a [^>]*>#1<\/a> not `bar'\n`open\nline` <a [^>]*>#1<\/a>/);
  });

  it('become links in descriptions of alerts and messages of tags', async () => {
    const description = 'Run `npm #1` for #1';
    const alert = await makeAlert(app, project, { description });
    const maintainer = await signedIn(app, owner.user);
    const page = await maintainer.get(`${base()}/alert_management/${alert.iid}/details`);
    const tag = { tag_name: 'noted', ref: 'main', message: description };
    await owner.api.post(`/projects/${project.id}/repository/tags`, tag).expect(201);
    const list = await reader.get(`${base()}/tags`).expect(200);
    for (const { text } of [page, list]) {
      expect(text).toMatch(/Run <code>npm #1<\/code> for <a [^>]*>#1<\/a>/);
    }
  });

  it('follow the rights of the viewer', async () => {
    const actor = await makeActor(app);
    const pages = await signedIn(app, actor.user);
    const text = `${secret.project.fullPath}#1 ${secret.project.fullPath}@${secret.sha}`;
    expect(await rendered(text, pages)).not.toContain('<a');
    await makeMember(app, { project: secret.project, user: actor.user, role: 'guest' });
    const asGuest = await rendered(text, pages);
    expect(asGuest.match(/<a href/g)).toHaveLength(1);
    expect(asGuest).toContain('/-/issues/1"');
  });
});
