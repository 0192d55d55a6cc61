import { beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorEvent } from '../../src/error-tracking/error-event.entity.js';
import { ERROR_STATUS } from '../../src/error-tracking/error-values.js';
import { ErrorGroup } from '../../src/error-tracking/error-group.entity.js';
import { CART_EVENT } from '../error-tracking/cart-event.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { effortOfAnswer } from '../support/effort.js';
import {
  countInHour,
  makeError,
  makeErrorEvent,
  tagError,
  type MadeError,
} from '../support/error-factories.js';
import { textOf } from '../support/html.js';
import { createIssue } from '../support/issue-factories.js';
import { makeMember } from '../support/project-factories.js';
import { makeErrorsPlace, makeErrorsVisitor, statusOf, type ErrorsPlace } from './error-place.js';

const OCCURRED = { occurredAt: new Date('2026-03-01T10:00:00Z') };

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface ErrorPlace extends ErrorsPlace {
  error: MadeError;
  /** Addresses of the error begin with it. */
  own: string;
}

async function makePlace(
  attributes: Partial<ErrorGroup> = {},
  role?: Parameters<typeof makeErrorsPlace>[1],
): Promise<ErrorPlace> {
  const place = await makeErrorsPlace(app, role);
  const error = await makeError(app, place.project, attributes);
  return { ...place, error, own: `${place.path}/${error.id}` };
}

const storedError = (id: number): Promise<ErrorGroup> =>
  app.dataSource.manager.findOneByOrFail(ErrorGroup, { id });

