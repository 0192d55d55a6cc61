import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import {
  makeStatusPlace,
  nextCommit,
  pipelineNotifications,
  report,
  type StatusPlace,
} from './place.js';

let app: TestApp;
let owner: MadeActor;
let place: StatusPlace;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});
beforeEach(async () => {
  place = await makeStatusPlace(app, owner);
});

async function pipelines(): Promise<unknown[]> {
  return app.dataSource.query(
    `SELECT status, outcome, user_id, finished_at IS NOT NULL AS ended FROM pipelines
     WHERE project_id = $1 ORDER BY id`,
    [place.project.id],
  );
}

describe('a pipeline', () => {
  it('runs until all of its statuses have ended, and then is what they are', async () => {
    const developer = await makeMemberOf(app, place.project, 'developer');
    await report({ ...place, owner: developer }, { state: 'pending', name: 'a' });
    await report(place, { state: 'failed', name: 'b' });
    const base = { user_id: developer.user.id };
    expect(await pipelines()).toEqual([
      { ...base, status: 'running', outcome: null, ended: false },
    ]);
    expect(await pipelineNotifications(app, place)).toEqual([]);
    await report(place, { state: 'success', name: 'a' });
    const failed = { ...base, status: 'failed', outcome: 'failed', ended: true };
    expect(await pipelines()).toEqual([failed]);
    expect(await pipelineNotifications(app, place)).toEqual(['failed_pipeline']);
  });

  it('succeeds in spite of a failure that is allowed', async () => {
    await report(place, { state: 'failed', name: 'lint', allow_failure: true });
    expect(await pipelineNotifications(app, place)).toEqual(['success_pipeline']);
  });

  it('notifies of a success that fixes a failure, its own or the previous one', async () => {
    await report(place, { state: 'failed' });
    await report(place, { state: 'running' });
    await report(place, { state: 'success' });
    const next = { ...place, sha: await nextCommit(app, place) };
    await report(next, { state: 'success' });
    await report(next, { state: 'failed', name: 'late' });
    const last = { ...place, sha: await nextCommit(app, place) };
    await report(last, { state: 'canceled' });
    await report(last, { state: 'success' });
    expect(await pipelineNotifications(app, place)).toEqual([
      'failed_pipeline',
      'fixed_pipeline',
      'success_pipeline',
      'failed_pipeline',
      'fixed_pipeline',
    ]);
  });

  it('compares outcomes of its own ref only', async () => {
    await report(place, { state: 'failed', ref: 'v1' });
    await report(place, { state: 'success', ref: 'main' });
    expect(await pipelineNotifications(app, place)).toEqual([
      'failed_pipeline',
      'success_pipeline',
    ]);
  });

  it('notifies once of a repeated report', async () => {
    await report(place, { state: 'success' });
    await report(place, { state: 'success' });
    await report(place, { state: 'success', name: 'lint' });
    expect(await pipelineNotifications(app, place)).toEqual(['success_pipeline']);
  });

  it('has no actor, and itself as the target', async () => {
    const { pipeline_id: id } = await report(place, { state: 'failed' });
    const rows: unknown[] = await app.dataSource.query(
      'SELECT actor_id, target_id, note_id, details FROM notifications WHERE project_id = $1',
      [place.project.id],
    );
    expect(rows).toEqual([{ actor_id: null, target_id: id, note_id: null, details: {} }]);
  });

  it('loses nothing of what is reported at the same time, for one commit or several', async () => {
    const second = { ...place, sha: await nextCommit(app, place) };
    const names = Array.from({ length: 12 }, (_, index) => `job ${index}`);
    const both = [place, second];
    await Promise.all(
      both.flatMap((at) => names.map((name) => report(at, { state: 'running', name }))),
    );
    await Promise.all(
      both.flatMap((at) =>
        names.map((name) => report(at, { state: name === 'job 3' ? 'failed' : 'success', name })),
      ),
    );
    const failed = { user_id: owner.user.id, status: 'failed', outcome: 'failed', ended: true };
    expect(await pipelines()).toEqual([failed, failed]);
    expect(await pipelineNotifications(app, place)).toEqual(['failed_pipeline', 'failed_pipeline']);
  });
});
