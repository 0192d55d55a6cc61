import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../deploy/local/ports.js';
import { follows } from '../docs/document.js';
import { postAlert } from '../support/alert-factories.js';
import { eventually } from '../support/eventually.js';
import { unique } from '../support/factories.js';
import { clientFields, makeApplication, postToken } from '../support/oauth-factories.js';
import { makePerson, newBrowser, PASSWORD, signIn } from '../support/sign-in.js';
import { type AlertPlace, makeAlertPlace } from './support/alert-place.js';
import { AuditReceiver } from './support/audit-receiver.js';
import { Fleet, type FleetMember } from './support/fleet.js';
import { MailTrap } from './support/mail-trap.js';
import { guildhall, METRICS_TOKEN, Operator } from './support/operator.js';
import { FaultStack } from './support/stack.js';
import { Volume } from './support/volume.js';

follows('docs/runbook.md', 'sessions');

const WRONG = 'wrong-orbit-kettle-42';
const OK = { code: 0 };

let folder: string;
let volume: Volume;
let stack: FaultStack;
let fleet: Fleet;
let alerts: AlertPlace;
let workerPort: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-volume-'));
  volume = await Volume.create(join(folder, 'small'));
  workerPort = await freePort();
  const env = { METRICS_TOKEN, WORKER_PORT: String(workerPort) };
  stack = await FaultStack.start({ storages: { storage2: volume.path }, env });
  fleet = await Fleet.make(stack);
  alerts = await makeAlertPlace(stack, { owner: fleet.admin });
}, 240_000);
afterEach(async () => {
  await Promise.all(stack.workers.splice(0).map((worker) => worker.kill()));
  // A worker counts as running until a minute has passed.
  await stack.rows('DELETE FROM worker_heartbeats');
});
afterAll(async () => {
  await stack.stop();
  await volume.remove();
  await rm(folder, { recursive: true, force: true });
});

async function restartWeb(env: NodeJS.ProcessEnv = {}): Promise<void> {
  await stack.killWeb();
  await stack.restartWeb(env);
}

const at = (heading: string): Operator => Operator.at(stack, heading);

function project(): FleetMember {
  const [member] = fleet.members;
  if (member === undefined) throw new Error('the fleet is empty');
  return member;
}

