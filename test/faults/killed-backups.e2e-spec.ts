import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_ACTIONS, EVENT_TARGETS } from '../../src/core/activity/event.entity.js';
import { runCommand, type CommandResult } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { git } from '../support/storage-move-factories.js';
import { type AcknowledgedWrite, BusyWriters } from './support/busy-writers.js';
import { Fleet, type FleetMember } from './support/fleet.js';
import type { Pusher } from './support/pusher.js';
import { RestoredCopy } from './support/restored-copy.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';

const PROJECTS = scaled(100);
const KILLS = 5;
const TIME_MS = 900_000;
/** The clock of the database has milliseconds. */
const CLOCK_MS = 5;
/** The command line loads for long where the writers need the processor. */
const PATIENCE = { seconds: 60, everyMs: 5 };
const PROGRAM = resolve('dist/cli.js');

let stack: FaultStack;
let fleet: Fleet;
let sandbox: GitSandbox;
let running: BusyWriters | undefined;
beforeAll(async () => {
  stack = await FaultStack.start();
  fleet = await Fleet.make(stack, PROJECTS);
  sandbox = await makeGitSandbox();
}, 300_000);
afterAll(async () => {
  await running?.stop();
  await sandbox.remove();
  await stack.stop();
});

function environment(): NodeJS.ProcessEnv {
  return {
    ...stack.environment,
    GUILDHALL_BACKUP_STORE: join(stack.folder, 'backups'),
    GUILDHALL_BACKUP_PASSPHRASE: 'only for tests, only for tests',
  };
}

/** Names of the locks of backups that are under way or were killed. */
async function locks(): Promise<string[]> {
  const names = await readdir(join(stack.folder, 'backups', 'locks')).catch(() => []);
  return names.filter((name) => !name.startsWith('.'));
}

/** Starts a backup, kills it a while after it has begun, and returns whether it was still running. */
async function killedBackup(afterMs: number): Promise<boolean> {
  const before = new Set(await locks());
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, 'backup', 'create'], {
    env: environment(),
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  await eventually(async () => (await locks()).some((name) => !before.has(name)), PATIENCE);
  await Promise.race([exited, delay(afterMs)]);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await exited;
  return isRunning;
}

/** Kills web process and worker, and starts both again. */
async function killService(): Promise<void> {
  await Promise.all([stack.killWeb(), ...stack.workers.map((worker) => worker.kill())]);
  stack.startWorker();
  await stack.restartWeb();
}

function createBackup(): Promise<CommandResult> {
  const args = [PROGRAM, 'backup', 'create', '--json'];
  return runCommand(process.execPath, args, { env: environment() });
}

/** Returns the acknowledged writes per second while something goes on. */
async function rateDuring(writers: BusyWriters, run: () => Promise<unknown>): Promise<number> {
  const [begun, startedAt] = [writers.writes, performance.now()];
  await run();
  return Math.round((writers.writes - begun) / ((performance.now() - startedAt) / 1_000));
}

interface Backup {
  snapshotAt: number;
  /** Newest commit that each pusher had pushed before. */
  pushed: [Pusher, FleetMember, commit: string][];
  created: CommandResult;
}

/** Makes a backup while the writers go on and the service is killed once more. */
async function backUp(writers: BusyWriters): Promise<Backup> {
  const pushed = [...writers.pushers].map(([pusher, project]): Backup['pushed'][number] => [
    pusher,
    project,
    pusher.accepted.at(-1) ?? '',
  ]);
  const [created] = await Promise.all([createBackup(), delay(1_000).then(killService)]);
  const { snapshot_at: at = '' } = JSON.parse(created.stdout || '{}') as { snapshot_at?: string };
  return { snapshotAt: Date.parse(at), pushed, created };
}

/** Tells whether the rows of a copy have a write. */
async function isIn(copy: RestoredCopy): Promise<(write: AcknowledgedWrite) => boolean> {
  const idsOf = async (table: string): Promise<ReadonlySet<number>> =>
    new Set(
      (await copy.rows<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => Number(id)),
    );
  const [issues, labels] = [await idsOf('issues'), await idsOf('labels')];
  const titles = await copy.rows<{ title: string }>('SELECT title FROM alerts');
  const alerts = new Set(titles.map(({ title }) => title));
  const updates = await copy.rows<{ project: number; ref: string; oid: string }>(
    `SELECT container_id::int AS project, ref, new_oid AS oid FROM ref_updates
     WHERE repository_kind = 'project'`,
  );
  const known = new Set(updates.map(({ project, ref, oid }) => `${project} ${ref} ${oid}`));
  return ({ projectId, made }) => {
    if ('issue' in made) return issues.has(made.issue);
    if ('label' in made) return labels.has(made.label);
    if ('alert' in made) return alerts.has(made.alert);
    return known.has(`${projectId} refs/heads/${made.branch} ${made.commit}`);
  };
}

