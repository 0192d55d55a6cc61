import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeError, makeErrorEvent } from '../support/error-factories.js';
import { createIssue } from '../support/issue-factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makeTracked } from './tracked.js';

let app: TestApp;

beforeAll(async () => {
  app = await sharedTestApp();
});

const frame = (name: string, line: number) => ({
  function: name,
  filename: 'src/shop.ts',
  lineno: line,
  in_app: true,
});

/** Event of a program: a failure with its cause, and backticks that must not end a code block. */
const SENT = {
  exception: {
    values: [
      { type: 'DbError', value: '```\n# gone @all', stacktrace: { frames: [frame('query', 7)] } },
      {
        type: 'TypeError',
        value: 'x is undefined',
        stacktrace: { frames: [frame('main', 1), frame('sumOf', 3)] },
      },
    ],
  },
};

describe('creating an issue for an error', () => {
  it('answers the issue, which holds what is known and the newest stack', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const error = await makeError(app, project, {
      value: 'x is *undefined* @all',
      culprit: 'sumOf(cart)',
      eventsCount: 12,
      usersCount: 3,
      firstSeenAt: new Date('2026-03-01T10:00:00Z'),
      lastSeenAt: new Date('2026-03-02T10:00:00Z'),
      lastRelease: 'shop@1.2',
    });
    await makeErrorEvent(app, error, { sent: { message: 'An old one' } });
    await makeErrorEvent(app, error, { sent: SENT });
    const path = `${errors}/${error.id}`;
    const created = await developer.api.post(`${path}/issue`);
    const shown = await developer.api.get(`/projects/${project.id}/issues/1`);
    const webUrl = `${app.url}/${project.fullPath}/-/error_tracking/${error.id}/details`;

    expect(created.status).toBe(201);
    expect(created.body).toEqual(shown.body);
    expect(created.body).toMatchObject({
      iid: 1,
      title: 'TypeError: x is *undefined* @all',
      issue_type: 'issue',
      state: 'opened',
      confidential: false,
      author: { id: developer.user.id },
      description: [
        `**Error:** ${webUrl}  `,
        '**Message:** x is \\*undefined\\* \\@all  ',
        '**Where:** `sumOf(cart)`  ',
        '**First seen:** 2026-03-01T10:00:00.000Z  ',
        '**Last seen:** 2026-03-02T10:00:00.000Z  ',
        '**Events:** 12  ',
        '**Users affected:** 3  ',
        '**Environment:** production  ',
        '**Release:** `shop@1.2`  ',
        '',
        '### Stack trace',
        '',
        '````',
        'TypeError: x is undefined',
        '    at sumOf (src/shop.ts:3)',
        '    at main (src/shop.ts:1)',
        'Caused by: DbError: ```',
        '# gone @all',
        '    at query (src/shop.ts:7)',
        '````',
        '',
      ].join('\n'),
    });
    expect((await developer.api.get(path)).body).toMatchObject({
      issue: { iid: 1, title: 'TypeError: x is *undefined* @all', state: 'opened' },
      status: 'unresolved',
    });
  });

  it('works without an event, and with a title of its own', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const { id } = await makeError(app, project, { type: null, value: null });
    const { status, body } = await developer.api.post(`${errors}/${id}/issue`, {
      title: 'Look at this',
      confidential: true,
    });

    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        title: 'Look at this',
        confidential: true,
        description: expect.not.stringContaining('Stack trace'),
      }),
    ]);
    const second = await makeError(app, project);
    const long = { title: 'x'.repeat(256) };
    expect((await developer.api.post(`${errors}/${second.id}/issue`, long)).body).toEqual({
      message: { title: ['is too long (maximum is 255 characters)'] },
    });
  });

  it('hides the issue where others see issues, unless asked otherwise', async () => {
    const { project, errors, developer } = await makeTracked(app, { visibility: 'public' });
    const shown: unknown[] = [];
    for (const body of [{}, { confidential: false }]) {
      const { id } = await makeError(app, project);
      const created = await developer.api.post(`${errors}/${id}/issue`, body);
      shown.push((created.body as { confidential: boolean }).confidential);
    }

    expect(shown).toEqual([true, false]);
  });

  it('happens once, however many ask for it', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const { id } = await makeError(app, project);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => developer.api.post(`${errors}/${id}/issue`)),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      message: 'An issue already exists',
    });
    expect((await developer.api.get(`/projects/${project.id}/issues`)).body).toHaveLength(1);
  });

  it('is refused below Developer, without issues, in archived projects and without error', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const reporter = await makeMemberOf(app, project, 'reporter');
    const { id } = await makeError(app, project);

    expect((await reporter.api.post(`${errors}/${id}/issue`)).status).toBe(403);
    expect((await developer.api.post(`${errors}/0/issue`)).body).toEqual({
      message: '404 Error Not Found',
    });
    for (const closed of [{ issuesEnabled: false }, { archived: true }]) {
      const place = await makeTracked(app, closed);
      const path = `${place.errors}/${(await makeError(app, place.project)).id}/issue`;
      expect((await place.developer.api.post(path)).status).toBe(403);
      expect((await place.developer.api.delete(path)).status).toBe(403);
    }
  });
});

describe('linking an error to an issue that is there', () => {
  it('answers the issue; several errors may share one', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const issue = await createIssue(developer.api, project, { title: 'Cart' });
    const [one, two] = [await makeError(app, project), await makeError(app, project)];
    const body = { issue_iid: issue.iid };
    const linked = await developer.api.post(`${errors}/${one.id}/issue`, body);

    expect([linked.status, linked.body]).toEqual([
      200,
      expect.objectContaining({ id: issue.id, iid: 1, title: 'Cart' }),
    ]);
    expect((await developer.api.post(`${errors}/${two.id}/issue`, body)).status).toBe(200);
    expect((await developer.api.post(`${errors}/${two.id}/issue`, body)).status).toBe(409);
    expect((await developer.api.get(`/projects/${project.id}/issues`)).body).toHaveLength(1);
  });

  it('finds issues of the same project only', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const { id } = await makeError(app, project);
    const other = await makeTracked(app);
    await createIssue(other.developer.api, other.project);
    const answer = await developer.api.post(`${errors}/${id}/issue`, { issue_iid: 1 });

    expect([answer.status, answer.body]).toEqual([404, { message: '404 Not found' }]);
  });

  it('ends when they are parted, or when the issue is deleted', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const owner = await makeMemberOf(app, project, 'owner');
    const { id } = await makeError(app, project);
    const path = `${errors}/${id}/issue`;
    await developer.api.post(path);
    const parted = await developer.api.delete(path);
    const again = await developer.api.delete(path);

    expect([parted.status, again.status, again.body]).toEqual([
      204,
      404,
      { message: '404 Issue Not Found' },
    ]);
    await developer.api.post(path, { issue_iid: 1 });
    expect((await owner.api.delete(`/projects/${project.id}/issues/1`)).status).toBe(204);
    expect((await developer.api.get(`${errors}/${id}`)).body).toMatchObject({ issue: null });
  });
});
