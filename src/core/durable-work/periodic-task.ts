import { DiscoveryService } from '@nestjs/core';
import type { QueueName } from './queues.js';

/** Returns true when the process ends; long-running work checks it. */
export type IsStopping = () => boolean;

/** Logs what a run throws, after `failureMessage`. */
interface TaskFailures {
  logger: Record<'error' | 'warn', (message: string) => void>;
  failureMessage?: string;
  level?: 'error' | 'warn';
}

/**
 * Runs work immediately and then after each interval, one run after the other. Errors of a run are
 * logged, and the next one starts as usual.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();
  private hasEnded = false;
  private isTicked = false;

  constructor(
    private readonly intervalMs: number,
    private readonly work: (isStopping: IsStopping) => Promise<void>,
    private readonly failures: TaskFailures,
  ) {}

  /** Begins the first run; later ones follow at the interval. */
  start(): void {
    void this.run();
    this.timer = setInterval(() => this.tick(), this.intervalMs);
  }

  /** Adds one run at most: a run can take longer than many intervals. */
  private tick(): void {
    if (this.isTicked) return;
    this.isTicked = true;
    this.last = this.last.then(() => {
      this.isTicked = false;
    });
    void this.run();
  }

  /** Adds a run, for a job that announces work; resolves when it is over. */
  run(): Promise<void> {
    this.last = this.last.then(() => this.runOnce()).catch((error: unknown) => this.log(error));
    return this.last;
  }

  /** Begins no more runs, and waits for the end of the current one. */
  async stop(): Promise<void> {
    this.hasEnded = true;
    clearInterval(this.timer);
    await this.last;
  }

  private async runOnce(): Promise<void> {
    if (!this.hasEnded) await this.work(() => this.hasEnded);
  }

  private log(error: unknown): void {
    const { logger, failureMessage = 'The run failed', level = 'error' } = this.failures;
    logger[level](`${failureMessage}: ${String(error)}`);
  }
}

/**
 * Repeats a step for as long as it handles whole batches of `size` rows and the process does not end;
 * returns the number of rows.
 */
export async function inBatches(
  size: number,
  isStopping: IsStopping,
  step: () => Promise<number>,
): Promise<number> {
  let [count, handled] = [0, size];
  while (handled === size && !isStopping()) {
    handled = await step();
    count += handled;
  }
  return count;
}

/** Schedule of a method, and its log messages. */
export interface RunEveryOptions extends Omit<TaskFailures, 'logger'> {
  ms: number;
  /** Jobs of this queue run the method between the intervals. */
  queue?: QueueName;
  /** Logged with the number that the method returns, unless it is 0. */
  countMessage?: string;
}

/**
 * Makes the worker process run a method when it starts and again after each interval, never twice at
 * a time. The method gets IsStopping; what it throws is logged, and the next run comes as usual.
 */
export const RunEvery = DiscoveryService.createDecorator<RunEveryOptions>();
