import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { eventually } from '../support/eventually.js';
import { openPort } from '../support/listening-port.js';
import { startRedisServer } from '../support/redis-program.js';

/** A Redis that a test may stop, suspend and start again at the same address; it keeps nothing. */
export class PrivateRedis {
  private constructor(
    private readonly port: number,
    private server: ChildProcess,
  ) {}

  static async start(): Promise<PrivateRedis> {
    const { port, handle } = await openPort();
    handle.close();
    await once(handle, 'close');
    const redis = new PrivateRedis(port, spawnRedis(port));
    await eventually(() => answers(port));
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    const gone = once(this.server, 'exit');
    this.server.kill('SIGKILL');
    await gone;
  }

  async startAgain(): Promise<void> {
    this.server = spawnRedis(this.port);
    await eventually(() => answers(this.port));
  }

  /** Keeps its connections but does not respond until `resume`. */
  suspend(): void {
    this.server.kill('SIGSTOP');
  }

  resume(): void {
    this.server.kill('SIGCONT');
  }
}

function spawnRedis(port: number): ChildProcess {
  const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: tmpdir() };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return startRedisServer(args);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