/** Rows of a table of the copy that the source has not, or has otherwise. */
async function strangeRows(copy: RestoredCopy, table: string): Promise<string[]> {
  const statement = `SELECT md5(t::text) AS digest FROM ${table} t`;
  const [source, restored] = await Promise.all([
    stack.rows<{ digest: string }>(statement),
    copy.rows<{ digest: string }>(statement),
  ]);
  const known = new Set(source.map(({ digest }) => digest));
  return restored.map(({ digest }) => digest).filter((digest) => !known.has(digest));
}

/** Rows that were restored in part: a counter without its rows, a row without its event or note. */
const TORN_SQL = `
  SELECT 'counter of ' || c.project_id AS torn FROM issue_counters c
  WHERE c.last_iid <> (SELECT count(*) FROM issues i WHERE i.project_id = c.project_id)
  UNION ALL
  SELECT 'counter of alerts of ' || c.project_id FROM alert_counters c
  WHERE c.last_iid <> (SELECT count(*) FROM alerts a WHERE a.project_id = c.project_id)
  UNION ALL
  SELECT 'note of alert ' || a.id FROM alerts a
  WHERE (SELECT count(*) FROM notes n WHERE n.alert_id = a.id) <> 1
  UNION ALL
  SELECT 'event of issue ' || i.id FROM issues i
  WHERE (SELECT count(*) FROM events e WHERE e.target_id = i.id
         AND e.target_type = ${EVENT_TARGETS.issue} AND e.action = ${EVENT_ACTIONS.created}) <> 1
  UNION ALL
  SELECT 'event of update ' || u.id FROM ref_updates u
  WHERE (SELECT count(*) FROM events e WHERE e.project_id = u.container_id
         AND 'refs/heads/' || e.ref = u.ref AND e.commit_to = u.new_oid) <> 1`;

/** Branches of the writers at commits that are not on record. */
async function unrecordedBranches(copy: RestoredCopy): Promise<string[]> {
  const updates = await copy.rows<{ tip: string }>(
    `SELECT new_oid || ' ' || ref AS tip FROM ref_updates`,
  );
  const recorded = new Set(updates.map(({ tip }) => tip));
  const tips = Object.values(await copy.refs()).flatMap((refs) => refs.split('\n'));
  const written = tips.filter((tip) => / refs\/heads\/(?:branch|pushed)-/.test(tip));
  expect(written.length).toBeGreaterThan(0);
  return written.filter((tip) => !recorded.has(tip));
}

describe('backups of an instance that is written to', () => {
  it(
    'are a consistent point with all that was acknowledged before, also after kills',
    async () => {
      stack.startWorker();
      const writers = (running = await BusyWriters.start(fleet, sandbox));
      const killed: boolean[] = [];
      for (let count = 1; count <= KILLS; count += 1) {
        killed.push(await killedBackup(count * 150));
        await killService();
      }
      await delay(5_000);
      const alone = await rateDuring(writers, () => delay(10_000));
      const besideBackup = await rateDuring(writers, () => createBackup());
      const { snapshotAt, pushed, created } = await backUp(writers);
      await writers.stop();
      expect([created.code, writers.oddities]).toEqual([0, []]);
      expect(killed.filter(Boolean).length).toBeGreaterThanOrEqual(KILLS - 1);

      const copy = await RestoredCopy.make(stack, environment());
      expect([copy.result.code, copy.result.stdout]).toEqual([
        0,
        expect.stringMatching(/^Restored/),
      ]);
      const has = await isIn(copy);
      const { acknowledged } = writers;
      const before = acknowledged.filter(({ endedAt }) => endedAt < snapshotAt - CLOCK_MS);
      const after = acknowledged.filter(({ begunAt }) => begunAt > snapshotAt + CLOCK_MS);
      console.log(
        `${alone} writes/s, ${besideBackup} beside a backup, ${before.length} before the snapshot, ${after.length} after: ` +
          created.stdout,
      );
      expect([before.filter((write) => !has(write)), after.filter(has)]).toEqual([[], []]);
      expect(await copy.rows(TORN_SQL)).toEqual([]);
      for (const table of ['alerts', 'notes', 'labels', 'issues', 'events', 'ref_updates']) {
        expect(await strangeRows(copy, table)).toEqual([]);
      }
      const late = await copy.recordLateWrites();
      expect(await unrecordedBranches(copy)).toEqual([]);
      expect(await copy.rows(TORN_SQL)).toEqual([]);
      for (const [{ branch }, { id }, commit] of pushed) {
        await git(['-C', copy.repository(id), 'merge-base', '--is-ancestor', commit, branch]);
      }
      console.log(`${late} writes were under way and are on record after the restore`);
      await copy.close();
    },
    TIME_MS,
  );
});
