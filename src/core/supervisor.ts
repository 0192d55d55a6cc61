import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import {
  GROUP_VARIABLE,
  type ProcessMessage,
  type SupervisorMessage,
  handleSignals,
} from './process-group.js';

/** Uptime after which an exit is followed by a restart without a wait. */
const STEADY_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Processes end themselves after 29 seconds; launchers kill after 30. */
const STOP_BOUND_MS = 29_500;
/** A process that is neither ready nor over by then hangs. */
const READY_BOUND_MS = 120_000;
/** Ends of a stop, also for processes that had no handlers yet when the terminal sent its signal. */
const STOP_SIGNALS: readonly (string | null)[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** Number in the group that one process holds at a time, and two during a restart. */
interface Slot {
  readonly number: number;
  current: Worker | null;
  /** Process that takes over once it is ready. */
  next: Worker | null;
  /** Exits soon after the start, one after the other. */
  failures: number;
  restart?: NodeJS.Timeout;
}

/** End of a process; the code is null after a signal. */
interface Exit {
  code: number | null;
  signal: string | null;
}

/**
 * Runs the processes of a role, which share its ports: starts them, replaces those that exit, and
 * restarts them one after the other on SIGHUP. It loads nothing of the application.
 */
export class Supervisor {
  private readonly slots: readonly Slot[];
  private readonly workers = new Set<Worker>();
  private isStopping = false;
  private hasBeenReady = false;
  /** Starts or restarts processes, one after the other. */
  private isBusy = false;
  private isRestartDue = false;
  private exitCode = 0;
  private finish: (code: number) => void = () => undefined;

  constructor(
    private readonly role: 'web' | 'worker',
    size: number,
    private readonly log: Logger,
  ) {
    this.slots = Array.from({ length: size }, (_, index) => {
      return { number: index + 1, current: null, next: null, failures: 0 };
    });
  }

  /** Resolves with the exit code when all processes have ended. */
  async run(): Promise<number> {
    const finished = new Promise<number>((resolve) => (this.finish = resolve));
    handleSignals({
      stop: (reason) => this.stop(reason),
      reload: () => void this.restart(),
    });
    this.isBusy = true;
    // One after the other: the first one refuses to start for all, and serves while others load.
    for (const slot of this.slots) await this.start(slot);
    this.isBusy = false;
    if (this.isRestartDue) void this.restart();
    return finished;
  }

  private async start(slot: Slot): Promise<void> {
    if (this.isStopping) return;
    const forked = this.fork(slot);
    if (forked === null) {
      this.onExit(slot, null, { code: 1, signal: null });
      return;
    }
    slot.current = forked.worker;
    await forked.ready;
  }

  /** Restarts the processes, once more if that is requested meanwhile. */
  private async restart(): Promise<void> {
    this.isRestartDue = true;
    if (this.isBusy) {
      this.log.info(`another restart of the ${this.role} processes follows this one`);
      return;
    }
    this.isBusy = true;
    while (this.isRestartDue && !this.isStopping) {
      this.isRestartDue = false;
      await this.replaceAll();
    }
    this.isBusy = false;
  }

  /** Each process goes on until its successor is ready. */
  private async replaceAll(): Promise<void> {
    this.log.info(`restarting the ${this.role} processes`);
    let isComplete = true;
    for (const slot of this.slots) isComplete &&= await this.replace(slot);
    if (this.isStopping) return;
    if (isComplete) this.log.info(`restarted the ${this.role} processes`);
    else this.log.error(`the restart ended early: a new ${this.role} process is not ready`);
  }

  /** Returns false when the new process ended before it was ready. */
  private async replace(slot: Slot): Promise<boolean> {
    if (this.isStopping) return false;
    clearTimeout(slot.restart);
    const forked = this.fork(slot);
    if (forked === null) return false;
    const { worker, ready } = forked;
    slot.next = worker;
    if (!(await ready)) return false;
    const former = slot.current;
    slot.current = worker;
    slot.next = null;
    if (former !== null) await this.retire(former);
    return true;
  }

  private async retire(worker: Worker): Promise<void> {
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    const bound = setTimeout(() => worker.process.kill('SIGKILL'), STOP_BOUND_MS);
    send(worker, { type: 'retire' });
    await exited;
    clearTimeout(bound);
  }

  /**
   * Starts a process; `ready` resolves with false when it ended before it was ready. Returns null when
   * the system has no memory for another process.
   */
  private fork(slot: Slot): { worker: Worker; ready: Promise<boolean> } | null {
    let worker: Worker;
    try {
      worker = cluster.fork({ [GROUP_VARIABLE]: `${slot.number}/${this.slots.length}` });
    } catch (err) {
      this.log.error({ err }, `a ${this.role} process cannot be started`);
      return null;
    }
    const startedAt = performance.now();
    this.workers.add(worker);
    const ready = new Promise<boolean>((resolve) => {
      const hanging = setTimeout(() => {
        this.log.error({ process: slot.number }, `a new ${this.role} process hangs: ending it`);
        worker.process.kill('SIGKILL');
      }, READY_BOUND_MS);
      worker.on('message', (message: ProcessMessage) => {
        if (message.type === 'ready') {
          clearTimeout(hanging);
          this.hasBeenReady = true;
          resolve(true);
        } else this.relay(slot, worker, message);
      });
      const end = (exit: Exit): void => {
        clearTimeout(hanging);
        resolve(false);
        if (!this.workers.delete(worker)) return;
        if (performance.now() - startedAt > STEADY_MS) slot.failures = 0;
        this.onExit(slot, worker, exit);
      };
      worker.once('exit', (code: number | null, signal: string | null) => end({ code, signal }));
      // Messages to a process that is ending fail as well: its exit follows.
      worker.on('error', (err: Error) => {
        this.log.debug({ err }, 'a process cannot be reached');
        if (worker.process.pid === undefined) end({ code: 1, signal: null });
      });
    });
    return { worker, ready };
  }

  /** Passes requests of a process to those with another number, and responses back to it. */
  private relay(slot: Slot, sender: Worker, message: ProcessMessage): void {
    if (message.type === 'request') {
      const others = this.slots.filter((other) => other !== slot);
      for (const { current } of others) {
        if (current !== null) send(current, { ...message, senderId: sender.id });
      }
    } else if (message.type === 'response') {
      const { senderId, id, text } = message;
      const receiver = cluster.workers?.[senderId];
      if (receiver) send(receiver, { type: 'response', id, text });
    }
  }

  /** `worker` is null for a process that could not be started. */
  private onExit(slot: Slot, worker: Worker | null, exit: Exit): void {
    const isRetired = worker !== null && worker !== slot.current && worker !== slot.next;
    if (worker !== null && worker === slot.next) slot.next = null;
    if (worker !== null && worker === slot.current) slot.current = null;
    if (this.isStopping) {
      if (exit.code !== 0 && !STOP_SIGNALS.includes(exit.signal)) this.exitCode = 1;
      if (this.workers.size === 0) this.finish(this.exitCode);
    } else if (!this.hasBeenReady) this.giveUp(exit);
    else if (!isRetired) this.restartLater(slot, exit);
  }

  /** The process has logged why it cannot start, unless a signal ended it. */
  private giveUp({ code, signal }: Exit): void {
    this.isStopping = true;
    if (signal !== null) {
      this.log.fatal(`the ${this.role} process was ended by ${signal} before it was ready`);
    }
    this.finish(code || 1);
  }

  private restartLater(slot: Slot, exit: Exit): void {
    const facts = { process: slot.number, ...exit };
    const text = `a ${this.role} process exited unexpectedly`;
    if (slot.current !== null || slot.next !== null) {
      this.log.error(facts, text);
      return;
    }
    const growing = Math.min(FIRST_WAIT_MS * 2 ** (slot.failures - 1), LONGEST_WAIT_MS);
    const waitMs = slot.failures === 0 ? 0 : growing;
    slot.failures += 1;
    this.log.error({ ...facts, restart_in_seconds: waitMs / 1_000 }, text);
    slot.restart = setTimeout(() => void this.start(slot), waitMs);
  }

  private stop(reason: string): void {
    if (this.isStopping) return;
    this.isStopping = true;
    this.log.info({ reason }, `stopping the ${this.role} processes`);
    for (const slot of this.slots) clearTimeout(slot.restart);
    for (const { process: child } of this.workers) child.kill('SIGTERM');
    const killAll = (): void => {
      for (const { process: child } of this.workers) child.kill('SIGKILL');
    };
    setTimeout(killAll, STOP_BOUND_MS).unref();
    if (this.workers.size === 0) this.finish(0);
  }
}

/** A process that is gone takes no messages; its exit is handled. */
function send(worker: Worker, message: SupervisorMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
