import { beforeAll, describe, expect, it } from '@jest/globals';
import { ERROR_STATUS } from '../../src/error-tracking/error-values.js';
import { ErrorGroup } from '../../src/error-tracking/error-group.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeError, type MadeError } from '../support/error-factories.js';
import { makeActor } from '../support/factories.js';
import { createIssue, systemNotes } from '../support/issue-factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makeTracked, type TrackedProject } from './tracked.js';

let app: TestApp;

beforeAll(async () => {
  app = await sharedTestApp();
});

const CLOSING_NOTES = ['closed', 'closed this issue because its error was resolved'];

/** An error of the project with an issue that the developer made. */
async function makeLinked({ project, errors, developer }: TrackedProject) {
  const error = await makeError(app, project);
  const issue = await createIssue(developer.api, project);
  const body = { issue_iid: issue.iid };
  expect((await developer.api.post(`${errors}/${error.id}/issue`, body)).status).toBe(200);
  return { error, issue };
}

function stored({ id }: Pick<MadeError, 'id'>): Promise<ErrorGroup> {
  return app.dataSource.manager.findOneByOrFail(ErrorGroup, { id });
}

describe('changing the state of an error', () => {
  it('answers the error as it is then, and notes who did it', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const error = await makeError(app, project);
    const path = `${errors}/${error.id}`;
    const answers: unknown[] = [];
    for (const status of ['ignored', 'unresolved', 'resolved']) {
      const { body } = await developer.api.put(path, { status });
      answers.push(body);
    }
    const shown = await developer.api.get(path);
    const before = await stored(error);

    expect(answers).toMatchObject([
      { status: 'ignored' },
      { status: 'unresolved' },
      { status: 'resolved' },
    ]);
    expect(answers[2]).toEqual({ ...(shown.body as object), closed_issue_iid: null });
    expect(before).toMatchObject({
      status: ERROR_STATUS.resolved,
      statusChangedById: developer.user.id,
      statusChangedAt: expect.any(Date),
    });
    await developer.api.put(path, { status: 'resolved' });
    expect(await stored(error)).toEqual(before);
  });

  it('assigns it to users who can read errors, and clears that', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const error = await makeError(app, project);
    const path = `${errors}/${error.id}`;
    const { id, username } = developer.user;
    const assigned = await developer.api.put(path, { assignee_id: id, status: 'ignored' });
    expect(assigned.body).toMatchObject({ assignee: { id, username }, status: 'ignored' });
    const stranger = await makeActor(app);
    const guest = await makeMemberOf(app, project, 'guest');
    for (const assignee_id of [stranger.user.id, guest.user.id, 999_999_999]) {
      const { status, body } = await developer.api.put(path, { assignee_id });
      expect([status, body]).toEqual([400, { message: 'Assignee has no permissions' }]);
    }
    expect((await guest.api.put(path, { assignee_id: id })).status).toBe(403);
    expect((await stored(error)).assigneeId).toBe(id);
    const cleared = await developer.api.put(path, { assignee_id: 0 });
    expect(cleared.body).toMatchObject({ assignee: null, status: 'ignored' });
  });

  it('is the same by PATCH', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const error = await makeError(app, project);
    const answer = await developer.api.patch(`${errors}/${error.id}`, { status: 'ignored' });

    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ id: error.id, status: 'ignored', closed_issue_iid: null }),
    ]);
  });

  it('closes the open issue when it is resolved, with a note, and only then', async () => {
    const place = await makeTracked(app);
    const { project, errors, developer } = place;
    const { error, issue } = await makeLinked(place);
    const path = `${errors}/${error.id}`;
    const ignored = await developer.api.put(path, { status: 'ignored' });
    const resolved = await developer.api.put(path, { status: 'resolved' });
    await developer.api.put(path, { status: 'unresolved' });
    const again = await developer.api.put(path, { status: 'resolved' });

    expect(ignored.body).toMatchObject({ closed_issue_iid: null, issue: { state: 'opened' } });
    expect(resolved.body).toMatchObject({
      closed_issue_iid: issue.iid,
      issue: { iid: issue.iid, state: 'closed' },
    });
    expect(again.body).toMatchObject({ closed_issue_iid: null });
    expect(await systemNotes(app, issue.id)).toEqual(CLOSING_NOTES);
    const shown = await developer.api.get(`/projects/${project.id}/issues/${issue.iid}`);
    expect(shown.body).toMatchObject({ closed_by: { id: developer.user.id } });
  });

  it('leaves issues alone where they are turned off', async () => {
    const place = await makeTracked(app);
    const { error, issue } = await makeLinked(place);
    await app.dataSource.query('UPDATE projects SET issues_enabled = false WHERE id = $1', [
      place.project.id,
    ]);
    const path = `${place.errors}/${error.id}`;
    const answer = await place.developer.api.put(path, { status: 'resolved' });

    expect(answer.body).toMatchObject({ status: 'resolved', closed_issue_iid: null });
    expect(await systemNotes(app, issue.id)).toEqual([]);
  });

  it('is refused below Developer, in archived projects, and without a known state', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const reporter = await makeMemberOf(app, project, 'reporter');
    const { id } = await makeError(app, project);
    const archived = await makeTracked(app, { archived: true });
    const old = await makeError(app, archived.project);
    const path = `${errors}/${id}`;

    expect((await reporter.api.put(path, { status: 'resolved' })).status).toBe(403);
    const answer = await archived.developer.api.put(`${archived.errors}/${old.id}`, {
      status: 'resolved',
    });
    expect([answer.status, answer.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect((await developer.api.put(path)).body).toMatchObject({ error: 'status is missing' });
    expect((await developer.api.put(path, { status: 'open' })).body).toMatchObject({
      error: 'status does not have a valid value',
    });
    expect((await developer.api.put(`${errors}/0`, { status: 'resolved' })).body).toEqual({
      message: '404 Error Not Found',
    });
  });
});

