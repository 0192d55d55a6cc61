import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ERROR_LEVELS, ERROR_STATUS } from '../../src/error-tracking/error-values.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { countInHour, makeError, tagError } from '../support/error-factories.js';
import { textOf } from '../support/html.js';
import { createIssue } from '../support/issue-factories.js';
import { makeErrorsPlace, makeErrorsVisitor, statusOf, track } from './error-place.js';

const XSS = '<img src=x onerror=alert(1)>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const makePlace = (role?: Parameters<typeof makeErrorsPlace>[1]) => makeErrorsPlace(app, role);

describe('the list of errors', () => {
  it('shows unresolved ones with their details, and counts all', async () => {
    const { pages, member, project, path } = await makePlace();
    const issue = await createIssue(member.api, project);
    const first = await makeError(app, project, {
      type: 'TypeError',
      value: 'cart is undefined',
      culprit: 'sumOf(cart)',
      level: ERROR_LEVELS.indexOf('fatal'),
      isUnhandled: true,
      regressedAt: new Date(),
      eventsCount: 1234,
      usersCount: 10_000,
      issueId: issue.id,
      firstSeenAt: new Date('2026-03-01T10:20:30Z'),
      lastSeenAt: new Date('2026-03-02T11:21:31Z'),
    });
    await countInHour(app, first, { hoursAgo: 1, count: 7 });
    await makeError(app, project, { value: 'Long gone', status: ERROR_STATUS.resolved });
    const { text } = await pages.get(path).expect(200);
    const seen = textOf(text);
    expect(seen).toContain(
      `Fatal TypeError : cart is undefined Regressed Unhandled Issue #${issue.iid} sumOf(cart) ` +
        '7 events in the last 24 hours, at most 7 in an hour 1,234 events 10,000+ users ' +
        'Last seen 2026-03-02 11:21 UTC',
    );
    expect(text).not.toContain('>New<');
    expect(seen).not.toContain('Long gone');
    expect(seen).toContain('Unresolved 1 Resolved 1 Ignored 0 All 2');
    expect(text).toContain(`href="${path}/${first.id}/details"`);
    expect(text).toContain(`href="/${project.fullPath}/-/issues/${issue.iid}"`);
    const newest = await pages.get(`${path}?sort=first_seen`).expect(200);
    expect(textOf(newest.text)).toContain('10,000+ users First seen 2026-03-01 10:20 UTC');
  });

  it('is narrowed down by state, words, environment, release and tag, and ordered', async () => {
    const { pages, project, path } = await makePlace();
    const rare = await makeError(app, project, { value: 'Rare', eventsCount: 2 });
    const often = await makeError(app, project, {
      value: 'Often',
      eventsCount: 9,
      lastSeenAt: new Date('2026-03-01T10:00:00Z'),
    });
    await makeError(app, project, { value: 'Noise', status: ERROR_STATUS.ignored });
    await tagError(app, rare, { environment: 'production', release: 'shop@1', url: 'a:b' });
    await tagError(app, often, { environment: 'staging', release: 'shop@2' });
    const linesOf = async (query: string): Promise<string[]> => {
      const { text } = await pages.get(`${path}?${query}`).expect(200);
      return [...text.matchAll(/<\/strong><span[^>]*>: (Rare|Often|Noise)/g)].map(([, name]) =>
        String(name),
      );
    };
    expect(await linesOf('')).toEqual(['Rare', 'Often']);
    expect(await linesOf('sort=frequency')).toEqual(['Often', 'Rare']);
    expect(await linesOf('status=ignored')).toEqual(['Noise']);
    expect(await linesOf('search=typeerror+OFTEN')).toEqual(['Often']);
    expect(await linesOf('environment=staging')).toEqual(['Often']);
    expect(await linesOf('release=shop%401')).toEqual(['Rare']);
    expect(await linesOf('tag=url%3Aa%3Ab')).toEqual(['Rare']);
    expect(await linesOf('environment=staging&release=shop%401')).toEqual([]);
    const typed = await pages.get(`${path}?search=is:resolved release:shop@1 often`).expect(303);
    expect(typed.headers['location']).toBe(`${path}?search=often&status=resolved&release=shop%401`);
    await pages.get(`${path}?status=bogus`).expect(400);
    await pages.get(`${path}?tag=nothing`).expect(400);
  });

  it('offers the known environments and releases, and a way out of filters', async () => {
    const { pages, project, path } = await makePlace();
    const error = await makeError(app, project);
    await tagError(app, error, { environment: 'production', release: 'shop@1' });
    const { text } = await pages.get(`${path}?environment=gone&sort=frequency`).expect(200);
    expect(text).toContain('<option value="production">production</option>');
    expect(text).toContain('<option value="shop@1">shop@1</option>');
    expect(text).toContain('<option value="gone" selected>gone</option>');
    expect(textOf(text)).toContain('No errors match these filters');
    expect(text).toContain(`href="${path}?status=unresolved&amp;sort=frequency"`);
  });

  it('refreshes its live part with the same query and page', async () => {
    const { pages, project, path } = await makePlace();
    await makeError(app, project, { type: XSS, value: XSS, culprit: XSS });
    const { text } = await pages.get(`${path}/live?status=all&page=1`).expect(200);
    expect(text).toMatch(/^<section id="errors"/);
    expect(text).toContain('hx-get="');
    expect(textOf(text)).toContain(`${XSS} Unresolved New ${XSS}`);
    expect(text).toContain('<nav id="states" aria-label="States" hx-swap-oob="true">');
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toContain(XSS);
  });

  it('is read by reporters without buttons', async () => {
    const { pages, project, path } = await makePlace('reporter');
    await makeError(app, project);
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain('error_ids[]');
    expect(text).not.toContain('Resolve</button>');
  });
});