describe('the page of an error', () => {
  it('shows its details, with its newest event', async () => {
    const { pages, error, own, member } = await makePlace({
      value: 'x is undefined',
      eventsCount: 1234,
      usersCount: 56,
      firstSeenAt: new Date('2026-03-01T10:20:30Z'),
      lastSeenAt: new Date('2026-03-02T11:21:31Z'),
      firstRelease: 'shop@1.3.0',
      lastRelease: 'shop@1.4.0',
      status: ERROR_STATUS.resolved,
      statusChangedAt: new Date('2026-03-03T12:00:00Z'),
    });
    await app.dataSource.manager.update(
      ErrorGroup,
      { id: error.id },
      { statusChangedById: member.user.id },
    );
    await makeErrorEvent(app, error, { sent: { message: 'the older one' } });
    const event = await makeErrorEvent(app, error, { sent: CART_EVENT, ...OCCURRED });
    const { text } = await pages.get(`${own}/details`).expect(200);
    const seen = textOf(text);
    expect(seen).toContain('TypeError: x is undefined Unresolve Resolve in next release');
    expect(seen).toContain(
      'Ignore for 1,000 events Resolved Error sumOf(cart) ' +
        '1,234 events · 56 users Last seen 2026-03-02 11:21 UTC Stack trace',
    );
    expect(seen).toContain(
      'History First seen 2026-03-01 10:20 UTC Last seen 2026-03-02 11:21 UTC ' +
        'First release shop@1.3.0 Last release shop@1.4.0 Platform node ' +
        `Resolved 2026-03-03 12:00 UTC by @${member.user.username}`,
    );
    const shortId = event.eventId.slice(0, 8);
    expect(seen).toContain(`Newest event Older All events JSON ID ${shortId} Occurred`);
    expect(seen).not.toContain('the older one');
    expect(text).toContain(`href="${own}/events/${event.eventId}/raw"`);
  });

  it('shows the stack with the newest call first, its source, variables and causes', async () => {
    const { pages, error, own } = await makePlace();
    await makeErrorEvent(app, error, { sent: CART_EVENT });
    const { text } = await pages.get(`${own}/details`).expect(200);
    const seen = textOf(text);
    expect(seen).toContain(
      'Stack trace Most recent call first TypeError Unhandled: onuncaughtexception ' +
        'x is undefined sumOf cart.js:17:9 In app 16 let sum = 0 ; ' +
        'Failed here: line ▸ 17 sum += cart. items . total ; 18 19 return sum; ' +
        'sum 0 cart {"id": 7, "items": null} Show 1 library frame handle router.js:21 ' +
        'Caused by RangeError Handled: chained no items No stack trace.',
    );
    expect(text).toContain('for="stack-text"');
    expect(seen).toContain(
      'TypeError: x is undefined at sumOf (cart.js:17:9) at handle (router.js:21) ' +
        'Caused by: RangeError: no items',
    );
    expect(text).not.toMatch(/style=|<script>/);
  });

  it('shows breadcrumbs, the request, the user and contexts', async () => {
    const { pages, error, own } = await makePlace();
    const sent = { ...CART_EVENT, message: 'It went wrong' };
    await makeErrorEvent(app, error, { sent, clientAddress: '192.0.2.7', ...OCCURRED });
    const { text } = await pages.get(`${own}/details`).expect(200);
    const seen = textOf(text);
    for (const part of [
      'Message It went wrong',
      'Breadcrumbs Newest first default clicked -0.5 s fetch status_code 200 -1.0 s',
      'Request GET https://shop.example.com/cart Query page 2 page 3 Headers Accept */* ' +
        'Cookies theme dark a b=c Body {"quantity": 2} Server SERVER_PORT 8443',
      'User ID 7 Email maria@example.com IP address 192.0.2.7 plan gold',
      'Event tags shop north retries 3 paid false',
      'Contexts runtime name node version v24.21.0',
      'Additional data attempt 2 list [1, null, "a"]',
      'Modules express 5.2.1',
    ]) {
      expect(seen).toContain(part);
    }
    expect(text).toContain('title="2026-03-01 09:59:59.500 UTC"');
    expect(text).toContain('status=all&amp;tag=shop%3Anorth');
    expect(text).toContain(
      '<a href="https://shop.example.com/cart" rel="nofollow noopener noreferrer">',
    );
  });

  it('draws how often it happened, by hour or day', async () => {
    const { pages, error, own } = await makePlace();
    await countInHour(app, error, { hoursAgo: 0, count: 3 });
    await countInHour(app, error, { hoursAgo: 48, count: 4 });
    const day = (await pages.get(`${own}/details`).expect(200)).text;
    expect(day).toContain('3 events in the last 24 hours');
    const month = (await pages.get(`${own}/details?span=month`).expect(200)).text;
    expect(month).toContain('7 events in the last 30 days');
    await pages.get(`${own}/details?span=year`).expect(400);
  });

  it('shows the distribution of its tags, with links to similar errors', async () => {
    const { pages, error, own, path } = await makePlace();
    await tagError(
      app,
      { ...error, tagged: 3 },
      { environment: 'production', 'browser.name': 'Firefox' },
    );
    await tagError(app, error, { environment: 'a & b' });
    const { text } = await pages.get(`${own}/details`).expect(200);
    expect(textOf(text)).toContain(
      'Tags browser.name Firefox 100 % environment production 75 % a & b 25 %',
    );
    expect(text).toContain(`href="${path}?status=all&amp;tag=browser.name%3AFirefox"`);
    expect(text).toContain(`href="${path}?status=all&amp;environment=a+%26+b"`);
    const alike = await pages.get(`${path}?status=all&tag=browser.name%3AFirefox`).expect(200);
    expect(alike.text).toContain(`${own}/details`);
  });

  it('exists without stored events, or with an unreadable newest one', async () => {
    const { pages, error, own } = await makePlace();
    const gone = textOf((await pages.get(`${own}/details`).expect(200)).text);
    expect(gone).toContain('Event not stored');
    await makeErrorEvent(app, error, { payload: Buffer.from('broken') });
    const damaged = textOf((await pages.get(`${own}/details`).expect(200)).text);
    expect(damaged).toContain('The event payload is unreadable.');
  });

  it('is 404 for unknown errors and those of other projects', async () => {
    const { pages, path } = await makePlace();
    const other = await makePlace();
    await pages.get(`${path}/${other.error.id}/details`).expect(404);
    await pages.get(`${path}/999999999/details`).expect(404);
    await pages.get(`${path}/99999999999999999999/details`).expect(404);
  });

  it('is readable and quick with the largest event that is taken', async () => {
    const { pages, error, own } = await makePlace();
    const context = Array.from({ length: 5 }, (_, at) => `const line${at} = ${'x'.repeat(300)};`);
    const frames = Array.from({ length: 250 }, (_, at) => ({
      filename: `src/part-${at}.ts`,
      function: `step${at}`,
      lineno: at + 10,
      in_app: true,
      pre_context: context,
      context_line: 'fail();',
      post_context: context,
      vars: { state: 'y'.repeat(800) },
    }));
    const sent = { exception: { values: [{ type: 'Deep', value: 'z', stacktrace: { frames } }] } };
    expect(JSON.stringify(sent).length).toBeGreaterThan(1_000_000);
    await makeErrorEvent(app, error, { sent });
    const effort = await effortOfAnswer(async () => {
      await pages.get(`${own}/details`).expect(200);
    });
    expect(effort).toBeLessThan(3);
    const { text } = await pages.get(`${own}/details`).expect(200);
    const seen = textOf(text);
    expect(seen).toContain('step249 src/part-249.ts:259');
    expect(seen).toContain('Show 210 more frames');
    expect(text.match(/<details open/g)).toHaveLength(2);
  });
});

