import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { INestApplicationContext } from '@nestjs/common';
import type { Queue } from 'bull';
import { connectionsOf } from '../config/processes.js';
import { ALL_QUEUES } from '../core/durable-work/job-queue.service.js';
import {
  areOfOneCluster,
  primaryPosition,
  replicaPosition,
} from '../core/sql/replica/replica-lag.js';
import { MAX_LAG_MS } from '../core/sql/replica/replica.service.js';
import { counted } from '../core/ui/amounts.js';
import { readSchemaState } from '../database/sql/schema-state.js';
import { AbandonedWrites } from '../git/abandoned-writes.service.js';
import { answerOfRedis, type Cli, CliError, type RegisterCommand } from './cli.js';
import { CliRepository, withConnection } from './cli.repository.js';
import { checkRepositories, type Repair, type Report, type Status } from './doctor-repositories.js';

/** A result of one check. */
export interface Finding {
  check: string;
  status: Status;
  message: string;
}

const DAY_MS = 86_400_000;
const CLOCK_TOLERANCE_MS = 5_000;
const TIMEOUT_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** `guildhall doctor` */
export const registerDoctor: RegisterCommand = (program, cli) => {
  program
    .command('doctor')
    .description(
      'check configuration, schema, clock, connections, queues, disks, TLS and repositories',
    )
    .option('--fix', 'repair what is safe to repair: abandoned writes, stale locks, old copies')
    .action(({ fix }: { fix?: boolean }) => runDoctor(cli, fix === true));
};

async function runDoctor(cli: Cli, isFixing: boolean): Promise<void> {
  const findings = await diagnose(cli, isFixing);
  const lines = findings.map(
    ({ check, status, message }) =>
      `${status.padEnd(8)}${check}${message === '' ? '' : `: ${message}`}`,
  );
  cli.print(findings, lines.join('\n'));
  const failed = findings.filter(({ status }) => status === 'failed').length;
  if (failed > 0) throw new CliError(counted(failed, 'failed check'));
}

/** Runs all checks; a check that cannot be made has failed. Without a usable schema some are left out. */
export async function diagnose(cli: Cli, isFixing: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  const check = async (name: string, run: (report: Report) => Promise<void>): Promise<void> => {
    const before = findings.length;
    const report: Report = (status, message) => findings.push({ check: name, status, message });
    try {
      await run(report);
      if (findings.length === before) report('ok', '');
    } catch (error) {
      report('failed', (error as Error).message.split('\n')[0] ?? '');
    }
  };
  await check('configuration', (report) => checkConfiguration(cli, report));
  await check('tls', (report) => checkTls(cli, report));
  await check('disk', (report) => checkDisks(cli, report));
  await check('schema', (report) => checkSchema(cli, report));
  const hasFailed = findings.some(
    ({ check: name, status }) => name === 'schema' && status !== 'ok',
  );
  if (hasFailed) return findings;
  await cli.withApp(async (app) => {
    await check('clock', (report) => checkClock(app, report));
    await check('replica', (report) => checkReplica(cli, report));
    await check('connections', (report) => checkConnections(cli, app, report));
    if (cli.config.redis !== null) await check('queues', (report) => checkQueues(app, report));
    await check('writes', (report) => checkWrites(app, { isFixing, report }));
    await check('repositories', (report) => checkRepositories(cli, { isFixing, report }));
    await recordFixes(cli, app, findings);
  });
  return findings;
}

async function recordFixes(
  cli: Cli,
  app: INestApplicationContext,
  findings: readonly Finding[],
): Promise<void> {
  const fixed = findings.filter(({ status }) => status === 'fixed');
  if (fixed.length === 0) return;
  await cli.recordAction(app, {
    action: 'doctor_fixed',
    targetType: 'Instance',
    targetId: null,
    details: Object.fromEntries(fixed.map(({ check, message }) => [check, message])),
  });
}

function checkConfiguration({ config }: Cli, report: Report): Promise<void> {
  const { nodeEnv, baseUrl, trustProxy, smtpUrl, rateLimits, redis } = config;
  if (nodeEnv !== 'production') report('warning', 'NODE_ENV is not production');
  if (!baseUrl.startsWith('https://')) report('warning', 'BASE_URL does not use https');
  else if (trustProxy === false) {
    report('warning', 'TRUST_PROXY is off: behind a proxy all clients share its address');
  }
  if (smtpUrl === undefined) report('warning', 'SMTP_URL is not set: emails are logged');
  if (redis === null) report('warning', 'REDIS_URL is none: requests are not rate limited');
  else if (!rateLimits) report('warning', 'RATE_LIMITS is off');
  return Promise.resolve();
}

async function checkTls({ config }: Cli, report: Report): Promise<void> {
  const { protocol, hostname, port } = new URL(config.baseUrl);
  if (protocol !== 'https:') return;
  const end = await certificateEnd(hostname, Number(port || 443));
  const days = Math.floor((end.getTime() - Date.now()) / DAY_MS);
  if (days < 14) report(days < 0 ? 'failed' : 'warning', `the certificate ends in ${days} days`);
}