describe('users cannot sign in', () => {
  it('while PostgreSQL is down, and can when it is started again', async () => {
    const operator = at('Users cannot sign in');
    const person = await makePerson(stack);
    await stack.servers.kill('database');
    expect((await signIn(stack, person.username)).status).toBe(503);
    await operator.sees('guildhall_http_requests_total{code="503"}', (value) => value > 0);
    await operator.sees('guildhall_password_checks_total{outcome="failed"}', (value) => value > 0);
    expect(await operator.unready()).toEqual(['database_check']);
    await at('The database is slow').sees('guildhall_database_up', 0);
    await stack.servers.restart('database');
    await eventually(async () => expect(await operator.unready()).toEqual([]));
    expect((await signIn(stack, person.username)).status).toBe(303);
  });

  it('whose account is locked, and can when it is unlocked', async () => {
    const operator = at('Users cannot sign in');
    const { username } = await makePerson(stack);
    const before = await operator.metric('guildhall_password_checks_total', ['outcome="refused"']);
    for (let count = 0; count < 10; count += 1) await signIn(stack, username, { password: WRONG });
    expect((await signIn(stack, username)).status).toBe(422);
    await operator.sees('guildhall_password_checks_total{outcome="refused"}', before + 11);
    const locked = await operator.runs('user list', ['--filter', 'locked']);
    expect(locked.stdout).toContain(username);
    expect(await operator.runs('user unlock', [username])).toMatchObject(OK);
    expect((await signIn(stack, username)).status).toBe(303);
  });

  it('behind a proxy whose address they share, and can with TRUST_PROXY', async () => {
    const operator = at('Users cannot sign in');
    await restartWeb({ RATE_LIMITS: 'on' });
    await guildhall(stack, ['settings', 'set', 'sign_in_failures_per_address_limit=2']);
    for (let count = 0; count < 12; count += 1) {
      await signIn(stack, unique('nobody'), { password: WRONG });
    }
    const { username } = await makePerson(stack);
    expect((await signIn(stack, username)).status).toBe(429);
    await operator.sees('guildhall_password_checks_total{outcome="limited"}', (value) => value > 0);
    await operator.sees('guildhall_rate_limited_requests_total', (value) => value > 0);
    await restartWeb({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
    const form = { 'user[login]': username, 'user[password]': PASSWORD };
    const response = await newBrowser(stack)
      .post('/users/sign_in', form)
      .set('X-Forwarded-For', '198.51.100.7');
    expect(response.status).toBe(303);
    await restartWeb();
  });

  it('in an application with a former secret, and can with the new one', async () => {
    const operator = at('Users cannot sign in');
    const application = await makeApplication(stack, { scopes: ['api'] });
    const grant = { grant_type: 'client_credentials', scope: 'api', ...clientFields(application) };
    const refused = await postToken(stack, { ...grant, client_secret: 'the former one' });
    expect(refused.status).toBe(401);
    await operator.sees('guildhall_oauth_token_requests_total{outcome="invalid_client"}', 1);
    expect((await postToken(stack, grant)).status).toBe(200);
  });
});

async function moved(member: FleetMember, state: string): Promise<string | null> {
  return eventually(
    async () => {
      const [row] = await stack.rows<{ state: string; error: string | null }>(
        `SELECT state, error_message AS error FROM project_repository_storage_moves
         WHERE project_id = $1 ORDER BY id DESC LIMIT 1`,
        [member.id],
      );
      if (row?.state !== state) throw new Error(`the move is ${row?.state}: ${row?.error}`);
      return row.error;
    },
    { seconds: 60 },
  );
}

describe('storage moves stand still', () => {
  const WAITING = 'guildhall_queue_depth{queue="storage-moves",state="waiting"}';

  it('without a worker, and go on when one is started', async () => {
    const operator = at('Storage moves stand still');
    const member = await fleet.addProject(['project']);
    await fleet.schedule({ only: member });
    await operator.sees('guildhall_workers', 0);
    await operator.sees(WAITING, 1);
    await operator.sees('guildhall_queue_oldest_seconds{queue="storage-moves"}', (age) => age > 0);
    stack.startWorker();
    await moved(member, 'finished');
    await operator.sees('guildhall_workers', 1);
    await operator.sees(WAITING, 0);
    const finished = 'guildhall_storage_move_attempts_total{outcome="finished"}';
    await operator.sees(finished, 1, { port: workerPort });
  });

  it('while the storage is paused, and go on when it is resumed', async () => {
    const operator = at('Storage moves stand still');
    const member = await fleet.addProject(['project']);
    expect(await guildhall(stack, ['storage', 'pause', 'storage2'])).toMatchObject(OK);
    stack.startWorker();
    await fleet.schedule({ only: member });
    await operator.sees('guildhall_workers', 1);
    await operator.sees(WAITING, 1);
    await operator.sees('guildhall_queue_depth{queue="storage-moves",state="delayed"}', 0);
    expect((await operator.runs('storage status')).stdout).toMatch(/storage2 \(.*paused/);
    expect(await operator.runs('storage resume', ['storage2'])).toMatchObject(OK);
    await moved(member, 'finished');
  });

  it('of a damaged repository, and succeed after it was repaired', async () => {
    const operator = at('Storage moves stand still');
    const member = await fleet.addDamaged();
    stack.startWorker();
    await fleet.schedule({ only: member });
    await moved(member, 'failed');
    const failed = 'guildhall_storage_move_attempts_total{outcome="failed"}';
    await operator.sees(failed, 1, { port: workerPort });
    expect((await operator.runs('moves list')).stdout).toContain(`project ${member.id}`);
    await fleet.repair(member);
    await fleet.schedule({ only: member });
    await moved(member, 'finished');
  });
});

describe('alerts do not arrive', () => {
  const post = async (token = alerts.plain.token): Promise<number> =>
    (await postAlert(alerts.plain.url, token, { title: unique('Alert ') })).status;
  const calls = (status: number): string => `guildhall_alert_calls_total{status="${status}"}`;

  it('with a wrong key, and do with the right one', async () => {
    const operator = at('Alerts do not arrive');
    expect(await post('another key')).toBe(401);
    await operator.sees(calls(401), 1);
    expect(await post()).toBe(200);
    await operator.sees('guildhall_alerts_received_total{outcome="stored"}', 1);
  });

  it('while the integration is off, and do when it is on', async () => {
    const operator = at('Alerts do not arrive');
    await turn(false);
    expect(await post()).toBe(403);
    await operator.sees(calls(403), 1);
    await turn(true);
    expect(await post()).toBe(200);
  });

  it('beyond the limit of the project, and do when it is raised', async () => {
    const operator = at('Alerts do not arrive');
    const setting = 'throttle_webhooks_requests_per_minute';
    await restartWeb({ RATE_LIMITS: 'on' });
    await guildhall(stack, ['settings', 'set', `${setting}=1`]);
    await eventually(async () => expect(await post()).toBe(429));
    await operator.sees(calls(429), (value) => value > 0);
    expect(await operator.runs('settings set', [`${setting}=1000`])).toMatchObject(OK);
    await eventually(async () => expect(await post()).toBe(200));
    await restartWeb();
  });

  it('as incidents without a worker, and do when one is started', async () => {
    const operator = at('Alerts do not arrive');
    expect(await post()).toBe(200);
    await operator.sees('guildhall_queue_oldest_seconds{queue="alerts"}', (age) => age > 0);
    stack.startWorker();
    await operator.sees('guildhall_queue_oldest_seconds{queue="alerts"}', 0);
    const reactions = 'guildhall_alert_reactions_total{kind="open_incident",outcome="done"}';
    await operator.sees(reactions, (value) => value > 0, { port: workerPort });
  });

  async function turn(active: boolean): Promise<void> {
    const path = `/projects/${alerts.project.id}/alert_management/http_integrations`;
    await fleet.admin.api.put(`${path}/${alerts.plain.id}`, { active }).expect(200);
  }
});

describe('emails are late', () => {
  it('while the mail server is down, and are sent when it is up', async () => {
    const operator = at('Emails are late');
    const trap = await MailTrap.start();
    await trap.goAway();
    stack.startWorker(undefined, { SMTP_URL: trap.url });
    const person = await makePerson(stack);
    await newBrowser(stack).post('/users/password', { email: person.email }).expect(303);
    await operator.sees('guildhall_emails{state="retrying"}', 1, { seconds: 40 });
    await operator.sees('guildhall_emails_oldest_waiting_seconds', (age) => age > 0);
    const env = { SMTP_URL: trap.url };
    const down = await operator.runs('mail test you@example.com', [], env);
    expect([down.code, down.stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
    await trap.comeBack();
    expect(await operator.runs('mail test you@example.com', [], env)).toMatchObject(OK);
    await operator.sees('guildhall_emails{state="retrying"}', 0, { seconds: 60 });
    await operator.sees('guildhall_emails_total{outcome="sent"}', (value) => value > 0);
    expect(trap.recipients).toContain(person.email);
    await trap.goAway();
  });

  it('without a worker, and are sent when one is started', async () => {
    const operator = at('Emails are late');
    const trap = await MailTrap.start();
    const person = await makePerson(stack);
    await newBrowser(stack).post('/users/password', { email: person.email }).expect(303);
    await operator.sees('guildhall_workers', 0);
    await operator.sees('guildhall_emails{state="waiting"}', 1);
    stack.startWorker(undefined, { SMTP_URL: trap.url });
    await operator.sees('guildhall_emails{state="waiting"}', 0);
    await eventually(() => expect(trap.recipients).toContain(person.email));
    await trap.goAway();
  });
});

describe('audit events are not streamed', () => {
  const AGE = 'guildhall_queue_oldest_seconds{queue="audit-stream"}';
  const HEADING = 'Audit events are not streamed';
  const counted = (outcome: string): string =>
    `guildhall_audit_events_streamed_total{outcome="${outcome}"}`;
  /** Later attempts are due at once. */
  const skipWaiting = (): Promise<unknown[]> =>
    stack.rows('UPDATE audit_deliveries SET not_before = now()');
  /** Lines reach the file a moment after the worker has gone on. */
  const logs = (line: RegExp): Promise<void> =>
    eventually(async () => expect(await stack.endOfWorkerLog()).toMatch(line));
  let receiver: AuditReceiver;
  beforeAll(async () => {
    receiver = await AuditReceiver.make();
    await restartWeb(receiver.env);
  });
  afterAll(async () => {
    await receiver.goAway();
    await restartWeb();
  });

  /** Makes an event whose author is the user. */
  async function signedIn(): Promise<number> {
    const { username, id } = await makePerson(stack);
    expect((await signIn(stack, username)).status).toBe(303);
    return id;
  }

  it('while the other system is down, and are when it is up', async () => {
    const operator = at(HEADING);
    const author = await signedIn();
    stack.startWorker(undefined, receiver.env);
    await operator.sees(counted('failed'), (count) => count > 0, { port: workerPort });
    await operator.sees(AGE, (age) => age > 0);
    await logs(/Sending audit events failed/);
    await receiver.comeBack();
    await skipWaiting();
    await operator.sees(AGE, 0);
    await operator.sees(counted('sent'), (count) => count > 0, { port: workerPort });
    expect(receiver.taken).toContainEqual(
      expect.objectContaining({ event_name: 'user_signed_in', author_id: author }),
    );
  });

  it('without a worker, and are when one is started', async () => {
    const operator = at(HEADING);
    await signedIn();
    await operator.sees('guildhall_workers', 0);
    await operator.sees(AGE, (age) => age > 0);
    stack.startWorker(undefined, receiver.env);
    await operator.sees(AGE, 0);
  });

  it('where the other system refuses them alone, and the others are', async () => {
    const operator = at(HEADING);
    receiver.refusedUser = await signedIn();
    const other = await signedIn();
    await stack.rows('UPDATE audit_deliveries SET attempts = 3');
    stack.startWorker(undefined, receiver.env);
    await operator.sees(counted('sent'), (count) => count > 0, { port: workerPort });
    await operator.sees('guildhall_queue_depth{queue="audit-stream",state="waiting"}', 0);
    await operator.sees('guildhall_queue_depth{queue="audit-stream",state="delayed"}', 1);
    expect(receiver.taken.map(({ author_id: author }) => author)).toContain(other);
    await logs(/Audit event \d+ was not taken/);
    receiver.refusedUser = undefined;
    await skipWaiting();
    await operator.sees(AGE, 0);
  });
});

describe('a disk is full', () => {
  const FREE = 'guildhall_storage_free_bytes{storage="storage2"}';

  it('and takes writes and moves when there is space again', async () => {
    if (!volume.isMounted) throw new Error('Only root can mount the disk that this test fills');
    const operator = at('A disk is full');
    const there = await fleet.addProject(['project'], 'storage2');
    const write = (): Promise<number> => createBranch(there);
    expect(await write()).toBe(201);
    await volume.fill();
    await operator.sees(FREE, 0);
    expect(await write()).toBe(503);
    await operator.sees('guildhall_http_requests_total{code="503"}', (value) => value > 0);
    const coming = await fleet.addProject(['project']);
    stack.startWorker();
    await fleet.schedule({ only: coming });
    expect(await moved(coming, 'failed')).toContain('Not enough space on storage storage2');
    await volume.free();
    await operator.sees(FREE, (bytes) => bytes > 0);
    expect(await write()).toBe(201);
    await fleet.schedule({ only: coming });
    await moved(coming, 'finished');
  });

  it('and blocked for moves that ran out of space, until it is resumed', async () => {
    const operator = at('A disk is full');
    await stack.rows(
      `UPDATE storage_settings SET blocked_until = now() + interval '10 minutes'
       WHERE storage = 'storage2'`,
    );
    expect((await operator.runs('storage status')).stdout).toMatch(/storage2 \(.*full/);
    const waiting = await fleet.addProject(['project']);
    await fleet.schedule({ only: waiting });
    stack.startWorker();
    const moves = at('Storage moves stand still');
    await moves.sees('guildhall_workers', 1);
    await moves.sees('guildhall_queue_depth{queue="storage-moves",state="waiting"}', 1);
    expect(await operator.runs('storage resume', ['storage2'])).toMatchObject(OK);
    await moved(waiting, 'finished');
  });

  it('or not mounted, which the readiness check names', async () => {
    const operator = at('A disk is full');
    await volume.goAway();
    await operator.sees('guildhall_storage_up{storage="storage2"}', 0);
    expect(await operator.unready()).toEqual(['storage_check']);
  });
});

describe('the database is slow', () => {
  it('while a session holds a lock, and fast when that session is ended', async () => {
    const operator = at('The database is slow');
    const holder = stack.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE issues IN ACCESS EXCLUSIVE MODE');
    const [own] = (await holder.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    const { api } = fleet.admin;
    const asked = Array.from({ length: 8 }, () =>
      api.get(`/projects/${project().id}/issues`).then(({ status }) => status),
    );
    await operator.sees('guildhall_db_pool_waiting', (value) => value > 0);
    const slow = await operator.queries<{ runs: object }>('sessions', 'Longest running');
    expect(slow.length).toBeGreaterThanOrEqual(5);
    const blocked = await operator.queries<{ blocked_by: number[] }>('sessions', 'block others');
    expect(new Set(blocked.flatMap((row) => row.blocked_by))).toEqual(new Set([own.pid]));
    await operator.ends(own.pid);
    await holder.release().catch(() => undefined);
    await Promise.all(asked);
    await operator.sees('guildhall_db_pool_waiting', 0);
    expect((await api.get(`/projects/${project().id}/issues`)).status).toBe(200);
  });
});

describe('Redis is down', () => {
  it('and requests go on until it is started again', async () => {
    const operator = at('Redis is down');
    await stack.servers.kill('queue');
    await operator.sees('guildhall_redis_up', 0);
    expect(await operator.unready()).toContain('redis_check');
    expect((await fetch(`${stack.url}/-/readiness`)).status).toBe(200);
    await fleet.admin.api.get(`/projects/${project().id}`).expect(200);
    await stack.servers.restart('queue');
    await operator.sees('guildhall_redis_up', 1);
  });
});

async function createBranch({ id }: FleetMember): Promise<number> {
  const body = { branch: unique('branch'), ref: 'main' };
  return (await fleet.admin.api.post(`/projects/${id}/repository/branches`, body)).status;
}
