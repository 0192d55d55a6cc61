import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import {
  commitOn,
  gitIn,
  mergeRequestEvents,
  mergeRequestNotes,
  type MergeRequestBody,
  openMergeRequest,
  tipOf,
} from '../support/merge-request-factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';
import { KillableWeb, recoverWrites } from './support/killable-web.js';

const MERGED = 7;
const KILLS = 20;

let app: OwnTestApp;
let owner: MadeActor;
let web: KillableWeb;
beforeAll(async () => {
  app = await startTestApp();
  owner = await makeActor(app);
});
afterAll(() => app.close());
afterEach(() => web.kill());

interface Place {
  project: MadeProject;
  request: MergeRequestBody;
  /** Where the target was before anyone merged. */
  target: string | null;
}

async function place(): Promise<Place> {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  const files = { 'b.txt': 'two\n' };
  await commitOn(app, project, { branch: 'feature', from: 'main', user: owner.user, files });
  const request = await openMergeRequest(owner.api, project, {
    source_branch: 'feature',
    remove_source_branch: true,
  });
  return { project, request, target: await tipOf(app, project, 'main') };
}

/** Asks the process that is to be killed; what it answers, if anything, is of no interest. */
function merge({ project, request }: Place): Promise<unknown> {
  const path = `/projects/${project.id}/merge_requests/${request.iid}/merge`;
  return api(web.url, owner.token)
    .put(path)
    .then(
      ({ status }) => status,
      () => null,
    );
}

/** Either nothing has happened, or everything has, once. */
async function isMergedOnce({ project, request, target }: Place): Promise<boolean> {
  const path = `/projects/${project.id}/merge_requests/${request.iid}`;
  const { state, merge_commit_sha: sha } = (await owner.api.get(path)).body as MergeRequestBody;
  const tip = await tipOf(app, project, 'main');
  const events = await mergeRequestEvents(app, request.id);
  const merges = events.filter(({ action }) => action === MERGED).length;
  const pushes: { author_id: number; commit_to: string }[] = await app.dataSource.query(
    `SELECT author_id, commit_to FROM events
     WHERE project_id = $1 AND action = 5 AND ref = 'main'`,
    [project.id],
  );
  const isMerged = state === 'merged';
  const found = { sha, merges, pushes, notes: await mergeRequestNotes(app, request.id) };
  expect(found).toEqual(
    isMerged
      ? {
          sha: tip,
          merges: 1,
          pushes: [{ author_id: owner.user.id, commit_to: tip }],
          notes: ['merged'],
        }
      : { sha: null, merges: 0, pushes: [], notes: [] },
  );
  expect(tip === target).toBe(!isMerged);
  expect((await tipOf(app, project, 'feature')) === null).toBe(isMerged);
  const merged = await gitIn(app, project, ['rev-list', '--count', '--merges', 'main']);
  expect(merged).toBe(isMerged ? '1' : '0');
  return isMerged;
}

describe('a web process killed while it merges', () => {
  it('after the refs moved: the merge is found and put on record, exactly once', async () => {
    web = await KillableWeb.start(app);
    const one = await place();
    const sql = 'SELECT 1 FROM projects WHERE id = $1 FOR UPDATE';
    await web.killAt({ sql, values: [one.project.id] }, () => void merge(one));
    expect(await tipOf(app, one.project, 'main')).not.toBe(one.target);
    const path = `/projects/${one.project.id}/merge_requests/${one.request.iid}`;
    expect(((await owner.api.get(path)).body as MergeRequestBody).state).toBe('opened');
    await recoverWrites(app);
    expect(await isMergedOnce(one)).toBe(true);
  });

  it.each(Array.from({ length: KILLS }, (_, kill) => 5 + kill * 12))(
    'after %i ms: it is merged once or not at all',
    async (milliseconds) => {
      web = await KillableWeb.start(app);
      const places = [await place(), await place()];
      const answers = places.map(merge);
      await delay(milliseconds);
      web.kill();
      await Promise.all(answers);
      await recoverWrites(app);
      for (const one of places) {
        if (await isMergedOnce(one)) continue;
        const path = `/projects/${one.project.id}/merge_requests/${one.request.iid}`;
        expect((await owner.api.put(`${path}/merge`)).status).toBe(200);
        expect(await isMergedOnce(one)).toBe(true);
      }
    },
  );
});
