import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JOB_COLUMNS, JOB_FROM } from '../../src/instance/background-jobs/jobs.repository.js';
import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { makeMember, makeProject, type MadeProject } from '../support/project-factories.js';
import { makeMovableProject } from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';
import { insertProjectMoves, insertSnippetMove } from './moves.js';

const PAGE_HEADER = /^x-(total|page|per|next|prev)/;

interface Job {
  id: number;
  status: string;
  subject_id: number;
}

let app: OwnTestApp;
let owner: MadeActor;
beforeAll(async () => {
  app = await startTestApp();
  owner = await makeActor(app);
});
afterAll(() => app.close());

function newProject(): Promise<MadeProject> {
  return makeProject(app, { namespaceId: owner.user.namespaceId, visibility: 'public' });
}

const jobsOf = ({ id }: { id: number }): string => `/projects/${id}/jobs`;
const ids = (body: unknown): number[] => (body as Job[]).map(({ id }) => id);

describe('GET /projects/:id/jobs', () => {
  it('shows the whole of a job', async () => {
    const project = await newProject();
    const [move = 0] = await insertProjectMoves(app, project, [{ state: 'finished', seconds: 90 }]);
    const { body } = await owner.api.get(jobsOf(project)).expect(200);
    const job = {
      id: expect.any(Number),
      status: 'success',
      stage: 'storage',
      name: 'project_repository_storage_move',
      ref: null,
      tag: false,
      coverage: null,
      allow_failure: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      erased_at: null,
      duration: 90,
      queued_duration: 10,
      failure_reason: null,
      web_url: null,
      tag_list: [],
      kind: 'project_move',
      subject_id: move,
      project: { id: project.id },
    };
    expect(body).toEqual([job]);
    const [{ id }] = body as [Job];
    expect((await owner.api.get(`${jobsOf(project)}/${id}`).expect(200)).body).toEqual(job);
  });

  it.each([
    [{ state: 'initial' }, 'created', null],
    [{ state: 'scheduled' }, 'pending', null],
    [{ state: 'started' }, 'running', null],
    [{ state: 'replicated' }, 'running', null],
    [{ state: 'finished' }, 'success', null],
    [{ state: 'failed' }, 'failed', 'move_failed'],
    [{ state: 'failed', cancelledBy: 'somebody' }, 'canceled', null],
    [{ state: 'cleanup failed' }, 'failed', 'cleanup_failed'],
    [{ state: 'finished', cancelledBy: 'somebody' }, 'success', null],
  ])('tells of a move %j that it is %s', async (move, status, reason) => {
    const project = await newProject();
    await insertProjectMoves(app, project, [{ ...move, error: 'on storage2 at /secret/path' }]);
    const { body, text } = await owner.api.get(jobsOf(project)).expect(200);
    expect(body).toEqual([expect.objectContaining({ status, failure_reason: reason })]);
    expect(text).not.toContain('storage2');
    const scoped = await owner.api.get(`${jobsOf(project)}?scope[]=${status}&scope[]=manual`);
    expect(scoped.body).toHaveLength(1);
    const other = await owner.api.get(`${jobsOf(project)}?scope=skipped`).expect(200);
    expect(other.body).toEqual([]);
  });

  it('has the moves of the project and of its snippets, and of nothing else', async () => {
    const [project, other] = [await newProject(), await newProject()];
    await insertProjectMoves(app, project, [{ state: 'finished' }]);
    await insertProjectMoves(app, other, [{ state: 'finished' }]);
    const [{ id: foreign }] = (await owner.api.get(jobsOf(other)).expect(200)).body as [Job];
    const kept = await insertSnippetMove(app, { author: owner.user, projectId: project.id });
    const gone = await insertSnippetMove(app, { author: owner.user, projectId: project.id });
    await insertSnippetMove(app, { author: owner.user, projectId: null });
    await app.dataSource.manager.delete(Snippet, { id: gone.snippetId });

    const { body, headers } = await owner.api.get(jobsOf(project)).expect(200);
    expect(body).toMatchObject([
      { kind: 'snippet_move', name: 'snippet_repository_storage_move', subject_id: kept.moveId },
      { kind: 'project_move' },
    ]);
    expect(headers).toMatchObject({ 'x-total': '2', 'x-page': '1' });
    const missing = await owner.api.get(`${jobsOf(project)}/${foreign}`).expect(404);
    expect(missing.body).toEqual({ message: '404 Job Not Found' });
    await owner.api.get(`${jobsOf(project)}/x`).expect(400);
  });

  it('is for reporters and above, also in public projects', async () => {
    const project = await newProject();
    const [guest, reporter, admin] = [
      await makeActor(app),
      await makeActor(app),
      await makeAdmin(app),
    ];
    await makeMember(app, { project, user: guest.user, role: 'guest' });
    await makeMember(app, { project, user: reporter.user, role: 'reporter' });
    await reporter.api.get(jobsOf(project)).expect(200);
    await admin.api.get(jobsOf(project)).expect(200);
    await guest.api.get(jobsOf(project)).expect(403);
    const keyset = '?pagination=keyset&order_by=id&sort=desc';
    for (const query of ['', keyset]) {
      await api(app.url)
        .get(`${jobsOf(project)}${query}`)
        .expect(401);
    }
    const hidden = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await guest.api.get(jobsOf(hidden)).expect(404);
  });

  it.each([
    ['scope=unknown', 400, 'scope does not have a valid value'],
    ['scope[x]=failed', 400, 'scope is invalid'],
    ['order_by=name', 400, 'order_by does not have a valid value'],
    ['pagination=keyset', 400, 'order_by is missing'],
    ['pagination=keyset&order_by=id&cursor=bogus', 400, 'cursor is invalid'],
    [
      'pagination=keyset&order_by=id&sort=asc',
      405,
      'Keyset pagination is not yet available for this type of request',
    ],
  ])('refuses %s with %i', async (query, status, error) => {
    const project = await newProject();
    const answer = await owner.api.get(`${jobsOf(project)}?${query}`).expect(status);
    expect(answer.body).toMatchObject({ error });
  });

  it('goes from the pending to the finished job with the move itself', async () => {
    const admin = await makeAdmin(app);
    const project = await makeMovableProject(app, admin.user);
    await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(201);
    const status = async (): Promise<string | undefined> =>
      ((await admin.api.get(jobsOf(project)).expect(200)).body as Job[])[0]?.status;
    expect(await status()).toBe('pending');
    const worker = await startTestWorker(app);
    try {
      await eventually(async () => (await status()) === 'success', { seconds: 20 });
    } finally {
      await worker.close();
    }
  });
});

