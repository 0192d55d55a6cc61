import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job } from 'bull';
import { QUEUES } from '../../src/core/durable-work/queues.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { textOf } from '../support/html.js';
import { follow, makeVisitor, type PageClient } from '../support/page-client.js';
import { makeFailedJob, makeJob, makeRunningJob, queueOf } from '../support/queue-factories.js';

const PATH = '/admin/queues/deletions';

let app: OwnTestApp;
let pages: PageClient;
let adminId: number;
beforeAll(async () => {
  app = await startTestApp();
  const admin = await makeVisitor(app, { admin: true });
  pages = admin.pages;
  adminId = admin.user.id;
});
afterAll(() => app.close());

const failedJob = (message = 'disk full'): Promise<Job> =>
  makeFailedJob(app, 'deletions', new Error(message));

const listOf = async (state: string): Promise<string> =>
  textOf((await pages.get(`${PATH}?state=${state}`).expect(200)).text);

/** Sends the form, and returns the page that it leads to. */
const press = async (path: string): Promise<string> =>
  textOf(await follow(pages, await pages.post(path).expect(303)));

describe('the pages of the queues', () => {
  it('list every queue', async () => {
    const { text } = await pages.get('/admin/queues').expect(200);
    for (const name of Object.values(QUEUES)) expect(text).toContain(`"/admin/queues/${name}"`);
  });

  it('show jobs by state with attempts, data and errors', async () => {
    const failed = await failedJob('<b>no space left</b>');
    const delayed = await makeJob(app, 'deletions', { delay: 3_600_000 });
    expect(await listOf('failed')).toContain('<b>no space left</b> 1 of 1 attempt');
    expect(textOf((await pages.get(PATH).expect(200)).text)).toContain('<b>no space left</b>');
    const { text } = await pages.get(`${PATH}?state=delayed`).expect(200);
    expect(text).toContain(`${PATH}/jobs/${delayed.id}/retry`);
    expect(text).not.toContain(`${PATH}/jobs/${failed.id}"`);
    const job = textOf((await pages.get(`${PATH}/jobs/${failed.id}`).expect(200)).text);
    expect(job).toContain('Kind project ID 7 Attempts 1 of 1 attempt');
    expect(job).toContain('Error: <b>no space left</b> at ');
  });

  it('list a page at a time', async () => {
    await makeJob(app, 'alerts', { delay: 3_600_000 });
    const { id } = await makeJob(app, 'alerts', { delay: 7_200_000 });
    const path = '/admin/queues/alerts';
    const first = await pages.get(`${path}?state=delayed&per_page=1`).expect(200);
    expect(first.text).toContain(`${path}?state=delayed&amp;page=2`);
    expect(first.text).not.toContain(`/jobs/${id}"`);
    const second = await pages.get(`${path}?state=delayed&per_page=1&page=2`).expect(200);
    expect(second.text).toContain(`/jobs/${id}"`);
    expect(second.text).not.toContain('page=3');
  });

  it('show no page for unknown queues and jobs', async () => {
    await pages.get('/admin/queues/nothing').expect(404);
    await pages.get(`${PATH}/jobs/nothing`).expect(404);
    await pages.post('/admin/queues/nothing/pause').expect(404);
  });
});

describe('a job', () => {
  it('runs again once it has failed, and at once if it is delayed', async () => {
    const failed = await failedJob();
    const delayed = await makeJob(app, 'deletions', { delay: 3_600_000 });
    expect(await press(`${PATH}/jobs/${failed.id}/retry`)).toContain(`Retrying job ${failed.id}.`);
    expect(await press(`${PATH}/jobs/${delayed.id}/retry`)).toContain('Retrying job');
    expect([await failed.getState(), await delayed.getState()]).toEqual(['waiting', 'waiting']);
    expect(await press(`${PATH}/jobs/${failed.id}/retry`)).toContain(
      'Only failed and delayed jobs can be retried.',
    );
  });

  it('is removed unless it runs', async () => {
    const failed = await failedJob();
    expect(await press(`${PATH}/jobs/${failed.id}/remove`)).toContain(`Removed job ${failed.id}.`);
    expect(await press(`${PATH}/jobs/${failed.id}/remove`)).toContain('no longer in the queue.');
    const running = await makeRunningJob(app, 'deletions');
    expect(await press(`${PATH}/jobs/${running.id}/remove`)).toContain(
      'Running jobs cannot be removed.',
    );
    expect(await running.getState()).toBe('active');
    const { text } = await pages.get(`${PATH}?state=running`).expect(200);
    expect(text).toContain(`Progress of job ${running.id}`);
    expect(text).not.toContain(`/jobs/${running.id}/`);
  });
});

describe('a queue', () => {
  it('pauses and resumes', async () => {
    const queue = queueOf(app, 'deletions');
    expect(await press(`${PATH}/pause`)).toContain('Paused');
    expect(await queue.isPaused()).toBe(true);
    const { id } = await makeJob(app, 'deletions');
    expect((await pages.get(`${PATH}?state=waiting`)).text).toContain(`/jobs/${id}/remove`);
    expect(await press(`${PATH}/resume`)).toContain('Queue resumed.');
    expect(await queue.isPaused()).toBe(false);
  });

  it('retries and removes all failed jobs', async () => {
    const path = '/admin/queues/notifications';
    const jobs = [
      await makeFailedJob(app, 'notifications', new Error('one')),
      await makeFailedJob(app, 'notifications', new Error('two')),
    ];
    expect(await press(`${path}/retry`)).toContain('Retrying 2 jobs.');
    expect(await Promise.all(jobs.map((job) => job.getState()))).toEqual(['waiting', 'waiting']);
    await makeFailedJob(app, 'notifications', new Error('three'));
    expect(await press(`${path}/clear`)).toContain('Removed 1 job.');
    expect(await queueOf(app, 'notifications').getFailedCount()).toBe(0);
  });

  it('records changes in the audit log', async () => {
    const { id } = await failedJob();
    await pages.post(`${PATH}/jobs/${id}/retry`).expect(303);
    const [entry] = await app.dataSource.query(
      `SELECT action, target_name, details FROM audit_events
       WHERE author_id = $1 ORDER BY id DESC LIMIT 1`,
      [adminId],
    );
    expect(entry).toEqual({
      action: 'queue_change_requested',
      target_name: 'deletions',
      details: { change: 'retry', job_id: String(id) },
    });
  });
});

describe('without Redis', () => {
  it('the pages say that there is none', async () => {
    const other = await startTestApp({ env: { REDIS_URL: 'none' } });
    const visitor = await makeVisitor(other, { admin: true });
    const list = await visitor.pages.get('/admin/queues').expect(200);
    expect(list.text).toContain('Redis is not configured');
    const queue = await visitor.pages.get('/admin/queues/mails').expect(200);
    expect(queue.text).toContain('Redis is not configured');
    await visitor.pages.post('/admin/queues/mails/pause').expect(409);
    await other.close();
  });
});
