/** Tells work that goes on for long whether the process ends. */
export type IsStopping = () => boolean;

/** Log level and message prefix for errors of a task. */
export interface TaskFailures {
  logger: Record<'error' | 'warn', (message: string) => void>;
  failureMessage?: string;
  level?: 'error' | 'warn';
}

/**
 * Work that a worker does by the clock: at once when it starts, then again and again, one round
 * after the other. What a round throws is logged, and the next one begins as usual.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();
  private hasEnded = false;

  constructor(
    private readonly intervalMs: number,
    private readonly work: (isStopping: IsStopping) => Promise<void>,
    private readonly failures: TaskFailures,
  ) {}

  /** Begins the first round; later ones follow by themselves. */
  start(): void {
    void this.run();
    this.timer = setInterval(() => void this.run(), this.intervalMs);
  }

  /** A round beside the clock, for a job that says that there is work; resolves when it is over. */
  run(): Promise<void> {
    this.last = this.last.then(() => this.round()).catch((error: unknown) => this.tell(error));
    return this.last;
  }

  /** Begins no more rounds, and waits for the end of the one that goes on. */
  async stop(): Promise<void> {
    this.hasEnded = true;
    clearInterval(this.timer);
    await this.last;
  }

  private async round(): Promise<void> {
    if (!this.hasEnded) await this.work(() => this.hasEnded);
  }

  private tell(error: unknown): void {
    const { logger, failureMessage = 'The round failed', level = 'error' } = this.failures;
    logger[level](`${failureMessage}: ${String(error)}`);
  }
}
