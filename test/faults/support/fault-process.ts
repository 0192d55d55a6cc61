import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { inNamespace } from './network.js';

export type ProcessState = 'running' | 'stopped' | 'ended';

interface StartOptions {
  env: NodeJS.ProcessEnv;
  logFile: string;
  netns?: string;
  checkout?: string;
}

/** A real process of ours that a test kills, stops and continues. */
export class FaultProcess {
  /** Exit code; null after a signal. */
  private readonly exited: Promise<number | null>;
  private hasEnded = false;

  private constructor(private readonly child: ChildProcess) {
    this.exited = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.hasEnded = true;
        resolve(code);
      });
    });
  }

  /** Starts `main.js` or `worker.js` of a checkout's build; its log goes to the file. */
  static start(
    file: 'main.js' | 'worker.js',
    { env, logFile, netns, checkout = '.' }: StartOptions,
  ): FaultProcess {
    const log = openSync(logFile, 'a');
    const path = resolvePath(checkout, 'dist', file);
    const program = [...inNamespace(netns), process.execPath, path];
    // The channel ends our process when the test's process is gone.
    const child = spawn(program[0] ?? '', program.slice(1), {
      env,
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    return new FaultProcess(child);
  }

  async state(): Promise<ProcessState> {
    if (this.hasEnded) return 'ended';
    try {
      const stat = await readFile(`/proc/${this.child.pid}/stat`, 'utf8');
      return /^[Tt]$/.test(stat.charAt(stat.lastIndexOf(')') + 2)) ? 'stopped' : 'running';
    } catch {
      // Gone between our look at the flag and the read; the event comes next.
      return 'ended';
    }
  }

  /** Waits until a failpoint or a signal has brought it into the state. */
  async reaches(state: ProcessState, seconds = 30): Promise<void> {
    await eventually(
      async () => {
        const now = await this.state();
        if (now !== state) throw new Error(`the process is ${now}, not ${state}`);
      },
      { seconds, everyMs: 5 },
    );
  }

  /** The most memory that it has had at a time, in MiB. */
  async peakMemory(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
    return Math.round(Number(kibibytes) / 1024);
  }

  /** SIGKILL; resolves when it is gone, also when it was already. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** SIGKILL by another process, whose moment does not depend on what this one is busy with. */
  async killFromOutside(afterMs: number): Promise<void> {
    const command = `sleep ${afterMs / 1_000}; kill -9 ${this.child.pid}`;
    spawn('sh', ['-c', command], { stdio: 'ignore' });
    await this.exited;
  }

  /** SIGTERM; resolves with the exit code. */
  terminate(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.exited;
  }

  /** SIGHUP, which restarts the processes of a group. */
  reload(): void {
    this.child.kill('SIGHUP');
  }

  async pause(): Promise<void> {
    this.child.kill('SIGSTOP');
    await this.reaches('stopped');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }
}
