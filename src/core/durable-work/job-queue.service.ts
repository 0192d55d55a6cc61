import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import {
  DataSource,
  type EntityManager,
  type EntitySubscriberInterface,
  type QueryRunner,
} from 'typeorm';
import { JOB_NAMES, type JobData, type QueueName } from './queues.js';

/** Injection token of all queues: `@Inject(ALL_QUEUES) queues: Queue[]`. */
export const ALL_QUEUES = Symbol('all queues');

/** Time that a process that ends leaves to jobs that are on their way. */
const LAST_WAIT_MS = 1_000;

/** Redis has not taken jobs that it has not confirmed by then. */
const CONFIRMED_WITHIN_MS = 1_000;

/** A job that names its row. A queue has one with the same ID at a time. */
export interface RowJob<Name extends keyof JobData> {
  data: JobData[Name];
  jobId: string;
}

/**
 * Adds jobs after commits. No caller waits for Redis or fails with it: the rows are written, and
 * workers find them without a job.
 */
@Injectable()
export class JobQueue implements EntitySubscriberInterface, OnModuleDestroy {
  private readonly logger = new Logger(JobQueue.name);
  private readonly queues: ReadonlyMap<string, Queue>;
  private readonly wanted = new Set<QueueName>();
  private readonly notifying = new Set<QueueName>();
  private readonly sending = new Set<Promise<unknown>>();
  private readonly uncommitted = new WeakMap<QueryRunner, Set<QueueName>>();

  constructor(@Inject(ALL_QUEUES) queues: readonly Queue[], dataSource: DataSource) {
    this.queues = new Map(queues.map((queue) => [queue.name, queue]));
    dataSource.subscribers.push(this);
  }

  /** Wakes the workers of a queue, after the commit. Calls that come close together share a job. */
  notify(name: QueueName): void {
    this.wanted.add(name);
    if (this.notifying.has(name)) return;
    this.notifying.add(name);
    this.track(this.sendNotifications(name).finally(() => this.notifying.delete(name)));
  }

  /** As `notify`, once the transaction is committed; never when it is rolled back. */
  notifyAfterCommit({ queryRunner }: EntityManager, name: QueueName): void {
    if (queryRunner?.isTransactionActive !== true) {
      this.notify(name);
      return;
    }
    const names = this.uncommitted.get(queryRunner) ?? new Set();
    this.uncommitted.set(queryRunner, names.add(name));
  }

  /** Adds a job that names its row, after the commit. */
  enqueue<Name extends keyof JobData>(name: Name, data: JobData[Name]): void {
    this.track(this.add(name, data));
  }

  /** Adds jobs in one round trip, after the commit. Returns false when Redis does not take them now. */
  async enqueueAll<Name extends keyof JobData>(
    name: Name,
    jobs: readonly RowJob<Name>[],
  ): Promise<boolean> {
    if (jobs.length === 0) return true;
    const queue = this.queues.get(name);
    if (queue?.client.status !== 'ready') return false;
    const bulk = jobs.map(({ data, jobId }) => ({ name: JOB_NAMES[name], data, opts: { jobId } }));
    const adding = queue.addBulk(bulk).then(
      (added) => added.every(({ id }) => id != null),
      (error: unknown) => {
        this.logger.warn(missingJobs(name, error));
        return false;
      },
    );
    const isTaken = Promise.race([adding, delay(CONFIRMED_WITHIN_MS, false, { ref: false })]);
    this.track(isTaken);
    return isTaken;
  }

  /** Called by TypeORM for every transaction. */
  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    // Also called for savepoints, which other transactions do not see yet.
    if (queryRunner.isTransactionActive) return;
    for (const name of this.uncommitted.get(queryRunner) ?? []) this.notify(name);
    this.uncommitted.delete(queryRunner);
  }

  /** Lets jobs leave before the process ends. */
  async onModuleDestroy(): Promise<void> {
    const bound = delay(LAST_WAIT_MS, undefined, { ref: false });
    await Promise.race([Promise.all(this.sending), bound]);
  }

  private track(sending: Promise<unknown>): void {
    this.sending.add(sending);
    void sending.finally(() => this.sending.delete(sending));
  }

  private async sendNotifications(name: QueueName): Promise<void> {
    while (this.wanted.delete(name)) await this.add(name, {});
  }

  private async add(name: QueueName, data: object): Promise<void> {
    const queue = this.queues.get(name);
    // Without Redis: workers look for rows regularly.
    if (queue?.client?.status === 'wait') return;
    try {
      await queue?.add(JOB_NAMES[name], data);
    } catch (error) {
      this.logger.warn(missingJobs(name, error));
    }
  }
}

function missingJobs(name: QueueName, error: unknown): string {
  return `No job was added to ${name}, its workers poll: ${String(error)}`;
}