describe('the buttons of an error', () => {
  it('resolve it, close its issue, ignore it and take both back', async () => {
    const { pages, project, member, error, own } = await makePlace();
    const issue = await createIssue(member.api, project);
    await app.dataSource.manager.update(ErrorGroup, { id: error.id }, { issueId: issue.id });
    for (const status of ['resolved', 'unresolved', 'ignored', 'resolved'] as const) {
      const answer = await pages.post(`${own}/status`, { status }).expect(303);
      expect(answer.headers['location']).toBe(`${own}/details`);
      expect(await statusOf(app, error.id)).toBe(ERROR_STATUS[status]);
    }
    const { body } = await member.api.get(`/projects/${project.id}/issues/${issue.iid}`);
    expect(body.state).toBe('closed');
    await pages.post(`${own}/status`, { status: 'bogus' }).expect(303);
    expect(await statusOf(app, error.id)).toBe(ERROR_STATUS.resolved);
  });

  it('assign it to its readers, whose avatar the list has then', async () => {
    const { pages, member, error, own, path } = await makePlace();
    const { user: stranger } = await makeErrorsVisitor(app);
    const { name, username } = member.user;
    await pages.post(`${own}/assignee`, { assignee: username }).expect(303);
    expect((await storedError(error.id)).assigneeId).toBe(member.user.id);
    await pages.post(`${own}/assignee`, { assignee: stranger.username }).expect(303);
    expect((await storedError(error.id)).assigneeId).toBe(member.user.id);
    expect((await pages.get(`${own}/details`)).text).not.toContain('Assign to me');
    expect(textOf((await pages.get(path).expect(200)).text)).toContain(`Assigned to ${name}`);
    await pages.post(`${own}/assignee`, { assignee: '' }).expect(303);
    expect((await storedError(error.id)).assigneeId).toBeNull();
  });

  it('open an issue with the stack, once', async () => {
    const { pages, project, member, error, own } = await makePlace();
    await makeErrorEvent(app, error, { sent: CART_EVENT });
    await pages.post(`${own}/issue`).expect(303);
    await pages.post(`${own}/issue`).expect(303);
    const { body } = await member.api.get(`/projects/${project.id}/issues?scope=all`);
    expect(body).toHaveLength(1);
    expect(body[0].description).toContain('at sumOf (cart.js:17:9)');
    expect((await storedError(error.id)).issueId).toBe(body[0].id);
    const { text } = await pages.get(`${own}/details`).expect(200);
    expect(text).toContain(`href="/${project.fullPath}/-/issues/${body[0].iid}"`);
    expect(textOf(text)).toContain('Unlink');
  });

  it('show the errors of an issue on its page, to who may read errors', async () => {
    const { pages, project, member, error } = await makePlace({ value: 'x is undefined' });
    const guest = await makeErrorsVisitor(app);
    await makeMember(app, { project, user: guest.user, role: 'guest' });
    const issue = await createIssue(member.api, project);
    await app.dataSource.manager.update(ErrorGroup, { id: error.id }, { issueId: issue.id });
    const path = `/${project.fullPath}/-/issues/${issue.iid}`;
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toContain(
      'Errors Error TypeError: x is undefined Unresolved 1 event, last',
    );
    expect((await guest.pages.get(path).expect(200)).text).not.toContain('x is undefined');
  });

  it('link an issue that is there, say when there is none, and unlink it', async () => {
    const { pages, project, member, error, own } = await makePlace();
    const issue = await createIssue(member.api, project);
    for (const issue_iid of ['99', 'bogus']) {
      const { text } = await pages.post(`${own}/issue/link`, { issue_iid }).expect(422);
      expect(textOf(text)).toContain('The project has no issue with this number.');
      expect(text).toContain(`value="${issue_iid}"`);
    }
    await pages.post(`${own}/issue/link`, { issue_iid: `#${issue.iid}` }).expect(303);
    expect((await storedError(error.id)).issueId).toBe(issue.id);
    await pages.post(`${own}/issue/unlink`).expect(303);
    await pages.post(`${own}/issue/unlink`).expect(303);
    expect((await storedError(error.id)).issueId).toBeNull();
  });

  it('are not there for reporters', async () => {
    const { pages, error, own } = await makePlace({}, 'reporter');
    await makeErrorEvent(app, error, { sent: CART_EVENT });
    const { text } = await pages.get(`${own}/details`).expect(200);
    expect(text).not.toContain(`${own}/`.concat('status'));
    expect(text).not.toContain(`${own}/issue`);
    expect(text).not.toContain(`${own}/assignee`);
  });
});

