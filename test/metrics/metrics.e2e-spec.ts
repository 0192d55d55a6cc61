import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startWorkerServer } from '../../src/core/health/worker-server.js';
import { MetricsRegistry } from '../../src/core/metrics/metrics-registry.js';
import { MailDay, OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { makeWebhook, postAlert } from '../support/alert-factories.js';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, type MadeActor } from '../support/factories.js';
import { makeGitSandbox } from '../support/git.js';
import { postToken } from '../support/oauth-factories.js';
import { makePerson, newBrowser, signIn } from '../support/sign-in.js';
import { makeMovableProject } from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

const TOKEN = 'metrics-metrics-metrics';

/** Values by name and labels as they are written. */
type Samples = ReadonlyMap<string, number>;

function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line): [string, number] => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

const increase = (before: Samples, after: Samples, name: string): number =>
  (after.get(name) ?? 0) - (before.get(name) ?? 0);

describe('the metrics', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let admin: MadeActor;
  beforeAll(async () => {
    app = await startTestApp({ env: { METRICS_TOKEN: TOKEN } });
    admin = await makeAdmin(app);
    worker = await startTestWorker(app);
  });
  afterAll(async () => {
    await worker.close();
    await app.close();
  });

  const scrape = (url = app.url) =>
    request(url).get('/-/metrics').set('authorization', `Bearer ${TOKEN}`).expect(200);
  const read = async (): Promise<Samples> => samplesOf((await scrape()).text);

  it('count requests by the templates of their routes', async () => {
    const before = await read();
    await api(app.url, admin.token).get('/users/1').expect(200);
    await api(app.url, admin.token).get('/users/987654').expect(404);
    await request(app.url).get('/nowhere/at/all').expect(404);
    await newBrowser(app).get('/users/sign_in');
    await request(app.url).get('/-/health').expect(200);
    const after = await read();
    const requests = (labels: string): number =>
      increase(before, after, `guildhall_http_requests_total{${labels}}`);
    expect(requests('method="GET",route="/api/v4/users/:id",code="200"')).toBe(1);
    expect(requests('method="GET",route="/api/v4/users/:id",code="404"')).toBe(1);
    expect(requests('method="GET",route="/users/sign_in",code="200"')).toBe(1);
    expect(requests('method="GET",route="/-/health",code="200"')).toBe(1);
    expect(requests('method="GET",route="/-/metrics",code="200"')).toBe(1);
    const durations = 'guildhall_http_request_duration_seconds';
    const users = 'route="/api/v4/users/:id"';
    expect(increase(before, after, `${durations}_count{method="GET",${users}}`)).toBe(2);
    expect(after.get(`${durations}_bucket{le="10",method="GET",${users}}`)).toBe(2);
    expect(after.get('guildhall_http_requests_in_flight')).toBe(1);
    expect([...after.keys()].filter((name) => name.includes('987654'))).toEqual([]);
    expect(after.get('guildhall_db_pool_connections{state="idle"}')).toBeGreaterThan(0);
    expect(after.get('guildhall_db_pool_max_connections')).toBeGreaterThan(0);
    expect(after.get('guildhall_db_pool_waiting')).toBe(0);
    expect(
      increase(before, after, 'guildhall_db_connection_held_seconds_count'),
    ).toBeGreaterThanOrEqual(2);
    expect(after.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    expect(after.has('process_resident_memory_bytes')).toBe(true);
  });

  it('count sign-ins, tokens, and their refusals', async () => {
    const person = await makePerson(app);
    const before = await read();
    await signIn(app, person.username);
    await signIn(app, person.username, { password: 'wrong' });
    await postToken(app, { grant_type: 'password', username: 'x', password: 'y' });
    await postToken(app, { grant_type: 'made-up' });
    const after = await read();
    const counted = (name: string): number => increase(before, after, `guildhall_${name}`);
    expect(counted('sign_ins_total')).toBe(1);
    expect(counted('password_checks_total{outcome="accepted"}')).toBe(1);
    expect(counted('password_checks_total{outcome="refused"}')).toBeGreaterThanOrEqual(1);
    const tokens = 'oauth_token_requests_total';
    expect(counted(`${tokens}{grant_type="other",outcome="unsupported_grant_type"}`)).toBe(1);
    expect([...after.keys()].some((name) => name.includes('made-up'))).toBe(false);
  });

  it('count alerts, Git, caches, jobs and storage moves', async () => {
    const before = await read();
    const { integration } = await makeWebhook(app);
    expect((await postAlert(integration.url, integration.token, { title: 'Down' })).status).toBe(
      200,
    );
    expect((await postAlert(integration.url, 'wrong', { title: 'Down' })).status).toBe(401);
    const person = await makePerson(app);
    const project = await makeMovableProject(app, person, { visibility: 20 });
    const git = await makeGitSandbox();
    await git.run(['clone', '-q', `${app.url}/${person.username}/${project.path}.git`, 'clone']);
    await git.remove();
    for (let time = 0; time < 2; time += 1) {
      await admin.api.get(`/projects/${project.id}/repository/tree`).expect(200);
    }
    await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(201);
    const after = await eventually(async () => {
      const samples = await read();
      const moved = 'guildhall_storage_move_attempts_total{kind="project",outcome="finished"}';
      expect(increase(before, samples, moved)).toBe(1);
      // The worker completes the job after the move is stored as finished.
      const completed = 'guildhall_jobs_total{queue="storage-moves",outcome="completed"}';
      expect(increase(before, samples, completed)).toBeGreaterThan(0);
      return samples;
    });
    const counted = (name: string): number => increase(before, after, `guildhall_${name}`);
    expect(counted('alert_calls_total{source="webhook",status="200"}')).toBe(1);
    expect(counted('alert_calls_total{source="webhook",status="401"}')).toBe(1);
    expect(counted('alerts_received_total{outcome="stored"}')).toBe(1);
    expect(
      counted('git_processes_total{command="upload-pack",outcome="ok"}'),
    ).toBeGreaterThanOrEqual(1);
    const bytes = 'git_transfer_bytes_total';
    expect(counted(`${bytes}{service="git-upload-pack",direction="in"}`)).toBeGreaterThan(50);
    expect(counted(`${bytes}{service="git-upload-pack",direction="out"}`)).toBeGreaterThan(200);
    expect(after.get('guildhall_git_processes')).toBe(0);
    expect(counted('cache_requests_total{cache="git_results",result="hit"}')).toBeGreaterThan(0);
    expect(counted('storage_move_copied_bytes_total')).toBeGreaterThan(0);
    const phase = 'storage_move_phase_duration_seconds_count{phase="copying"}';
    expect(counted(phase)).toBe(1);
    const task = '{task="WorkerHeartbeatService.beat",outcome="completed"}';
    // The worker begins with it.
    expect(after.get(`guildhall_task_runs_total${task}`)).toBeGreaterThan(0);
    expect(after.get('guildhall_workers')).toBe(1);
    const seen = after.get('guildhall_worker_last_seen_timestamp_seconds') ?? 0;
    expect(Math.abs(seen - Date.now() / 1000)).toBeLessThan(60);
  });

  it('include the work of all processes', async () => {
    await worker.close();
    const queuedAt = new Date(Date.now() - 100_000);
    const mail = { recipient: 'sam@example.com', kind: 'test', encryptedContent: 'e', queuedAt };
    await app.dataSource.manager.insert(OutgoingMail, [
      mail,
      { ...mail, lastError: 'later', notBefore: new Date(Date.now() + 60_000) },
      { ...mail, state: 'failed' },
    ]);
    await app.dataSource.manager.insert(MailDay, [
      { day: '2026-03-01', sent: 40, retried: 2 },
      { day: '2026-03-02', sent: 2, failed: 1 },
    ]);
    await read();
    const { text, headers } = await scrape();
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text.split('\n').filter((line) => /^guildhall_(emails|queue_depth)/.test(line))).toEqual(
      expect.arrayContaining([
        'guildhall_emails{state="waiting"} 1',
        'guildhall_emails{state="retrying"} 1',
        'guildhall_emails{state="failed"} 1',
        'guildhall_emails_total{outcome="sent"} 42',
        'guildhall_emails_total{outcome="failed"} 1',
        'guildhall_emails_total{outcome="withheld"} 0',
        'guildhall_emails_total{outcome="retried"} 2',
        'guildhall_queue_depth{queue="mails",state="waiting"} 1',
        'guildhall_queue_depth{queue="mails",state="delayed"} 1',
        'guildhall_queue_depth{queue="storage-moves",state="waiting"} 0',
      ]),
    );
    const samples = samplesOf(text);
    expect(samples.get('guildhall_emails_oldest_waiting_seconds')).toBeGreaterThanOrEqual(100);
    expect(samples.get('guildhall_queue_oldest_seconds{queue="mails"}')).toBeGreaterThanOrEqual(
      100,
    );
    expect(samples.get('guildhall_queue_oldest_seconds{queue="deletions"}')).toBe(0);
    expect(samples.get('guildhall_workers')).toBe(0);
    expect(samples.get('guildhall_database_up')).toBe(1);
    expect(text).not.toContain('sam@example.com');
  });

  it('remain when a storage or the database is gone', async () => {
    const { path } = app.config.storages['storage2'] ?? { path: '' };
    const before = await read();
    expect(before.get('guildhall_storage_free_bytes{storage="storage2"}')).toBeGreaterThan(0);
    await rename(path, `${path}.away`);
    const without = await read();
    await rename(`${path}.away`, path);
    expect(without.get('guildhall_storage_up{storage="storage2"}')).toBe(0);
    expect(without.has('guildhall_storage_free_bytes{storage="storage2"}')).toBe(false);
    await app.dataSource.query('ALTER TABLE worker_heartbeats RENAME TO hidden');
    const down = await read();
    await app.dataSource.query('ALTER TABLE hidden RENAME TO worker_heartbeats');
    expect(down.get('guildhall_database_up')).toBe(0);
    expect(down.has('guildhall_workers')).toBe(false);
    expect(down.has('guildhall_http_requests_in_flight')).toBe(true);
    expect((await read()).get('guildhall_database_up')).toBe(1);
  });

  it('of a worker are at its own port', async () => {
    const metrics = app.app.get(MetricsRegistry);
    const config = { host: '127.0.0.1', metricsToken: TOKEN };
    expect(await startWorkerServer(config, metrics)).toBeNull();
    const server = (await startWorkerServer({ ...config, workerPort: 0 }, metrics)) as Server;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await scrape(url)).text).toContain('guildhall_task_runs_total{task=');
    await request(url).get('/-/metrics').expect(401, { message: '401 Unauthorized' });
    await request(url).get('/-/liveness').expect(200, { status: 'ok' });
    await request(url).post('/-/liveness').expect(404, { message: '404 Not Found' });
    server.close();
    await once(server, 'close');
  });

  it('cover everything that the dashboard and the alert rules ask for', async () => {
    const names = new Set([...(await read()).keys()].map((name) => name.split('{', 1)[0] ?? ''));
    // Only where there is a replica: test/database/replica reads them.
    for (const name of ['reads_total', 'replica_lag_seconds']) names.add(`guildhall_db_${name}`);
    for (const metric of app.app.get(MetricsRegistry).registry.getMetricsAsArray()) {
      for (const suffix of ['', '_bucket', '_count', '_sum']) names.add(`${metric.name}${suffix}`);
    }
    for (const file of ['grafana-dashboard.json', 'guildhall-alerts.yml']) {
      const text = await readFile(`deploy/monitoring/${file}`, 'utf8');
      const asked = text.match(/\b(?:guildhall|nodejs|process)_\w+/g) ?? [];
      expect(asked.length).toBeGreaterThan(15);
      expect(asked.filter((name) => !names.has(name))).toEqual([]);
    }
  });

  it('are for those with their credential only', async () => {
    const refusal = { message: '401 Unauthorized' };
    await request(app.url).get('/-/metrics').expect(401, refusal);
    await request(app.url).get('/-/metrics').set('authorization', 'Bearer no').expect(401);
  });

  it('are nowhere unless they have a credential', async () => {
    const plain = await startTestApp();
    await request(plain.url).get('/-/metrics').set('authorization', 'Bearer ').expect(404);
    await plain.close();
  });
});
