import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { eventually } from './eventually.js';

/** A running `npm start`. */
export interface StartedGuildhall {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** Everything said so far. */
  output(): string;
  errors(): string;
  baseUrl: string;
}

/** Data folder of `npm start`, which runs servers of its own in it and takes a free port. */
export class StarterFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'guildhall-start-'));
  private readonly started: StartedGuildhall[] = [];

  constructor() {
    // PostgreSQL of a root user runs as another user, who must get in.
    chmodSync(this.path, 0o711);
  }

  /** Starts everything as someone who has just cloned the project. */
  async start(demoData = 'off'): Promise<StartedGuildhall> {
    const started = this.spawn([], { DEMO_DATA: demoData });
    const baseUrl = await eventually(() => announcement(started), { seconds: 90 });
    return Object.assign(started, { baseUrl });
  }

  /** Starts the servers alone; `baseUrl` stays empty. */
  async startServers(): Promise<StartedGuildhall> {
    const started = this.spawn(['--servers-only'], {});
    await eventually(() => said(started, /are running: [^]*Ctrl-C/) !== null, { seconds: 90 });
    return started;
  }

  private spawn(options: string[], variables: NodeJS.ProcessEnv): StartedGuildhall {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      DATA_DIR: this.path,
      PORT: '0',
      WEB_PROCESSES: '1',
      LOG_LEVEL: 'warn',
      ...variables,
    };
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'NODE_OPTIONS', 'NODE_ENV', 'BASE_URL']) {
      delete env[name];
    }
    const child = spawn(process.execPath, ['deploy/start.js', ...options], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const found = { child, output: () => output, errors: () => errors, baseUrl: '' };
    this.started.push(found);
    return found;
  }

  /** Names of the servers and processes that still live. */
  ownersAlive(): string[] {
    return readdirSync(this.path)
      .filter((name) => name.endsWith('.owner'))
      .filter((name) => isAlive(this.ownerPid(name)));
  }

  ownerPid(name: string): number {
    return (JSON.parse(readFileSync(join(this.path, name), 'utf8')) as { pid: number }).pid;
  }

  /** Number of actions of the demo data that are done. */
  demoActions(): number {
    const progress = readFileSync(join(this.path, 'demo-data.json'), 'utf8');
    return (JSON.parse(progress) as { done: number }).done;
  }

  /** Kills what runs, waits until all of it has ended, and removes the folder. */
  async remove(): Promise<void> {
    for (const { child } of this.started) child.kill('SIGKILL');
    await eventually(() => this.ownersAlive().length === 0, { seconds: 30 });
    rmSync(this.path, { recursive: true, force: true });
  }
}

function announcement(started: StartedGuildhall): string | false {
  const ready = said(started, /Guildhall is ready at (\S+)\n[\s\S]*Ctrl-C/);
  return ready?.[1] ?? false;
}

function said({ child, output, errors }: StartedGuildhall, text: RegExp): string[] | null {
  if (child.exitCode !== null) throw new Error(`npm start exited: ${output()}${errors()}`);
  return text.exec(output());
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Status of the health check. */
export async function health(baseUrl: string): Promise<number> {
  return (await fetch(`${baseUrl}/-/health`)).status;
}
