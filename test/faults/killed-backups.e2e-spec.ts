import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { runCommand, type CommandResult } from '../support/command.js';
import { refsOf } from '../support/instance-content.js';
import { unique } from '../support/factories.js';
import { Fleet } from './support/fleet.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';

const PROJECTS = scaled(100);
const KILLS = 5;
const WRITERS = 16;
const WRITES_PER_SECOND = 200;
/** One of ten writes creates a branch, the others an issue. */
const BRANCH_EVERY = 10;
const TIME_MS = 900_000;

let stack: FaultStack;
let fleet: Fleet;
beforeAll(async () => {
  stack = await FaultStack.start();
  fleet = await Fleet.make(stack, PROJECTS);
}, 300_000);
afterAll(() => stack.stop());

/** A write that the service has acknowledged. */
type Acknowledged = { issue: number } | { projectId: number; branch: string; commit: string };

/** Creates issues and branches until it is stopped, at most `WRITES_PER_SECOND`. */
class Writers {
  readonly acknowledged: Acknowledged[] = [];
  readonly oddities: string[] = [];
  private isStopping = false;
  private count = 0;
  private readonly startedAt = Date.now();
  private readonly loops: Promise<void>[];

  constructor() {
    this.loops = Array.from({ length: WRITERS }, () => this.run());
  }

  async stop(): Promise<number> {
    this.isStopping = true;
    await Promise.all(this.loops);
    return this.acknowledged.length / ((Date.now() - this.startedAt) / 1000);
  }

  private async run(): Promise<void> {
    const projects = fleet.members.filter(({ kind }) => kind === 'project');
    while (!this.isStopping) {
      this.count += 1;
      const dueAt = this.startedAt + (this.count * 1000) / WRITES_PER_SECOND;
      await delay(Math.max(0, dueAt - Date.now()));
      const { id = 0 } = projects[this.count % projects.length] ?? {};
      if (this.count % BRANCH_EVERY === 0) await this.createBranch(id);
      else await this.createIssue(id);
    }
  }

  private async createIssue(projectId: number): Promise<void> {
    const { status, body } = await fleet.admin.api.post(`/projects/${projectId}/issues`, {
      title: unique('issue'),
    });
    if (status === 201) this.acknowledged.push({ issue: (body as { id: number }).id });
    else this.oddities.push(`issue: ${status}`);
  }

  private async createBranch(projectId: number): Promise<void> {
    const branch = unique('branch');
    const path = `/projects/${projectId}/repository/branches`;
    const { status, body } = await fleet.admin.api.post(path, { branch, ref: 'main' });
    const { commit } = body as { commit?: { id: string } };
    if (status === 201) this.acknowledged.push({ projectId, branch, commit: commit?.id ?? '' });
    else this.oddities.push(`branch: ${status}`);
  }
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...stack.environment,
    GUILDHALL_BACKUP_STORE: join(stack.folder, 'backups'),
    GUILDHALL_BACKUP_PASSPHRASE: 'only for tests, only for tests',
  };
}

const PROGRAM = resolve('dist/cli.js');

/** Starts a backup, kills it after a while, and returns whether it was still running. */
async function killedBackup(afterMs: number): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, 'backup', 'create'], {
    env: environment(),
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  await Promise.race([exited, delay(afterMs)]);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await exited;
  return isRunning;
}

interface Copy {
  url: string;
  storages: Record<string, { path: string; weight: number }>;
  result: CommandResult;
}

/** Restores the newest backup into a database and storages of its own. */
async function restoreElsewhere(): Promise<Copy> {
  await stack.rows('CREATE DATABASE copy');
  const url = Object.assign(new URL(stack.config.databaseUrl), { pathname: '/copy' }).href;
  const names = Object.keys(stack.config.storages);
  const storages = Object.fromEntries(
    names.map((name) => [name, { path: join(stack.folder, 'copy', name), weight: 1 }]),
  );
  const env = { ...environment(), DATABASE_URL: url, STORAGES: JSON.stringify(storages) };
  const result = await runCommand(process.execPath, [PROGRAM, 'backup', 'restore'], { env });
  return { url, storages, result };
}

async function issuesOf(url: string): Promise<Map<number, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SET timezone = 'UTC'`);
    const { rows } = await client.query<{ id: string; row: string }>(
      'SELECT id, i::text AS row FROM issues i',
    );
    return new Map(rows.map(({ id, row }) => [Number(id), row]));
  } finally {
    await client.end();
  }
}

describe('backups of an instance that is written to', () => {
  it(
    'have all that was acknowledged before them, also after kills',
    async () => {
      const writers = new Writers();
      const killed: boolean[] = [];
      for (let count = 1; count <= KILLS; count += 1) {
        killed.push(await killedBackup(1_500 + count * 700));
      }
      const before = [...writers.acknowledged];
      const args = [PROGRAM, 'backup', 'create', '--json'];
      const created = await runCommand(process.execPath, args, { env: environment() });
      const rate = await writers.stop();
      process.stdout.write(
        `${Math.round(rate)} writes/s, ${before.length} before: ${created.stdout}`,
      );
      expect([created.code, created.stderr, writers.oddities]).toEqual([0, '', []]);
      expect(killed).toContain(true);

      const copy = await restoreElsewhere();
      expect([copy.result.code, copy.result.stdout]).toEqual([
        0,
        expect.stringMatching(/^Restored/),
      ]);
      const [source, restored] = [
        await issuesOf(stack.config.databaseUrl),
        await issuesOf(copy.url),
      ];
      const refs = Object.values(await refsOf(copy.storages)).join('\n');
      const lost = before.filter((write) =>
        'issue' in write
          ? restored.get(write.issue) !== source.get(write.issue)
          : !refs.includes(`${write.commit} refs/heads/${write.branch}`),
      );
      expect(lost).toEqual([]);
      expect([...restored].filter(([id, row]) => source.get(id) !== row)).toEqual([]);
    },
    TIME_MS,
  );
});