describe('keyset pagination of jobs', () => {
  it('leads to the end by links alone, past jobs that come and go meanwhile', async () => {
    const project = await newProject();
    await insertProjectMoves(app, project, Array(7).fill({ state: 'finished' }));
    const all = ids((await owner.api.get(jobsOf(project)).expect(200)).body);
    const seen: number[] = [];
    let path = `${jobsOf(project)}?pagination=keyset&order_by=id&per_page=3`;
    for (;;) {
      const answer = await owner.api.get(path).expect(200);
      const headers = answer.headers as Record<string, string>;
      seen.push(...ids(answer.body));
      expect(Object.keys(headers).filter((name) => PAGE_HEADER.test(name))).toEqual([]);
      const [, link] = /^<(.*)>; rel="next"$/.exec(headers['link'] ?? '') ?? [];
      if (link === undefined) break;
      path = link.slice(`${app.url}/api/v4`.length);
      await insertProjectMoves(app, project, [{ state: 'failed' }]);
    }
    expect(seen).toEqual(all);
    expect(all).toEqual(all.toSorted((a, b) => b - a));
  });

  it('omits the link only on an empty page', async () => {
    const project = await newProject();
    const query = `${jobsOf(project)}?pagination=keyset&order_by=id&sort=desc&per_page=2`;
    const empty = await owner.api.get(query).expect(200);
    await insertProjectMoves(app, project, [{ state: 'failed' }, { state: 'failed' }]);
    const whole = await owner.api.get(query).expect(200);
    const past = Buffer.from('{"id":"1","_kd":"n"}').toString('base64url');
    const beyond = await owner.api.get(`${query}&cursor=${past}`).expect(200);
    expect([empty, whole, beyond].map(({ body }) => (body as unknown[]).length)).toEqual([0, 2, 0]);
    expect(whole.headers['link']).toContain('rel="next"');
    for (const { headers } of [empty, beyond]) expect(headers).not.toHaveProperty('link');
  });

  it('reads a page from the index, without sorting all jobs of the project', async () => {
    const project = await newProject();
    await insertProjectMoves(app, project, Array(3_000).fill({ state: 'finished' }));
    await app.dataSource.query('ANALYZE background_jobs, project_repository_storage_moves');
    const rows = await app.dataSource.query<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN SELECT ${JOB_COLUMNS} FROM ${JOB_FROM}
       WHERE j.project_id = ${project.id} AND j.id < 1000000 ORDER BY j.id DESC LIMIT 21`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(
      /Index Scan Backward using (ix_background_jobs_project|pk_background_jobs)/,
    );
    expect(plan).not.toContain('Sort');
  });
});
