import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/** Message to the fork server. */
export interface ForkRequest {
  id: number;
  program: string;
  args: readonly string[];
  cwd?: string;
  /** The whole environment. */
  env: NodeJS.ProcessEnv;
}

/** Message of the fork server: the start or why there is none, then the exit. */
export type ForkResponse = { id: number } & (
  { pid: number } | { error: { message: string } } | { exit: ProcessExit }
);

interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Standard streams of a process. */
export type Streams = [stdin: Socket, stdout: Socket, stderr: Socket];

/** A process as node:child_process shows it, with three pipes; it leads a process group. */
export class ForkedProcess extends EventEmitter {
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;

  constructor(
    readonly pid: number,
    streams: Streams,
  ) {
    super();
    [this.stdin, this.stdout, this.stderr] = streams;
  }

  /** Announces the exit, and `close` once the output has been read. */
  end({ code, signal }: ProcessExit): void {
    this.exitCode = code;
    this.signalCode = signal;
    this.stdin.destroy();
    this.emit('exit', code, signal);
    const outputs = [this.stdout, this.stderr];
    // As Node does: unread output would keep its socket open.
    for (const output of outputs) output.resume();
    void Promise.all(outputs.map(closed)).then(() => this.emit('close', code, signal));
  }
}

function closed(stream: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', () => resolve());
  });
}

/** Signals a process and everything it started; no-op when it is over. */
export function killGroup(child: GroupLeader, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

type GroupLeader = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>;