describe('the list of errors of a project without any', () => {
  it('leads maintainers to the settings, and names them to others', async () => {
    const { pages, project, owner, path } = await makePlace();
    const settings = `href="/${project.fullPath}/-/settings/error_tracking"`;
    const seen = (await owner.pages.get(path).expect(200)).text;
    expect(textOf(seen)).toContain('No errors yet');
    expect(seen).toContain(settings);
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toContain('Project maintainers can set up error tracking');
    expect(text).not.toContain(settings);
    await track(app, project, { enabled: false });
    const off = (await owner.pages.get(path).expect(200)).text;
    expect(textOf(off)).toContain('Error tracking is disabled');
    const [, form = ''] = /<form[^>]* action="([^"]*\/settings\/error_tracking)"/.exec(off) ?? [];
    await owner.pages.post(form, { enabled: 'true', integrated: 'true' }).expect(303);
    expect(textOf((await owner.pages.get(path)).text)).toContain('No errors yet');
  });

  it('shows what came before tracking was switched off', async () => {
    const { pages, project, path } = await makePlace();
    await makeError(app, project, { value: 'From before' });
    await track(app, project, { enabled: false });
    const seen = textOf((await pages.get(path).expect(200)).text);
    expect(seen).toContain('Error tracking is disabled. No new errors arrive.');
    expect(seen).toContain('From before');
  });

  it('leads out where an external tracker has the errors', async () => {
    const { pages, project, path } = await makePlace();
    const apiUrl = 'https://tracker.example.com/api/0/projects/tools/lathe/';
    await track(app, project, { integrated: false, apiUrl, encryptedToken: 'encrypted' });
    const { text } = await pages.get(path).expect(200);
    expect(text).toContain('href="https://tracker.example.com/tools/lathe/"');
    expect(text).not.toContain('aria-label="Filters"');
  });

  it('keeps the external tracker of a project that switched it off', async () => {
    const { owner, project, path } = await makePlace();
    const apiUrl = 'https://tracker.example.com/api/0/projects/tools/lathe/';
    await track(app, project, { enabled: false, integrated: false, apiUrl });
    const { text } = await owner.pages.get(path).expect(200);
    expect(textOf(text)).toContain('Error tracking is disabled');
    expect(text).not.toContain('Enable error tracking</button>');
    expect(text).toContain(`href="/${project.fullPath}/-/settings/error_tracking"`);
  });
});

