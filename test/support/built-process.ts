import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { makeDataDir } from './config.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';

/** A built process as an operator starts it. */
export interface StartedProcess {
  child: ChildProcess;
  /** Returns the standard output so far. */
  said(): string;
  output: Promise<string>;
  exited: Promise<unknown[]>;
}

interface StartOptions {
  /** A new one unless it is given. */
  database?: TestDatabase;
  env?: Record<string, string>;
}

/** Built processes of a test, each with a database and a data folder of its own. */
export class BuiltProcesses {
  private readonly cleanups: (() => Promise<unknown>)[] = [];

  /** Runs `main.js` or `worker.js` with only the given variables, in one process. */
  run(file: string, env: Record<string, string>): StartedProcess {
    const child = spawn(process.execPath, [resolve('dist', file)], {
      env: { PATH: process.env['PATH'], WEB_PROCESSES: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const exited = once(child, 'exit');
    this.cleanups.push(() => {
      child.kill('SIGKILL');
      return exited;
    });
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const output = Promise.all([textOf(child.stdout), textOf(child.stderr)]).then((texts) =>
      texts.join(''),
    );
    return { child, said: () => said, output, exited };
  }

  /** Runs it on a database. */
  async start(file: string, { database, env }: StartOptions = {}): Promise<StartedProcess> {
    const { drop, url, name } = database ?? (await createTestDatabase());
    const dataDir = await makeDataDir();
    this.cleanups.push(drop);
    this.cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
    return this.run(file, {
      DATABASE_URL: url,
      REDIS_URL: String(process.env['TEST_REDIS_URL']),
      QUEUE_PREFIX: name,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    });
  }

  /** Kills the processes and removes what they used. */
  async remove(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup();
  }
}

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? '' : text(stream);
}

/** Waits until the log matches; loading the modules takes long on a busy machine. */
export async function logged(
  started: StartedProcess,
  line: RegExp,
  seconds = 28,
): Promise<RegExpExecArray> {
  const read = (): RegExpExecArray => {
    const found = line.exec(started.said());
    if (found === null) throw new Error(`${line} is not logged: ${started.said()}`);
    return found;
  };
  return Promise.race([eventually(read, { seconds }), endedTooEarly(started)]);
}

async function endedTooEarly({ exited, output }: StartedProcess): Promise<never> {
  await exited;
  throw new Error(`the process ended by itself: ${await output}`);
}

/** Returns the port that a web process has opened. */
export async function portOf(web: StartedProcess): Promise<number> {
  const [, port] = await logged(web, /"port":(\d+),.*"msg":"web process is ready"/);
  return Number(port);
}
