import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { QUEUES } from '../../core/queue/queues.js';
import { Rounds, type IsStopping } from '../../core/queue/rounds.js';
import { DUE_MERGES_JOB } from '../auto-merge-hints.service.js';
import { DueMerges } from './due-merges.service.js';

const ROUND_MS = 10_000;

/** Merges what has waited: woken by jobs, and by the clock for what could not be merged before. */
@Processor(QUEUES.autoMerges)
export class DueMergesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DueMergesProcessor.name);
  private isStopping = false;
  private working: Promise<void> = Promise.resolve();
  private readonly rounds = new Rounds(
    ROUND_MS,
    () => this.handle(),
    (error) => this.failed(error),
  );

  constructor(private readonly merges: DueMerges) {}

  @Process(DUE_MERGES_JOB)
  handle(): Promise<void> {
    const isStopping: IsStopping = () => this.isStopping;
    this.working = this.working
      .then(() => this.merges.run(isStopping))
      .catch((error: unknown) => this.failed(error));
    return this.working;
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.rounds.stop();
    await this.working;
  }

  private failed(error: unknown): void {
    this.logger.error(`Merging what is due failed: ${String(error)}`);
  }
}