describe('the pages of events', () => {
  it('list them, the latest first, page by page', async () => {
    const { pages, error, own } = await makePlace({ eventsCount: 3 });
    const made = [];
    for (const title of ['First', 'Second', 'Third']) {
      const attributes = { title, release: 'shop@1', userLabel: 'maria', ...OCCURRED };
      made.push(await makeErrorEvent(app, error, attributes));
    }
    const { text } = await pages.get(`${own}/events?per_page=2`).expect(200);
    expect(textOf(text)).toContain(
      `${made[2]?.eventId.slice(0, 8)} Third 2026-03-01 10:00 UTC Error production shop@1 maria ` +
        `${made[1]?.eventId.slice(0, 8)} Second 2026-03-01 10:00 UTC`,
    );
    expect(text).not.toContain('First<');
    const second = await pages.get(`${own}/events?per_page=2&page=2`).expect(200);
    expect(second.text).toContain(`href="${own}/events/${made[0]?.eventId}"`);
  });

  it('show one with the ways to its neighbours', async () => {
    const { pages, error, own } = await makePlace();
    const [first, second, third] = [
      await makeErrorEvent(app, error),
      await makeErrorEvent(app, error, { sent: CART_EVENT }),
      await makeErrorEvent(app, error),
    ];
    const { text } = await pages.get(`${own}/events/${second.eventId}`).expect(200);
    expect(text).toContain(`href="${own}/events/${first.eventId}"`);
    expect(text).toContain(`href="${own}/events/${third.eventId}"`);
    expect(textOf(text)).toContain('sumOf cart.js:17:9');
  });

  it('say why an event is not there, and know nothing of what is no id', async () => {
    const { pages, error, own } = await makePlace();
    const { eventId } = await makeErrorEvent(app, error, { sent: CART_EVENT });
    await app.dataSource.manager.delete(ErrorEvent, { errorId: error.id });
    const { text } = await pages.get(`${own}/events/${eventId}`).expect(404);
    expect(textOf(text)).toContain('This event is no longer stored');
    expect(text).toContain(`href="${own}/details"`);
    for (const wrong of ['latest', 'x', `${eventId}0`]) {
      const answer = await pages.get(`${own}/events/${wrong}`).expect(404);
      expect(answer.text).not.toContain('Event not stored');
    }
  });

  it('hand out what was sent as a file that no browser runs', async () => {
    const { pages, error, own } = await makePlace({}, 'reporter');
    const { eventId } = await makeErrorEvent(app, error, { sent: CART_EVENT });
    const answer = await pages.get(`${own}/events/${eventId}/raw`).expect(200);
    expect(JSON.parse(answer.text)).toEqual({ event_id: eventId, ...CART_EVENT });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="event-${eventId}.json"`,
      'x-content-type-options': 'nosniff',
    });
    const damaged = await makeErrorEvent(app, error, { payload: Buffer.from('broken') });
    await pages.get(`${own}/events/${damaged.eventId}/raw`).expect(404);
    await pages.get(`${own}/events/${'0'.repeat(32)}/raw`).expect(404);
  });
});
