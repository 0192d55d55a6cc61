import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ForkedProcess,
  type ForkRequest,
  type ForkResponse,
  killGroup,
  type Streams,
} from './forked-process.js';

/**
 * Starts a process. Rejects with the system's error. The fork server does it for this process: the
 * system copies the memory tables of the process that starts another one, which would block this
 * one for milliseconds each time. The three pipes lead straight from one process to the other.
 */
export async function forkProcess(request: Omit<ForkRequest, 'id'>): Promise<ForkedProcess> {
  const current = await currentServer();
  const streams = await current.connect().catch(async () => {
    // Someone has removed its socket, as programs that tidy up do.
    current.retire();
    return null;
  });
  if (streams !== null) return current.run(request, streams);
  const next = await currentServer();
  return next.run(request, await next.connect());
}

let server: Promise<ForkServer> | undefined;

function currentServer(): Promise<ForkServer> {
  server ??= ForkServer.start().catch((error: unknown) => {
    server = undefined;
    throw error;
  });
  return server;
}

const PROGRAM = fileURLToPath(new URL('./fork-server.js', import.meta.url));

/** A start takes a millisecond, unless the file system of its folder does not respond. */
const START_MS = 10_000;

/** The system's limit for paths of sockets is 107 bytes. */
const MAX_FOLDER_LENGTH = 70;

/** A request, until its process has ended. */
interface Running {
  streams: Streams;
  /** Bound of the start. */
  timer: NodeJS.Timeout;
  child?: ForkedProcess;
  resolve(child: ForkedProcess): void;
  reject(error: Error): void;
}

/** The program in fork-server.ts, which runs as long as this process. */
class ForkServer {
  private readonly running = new Map<number, Running>();
  private lastId = 0;
  private isRetired = false;

  private constructor(
    private readonly program: ChildProcess,
    private readonly folder: string,
  ) {
    program.on('message', (message: ForkResponse | 'ready') => {
      if (message !== 'ready') this.receive(message);
    });
    program.once('exit', () => this.end());
  }

  static async start(): Promise<ForkServer> {
    const base = tmpdir().length > MAX_FOLDER_LENGTH ? '/tmp' : tmpdir();
    const folder = await mkdtemp(join(base, 'guildhall-fork-'));
    const { LD_LIBRARY_PATH } = process.env;
    const program = fork(PROGRAM, [socketIn(folder)], {
      env: { LD_LIBRARY_PATH },
      // Options of this process, such as an inspector, are not for that one.
      execArgv: ['--max-semi-space-size=1'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started = new ForkServer(program, folder);
    const ended = once(program, 'exit').then(() =>
      Promise.reject(new ForkServerError('has ended')),
    );
    await Promise.race([once(program, 'message'), ended]);
    started.unrefWhenIdle();
    return started;
  }

  async run(request: Omit<ForkRequest, 'id'>, streams: Streams): Promise<ForkedProcess> {
    const id = ++this.lastId;
    streams.forEach((stream, number) => stream.write(streamHeader(id, number)));
    return new Promise((resolve, reject) => {
      const late = (): void => this.refuse(id, new ForkServerError('does not respond'));
      const timer = setTimeout(late, START_MS);
      this.running.set(id, { streams, timer, resolve, reject });
      this.program.channel?.ref();
      this.program.send({ id, ...request }, (error) => {
        if (error !== null) this.refuse(id, error);
      });
    });
  }

  /** Returns new streams for a process. Rejects if the socket cannot be reached. */
  async connect(): Promise<Streams> {
    const path = socketIn(this.folder);
    const streams: Streams = [connect(path), connect(path), connect(path)];
    // Nothing is read from the input, as from a pipe.
    streams[0].pause();
    // The exit of a process tells why its streams failed.
    for (const stream of streams) stream.on('error', () => undefined);
    try {
      await Promise.all(streams.map((stream) => once(stream, 'connect')));
    } catch (error) {
      for (const stream of streams) stream.destroy();
      throw error;
    }
    return streams;
  }

  /** Leaves new processes to another server; this one ends with its last. */
  retire(): void {
    if (!this.isRetired) server = undefined;
    this.isRetired = true;
    this.unrefWhenIdle();
  }

  private receive(response: ForkResponse): void {
    const { id } = response;
    const running = this.running.get(id);
    if (running === undefined) {
      // Its request has been refused for starting too late.
      if ('pid' in response)
        killGroup({ ...response, exitCode: null, signalCode: null }, 'SIGKILL');
      return;
    }
    clearTimeout(running.timer);
    if ('error' in response) return this.refuse(id, Object.assign(new Error(), response.error));
    if ('pid' in response) {
      running.child = new ForkedProcess(response.pid, running.streams);
      return running.resolve(running.child);
    }
    this.running.delete(id);
    this.unrefWhenIdle();
    // Even if the process ended at once, the caller has added its listeners by then.
    setImmediate(() => running.child?.end(response.exit));
  }

  private refuse(id: number, error: Error): void {
    const running = this.running.get(id);
    clearTimeout(running?.timer);
    this.running.delete(id);
    this.unrefWhenIdle();
    for (const stream of running?.streams ?? []) stream.destroy();
    running?.reject(error);
  }

  /** Kills the processes with the server, since their exit would go unnoticed. */
  private end(): void {
    this.retire();
    for (const [id, { child }] of this.running) {
      if (child === undefined) {
        this.refuse(id, new ForkServerError('has ended'));
      } else {
        killGroup(child, 'SIGKILL');
        this.receive({ id, exit: { code: null, signal: 'SIGKILL' } });
      }
    }
    rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Without a running process the server does not keep this process alive. */
  private unrefWhenIdle(): void {
    if (this.running.size > 0) return;
    this.program.unref();
    this.program.channel?.unref();
    if (this.isRetired && this.program.connected) this.program.disconnect();
  }
}

class ForkServerError extends Error {
  constructor(problem: string) {
    super(`The fork server ${problem}`);
  }
}

function streamHeader(id: number, number: number): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(id, 0);
  header.writeUInt32BE(number, 4);
  return header;
}

function socketIn(folder: string): string {
  return join(folder, 'socket');
}