describe('the buttons of the list', () => {
  it('change what is ticked, close its issues, and lead back to the list as it was', async () => {
    const { pages, member, project, path } = await makePlace();
    const issue = await createIssue(member.api, project);
    const [first, second, third] = [
      await makeError(app, project, { issueId: issue.id }),
      await makeError(app, project),
      await makeError(app, project),
    ];
    const back = 'status=all&search=a%26b&sort=frequency&page=2';
    const error_ids = [String(first.id), String(second.id)];
    const fields = { status: 'resolved', back, error_ids };
    const answer = await pages.post(`${path}/status`, fields).expect(303);
    expect(answer.headers['location']).toBe(`${path}?${back}`);
    expect([await statusOf(app, first.id), await statusOf(app, second.id)]).toEqual([1, 1]);
    expect(await statusOf(app, third.id)).toBe(ERROR_STATUS.unresolved);
    const closed = await pages.get(`/${project.fullPath}/-/issues/${issue.iid}`).expect(200);
    expect(textOf(closed.text)).toContain('closed this issue because its error was resolved');
  });

  it('change nothing of other projects, and nothing without a choice', async () => {
    const { pages, path } = await makePlace();
    const other = await makePlace();
    const foreign = await makeError(app, other.project);
    const fields = { status: 'resolved', error_ids: [String(foreign.id)] };
    await pages.post(`${path}/status`, fields).expect(303);
    expect(await statusOf(app, foreign.id)).toBe(ERROR_STATUS.unresolved);
    const back = '//evil.example';
    const nothing = { status: 'resolved', back };
    for (const wrong of [nothing, { status: 'bogus', back, error_ids: ['x'] }]) {
      const answer = await pages.post(`${path}/status`, { ...wrong });
      expect([answer.status, answer.headers['location']]).toEqual([
        303,
        `${path}?status=unresolved&sort=last_seen`,
      ]);
    }
  });
});

describe('pages of errors', () => {
  it('do not exist for guests and strangers, and want a sign-in', async () => {
    const { pages, project, path } = await makePlace('guest');
    const { id } = await makeError(app, project);
    const stranger = await makeErrorsVisitor(app);
    const own = `${path}/${id}`;
    const event = `${own}/events/${'0'.repeat(32)}`;
    for (const visitor of [pages, stranger.pages]) {
      const reads = [
        path,
        `${path}/live`,
        `${own}/details`,
        `${own}/events`,
        event,
        `${event}/raw`,
      ];
      for (const address of reads) await visitor.get(address).expect(404);
      await visitor
        .post(`${path}/status`, { status: 'resolved', error_ids: [`${id}`] })
        .expect(404);
      await visitor.post(`${own}/status`, { status: 'resolved' }).expect(404);
      await visitor.post(`${own}/assignee`, { assignee: '' }).expect(404);
      await visitor.post(`${own}/issue`).expect(404);
      await visitor.post(`${own}/issue/link`, { issue_iid: '1' }).expect(404);
      await visitor.post(`${own}/issue/unlink`).expect(404);
    }
    expect(await statusOf(app, id)).toBe(ERROR_STATUS.unresolved);
    await request(app.url).get(path).expect(302);
  });

  it('let reporters change nothing, nor anyone without the CSRF token', async () => {
    const { pages, project, path } = await makePlace('reporter');
    const { id } = await makeError(app, project);
    await pages.post(`${path}/${id}/status`, { status: 'resolved' }).expect(404);
    const developer = await makePlace();
    const { id: theirs } = await makeError(app, developer.project);
    await request(app.url)
      .post(`${developer.path}/${theirs}/status`)
      .set('Cookie', `_svc_session=${developer.pages.cookie}`)
      .type('form')
      .send({ status: 'resolved' })
      .expect(422);
    expect([await statusOf(app, id), await statusOf(app, theirs)]).toEqual([0, 0]);
  });

  it('are a tab of the project for who may read them', async () => {
    const { pages, project } = await makePlace('reporter');
    const guest = await makePlace('guest');
    const tab = (fullPath: string): string => `href="/${fullPath}/-/error_tracking"`;
    expect((await pages.get(`/${project.fullPath}`)).text).toContain(tab(project.fullPath));
    const { text } = await guest.pages.get(`/${guest.project.fullPath}`).expect(200);
    expect(text).not.toContain(tab(guest.project.fullPath));
  });
});