describe('changing the state of many errors', () => {
  it('changes those of the project and answers which, and what issues it closed', async () => {
    const place = await makeTracked(app);
    const { project, errors, developer } = place;
    const other = await makeTracked(app);
    const [one, two] = [await makeLinked(place), await makeLinked(place)];
    const three = await makeError(app, project, { status: ERROR_STATUS.ignored });
    const foreign = await makeError(app, other.project);
    const ids = [three.id, one.error.id, foreign.id, two.error.id, one.error.id, -1];
    const answer = await developer.api.put(errors, { error_ids: ids, status: 'resolved' });

    expect([answer.status, answer.body]).toEqual([
      200,
      {
        updated_ids: [one.error.id, two.error.id, three.id],
        closed_issue_iids: [one.issue.iid, two.issue.iid],
      },
    ]);
    expect(await stored(foreign)).toMatchObject({ status: ERROR_STATUS.unresolved });
    const resolved = await developer.api.get(`${errors}?status=resolved`);
    expect(resolved.headers['x-total']).toBe('3');
    expect(await systemNotes(app, two.issue.id)).toEqual(CLOSING_NOTES);
  });

  it('takes a hundred errors at most', async () => {
    const { errors, developer } = await makeTracked(app);
    const ids = Array.from({ length: 101 }, (_, at) => at + 1);
    const answer = await developer.api.put(errors, { error_ids: ids, status: 'resolved' });

    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ error: 'error_ids has a value not allowed' }),
    ]);
    expect((await developer.api.put(errors, { status: 'resolved' })).body).toMatchObject({
      error: 'error_ids is missing',
    });
  });

  it('never deadlocks with concurrent changes of errors and issues', async () => {
    const place = await makeTracked(app);
    const { errors, developer } = place;
    const made = [];
    for (let number = 0; number < 6; number += 1) made.push(await makeLinked(place));
    const ids = made.map(({ error }) => error.id);
    const changes = Array.from({ length: 12 }, (_, at) => {
      const wanted = at % 2 === 0 ? ids : ids.toReversed();
      const status = at % 3 === 0 ? 'unresolved' : 'resolved';
      return developer.api.put(errors, { error_ids: wanted, status });
    });
    const parted = ids.map((id) => developer.api.delete(`${errors}/${id}/issue`));
    const answers = await Promise.all([...changes, ...parted]);

    expect(answers.map(({ status }) => status)).toEqual([
      ...changes.map(() => 200),
      ...parted.map(() => 204),
    ]);
  });
});
