import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { Counter, Gauge, Registry } from 'prom-client';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { withTimeout } from '../../core/clock.js';
import { ALL_QUEUES } from '../../core/durable-work/job-queue.service.js';
import { WorkerHeartbeatsRepository } from '../../core/durable-work/worker-heartbeats.repository.js';
import { MetricsRegistry } from '../../core/metrics/metrics-registry.js';
import { OutgoingMailsRepository } from '../../core/mail/outgoing-mails.repository.js';
import { StorageVolumes } from '../../git/storage-volumes.service.js';
import { WorkQueuesRepository } from './work-queues.repository.js';

/** Shorter than the usual scrape timeout of 10 seconds. */
const TIMEOUT_MS = 4_000;

/**
 * Metrics of the whole instance from its database and storages, equal in all web processes. While
 * one of them does not respond, its metrics are absent and the rest remains.
 */
@Injectable()
export class InstanceMetrics {
  private readonly logger = new Logger(InstanceMetrics.name);
  private readonly registry = new Registry();
  private readonly databaseUp = this.gauge('guildhall_database_up', '1 if PostgreSQL responds');
  private readonly redisUp = this.gauge('guildhall_redis_up', '1 if connected to Redis');
  private readonly emails = this.gauge('guildhall_emails', 'Unsent emails by state', ['state']);
  private readonly oldestEmail = this.gauge(
    'guildhall_emails_oldest_waiting_seconds',
    'Age of the oldest queued email, 0 if none is queued',
  );
  private readonly emailOutcomes: Counter;
  private readonly depths = this.gauge(
    'guildhall_queue_depth',
    'Background work in the database by queue: waiting, or delayed, which is running or to be retried',
    ['queue', 'state'],
  );
  private readonly ages = this.gauge(
    'guildhall_queue_oldest_seconds',
    'Age of the oldest entry of a queue, 0 for an empty queue',
    ['queue'],
  );
  private readonly workers = this.gauge('guildhall_workers', 'Workers seen within a minute');
  private readonly lastWorker = this.gauge(
    'guildhall_worker_last_seen_timestamp_seconds',
    'Time of the newest heartbeat of any worker, 0 without one for a week',
  );
  private readonly storageUp = this.gauge('guildhall_storage_up', '1 if the storage can be read', [
    'storage',
  ]);
  private readonly storageSize = this.gauge(
    'guildhall_storage_size_bytes',
    'Size of the disk of a storage',
    ['storage'],
  );
  private readonly storageFree = this.gauge(
    'guildhall_storage_free_bytes',
    'Free space on the disk of a storage',
    ['storage'],
  );

  constructor(
    private readonly metrics: MetricsRegistry,
    private readonly queues: WorkQueuesRepository,
    private readonly outgoing: OutgoingMailsRepository,
    private readonly heartbeats: WorkerHeartbeatsRepository,
    private readonly volumes: StorageVolumes,
    @Inject(ALL_QUEUES) private readonly jobQueues: readonly Queue[],
    @Inject(CONFIG) private readonly config: Pick<Config, 'redis' | 'storages'>,
  ) {
    this.emailOutcomes = new Counter({
      name: 'guildhall_emails_total',
      help: 'Outcomes of emails in all processes; retried counts attempts',
      labelNames: ['outcome'],
      registers: [this.registry],
    });
  }

  /** Returns all metrics of the web processes with the current ones of the instance. */
  async text(): Promise<string> {
    await Promise.all([this.readDatabase(), this.readStorages()]);
    this.readRedis();
    const texts = [await this.metrics.text(), await this.registry.metrics()];
    return texts.join('\n');
  }

  private async readDatabase(): Promise<void> {
    try {
      const [queues, emails, workers] = await withTimeout(
        TIMEOUT_MS,
        Promise.all([
          this.queues.list(),
          this.outgoing.countByState(),
          this.heartbeats.readState(),
        ]),
      );
      this.databaseUp.set(1);
      for (const { queue, waiting, delayed, oldestSeconds } of queues) {
        this.depths.set({ queue, state: 'waiting' }, waiting);
        this.depths.set({ queue, state: 'delayed' }, delayed);
        this.ages.set({ queue }, oldestSeconds);
      }
      this.emails.set({ state: 'waiting' }, emails.queued - emails.retrying);
      this.emails.set({ state: 'retrying' }, emails.retrying);
      this.emails.set({ state: 'failed' }, emails.failed);
      this.oldestEmail.set(emails.oldestWaitingSeconds ?? 0);
      this.workers.set(workers.running);
      this.lastWorker.set(workers.lastSeen ?? 0);
      // The database counts for all processes: its totals replace the previous ones.
      this.emailOutcomes.reset();
      for (const [outcome, count] of Object.entries(emails.totals)) {
        this.emailOutcomes.inc({ outcome }, count);
      }
    } catch (error) {
      this.logger.warn(`Metrics of the database are missing: ${String(error)}`);
      this.databaseUp.set(0);
      for (const labelled of [this.emails, this.emailOutcomes, this.depths, this.ages]) {
        labelled.reset();
      }
      for (const plain of [this.oldestEmail, this.workers, this.lastWorker]) plain.remove();
    }
  }

  private async readStorages(): Promise<void> {
    const volumes = await this.volumes.all();
    for (const storage of Object.keys(this.config.storages)) {
      const volume = volumes.get(storage);
      this.storageUp.set({ storage }, volume === undefined ? 0 : 1);
      if (volume === undefined) {
        this.storageSize.remove({ storage });
        this.storageFree.remove({ storage });
      } else {
        this.storageSize.set({ storage }, volume.bytesTotal);
        this.storageFree.set({ storage }, volume.bytesFree);
      }
    }
  }

  /** Without Redis by configuration there is nothing to be up. */
  private readRedis(): void {
    if (this.config.redis === null) this.redisUp.remove();
    else this.redisUp.set(this.jobQueues.some(({ client }) => client.status === 'ready') ? 1 : 0);
  }

  private gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