/** Rejects unless the certificate is trusted and for this name. */
function certificateEnd(host: string, port: number): Promise<Date> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: TIMEOUT_MS }, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.end();
    });
    socket.once('timeout', () => socket.destroy(new Error(`${host}:${port} does not answer`)));
    socket.once('error', reject);
  });
}

async function checkDisks({ config }: Cli, report: Report): Promise<void> {
  const folders = Object.entries(config.storages).map(([name, { path }]) => [name, path] as const);
  for (const [name, path] of [...folders, ['DATA_DIR', config.dataDir] as const]) {
    const { blocks, bavail } = await statfs(path);
    const free = Math.round((bavail / blocks) * 100);
    if (free < 10) report(free < 5 ? 'failed' : 'warning', `${name}: ${free} % free`);
  }
}

async function checkSchema({ config }: Cli, report: Report): Promise<void> {
  const { missing, newer } = await readSchemaState(config.databaseUrl);
  if (missing.length > 0) {
    report('failed', `lacks ${missing.join(', ')}: run \`guildhall migrate\``);
  }
  if (newer.length > 0) report('ok', `has migrations of a newer version: ${newer.join(', ')}`);
}

async function checkClock(app: INestApplicationContext, report: Report): Promise<void> {
  const time = await app.get(CliRepository).findTime();
  const seconds = Math.round(Math.abs(Date.now() - time.getTime()) / 1000);
  if (seconds * 1000 > CLOCK_TOLERANCE_MS) {
    report('failed', `this machine and PostgreSQL differ by ${seconds} seconds`);
  }
}

/** Checks that DATABASE_REPLICA_URL names a replica of the primary that follows it closely. */
async function checkReplica({ config }: Cli, report: Report): Promise<void> {
  const { databaseUrl, databaseReplicaUrl: replicaUrl } = config;
  if (replicaUrl === undefined) return;
  const { missing } = await readSchemaState(replicaUrl);
  if (missing.length > 0) {
    report('failed', `lacks ${missing.join(', ')}: it is no replica of DATABASE_URL`);
    return;
  }
  const isOfPrimary = await withConnection(databaseUrl, (primary) =>
    withConnection(replicaUrl, (replica) => areOfOneCluster(primary, replica)),
  );
  const target = await withConnection(databaseUrl, primaryPosition);
  const end = performance.now() + MAX_LAG_MS;
  let { position, ...server } = await withConnection(replicaUrl, replicaPosition);
  while (isOfPrimary && server.isReplica && position < target && performance.now() < end) {
    await delay(LOOK_EVERY_MS);
    ({ position, ...server } = await withConnection(replicaUrl, replicaPosition));
  }
  if (!server.isReplica) {
    report('failed', 'DATABASE_REPLICA_URL names a server that is not a replica');
  } else if (!isOfPrimary) {
    report('failed', 'DATABASE_REPLICA_URL names a replica of another server');
  } else if (position < target) {
    report('failed', `is ${target - position} bytes behind for more than 2 seconds`);
  } else if (!server.givesFeedback) {
    report('warning', 'hot_standby_feedback is off: the primary repeats reads that conflict');
  }
}

async function checkConnections(
  { config }: Cli,
  app: INestApplicationContext,
  report: Report,
): Promise<void> {
  const { webProcesses, workerProcesses, databaseReplicaUrl } = config;
  const looks = databaseReplicaUrl === undefined ? 0 : 1;
  const roles = [
    { size: webProcesses, extra: 2 + looks },
    { size: workerProcesses, extra: 2 },
  ];
  // Each listens on one connection more and has one for look-ups; a restart starts one process more.
  const needed = roles.map(
    ({ size, extra }) => (size > 1 ? size + 1 : 1) * (connectionsOf(config, size) + extra),
  );
  const most = needed.reduce((sum, each) => sum + each, 0);
  const limit = await app.get(CliRepository).findConnectionLimit();
  if (most > limit) {
    report('warning', `this machine can open ${most}, PostgreSQL allows ${limit}`);
  }
}

async function checkQueues(app: INestApplicationContext, report: Report): Promise<void> {
  const queues = app.get<Queue[]>(ALL_QUEUES, { strict: false });
  for (const queue of queues) {
    const counts = await answerOfRedis(queue.getJobCounts());
    if (counts.failed > 0)
      report('warning', `${queue.name}: ${counted(counts.failed, 'failed job')}`);
    if (await answerOfRedis(queue.isPaused())) report('warning', `${queue.name} is paused`);
  }
}

async function checkWrites(
  app: INestApplicationContext,
  { isFixing, report }: Repair,
): Promise<void> {
  const count = await app.get(CliRepository).countAbandonedWrites();
  if (count === 0) return;
  if (!isFixing) {
    report('warning', `${count} writes of dead processes: a running worker closes them`);
    return;
  }
  const abandoned = app.get(AbandonedWrites, { strict: false });
  while ((await abandoned.recover()) > 0);
  // Counted again: a worker can close some of them at the same time.
  const left = await app.get(CliRepository).countAbandonedWrites();
  if (left > 0) report('failed', `${left} of ${count} abandoned writes cannot be closed yet`);
  else report('fixed', `${count} abandoned writes closed`);
}
