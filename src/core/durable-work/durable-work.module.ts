import { BullModule, getQueueToken } from '@nestjs/bull';
import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue, QueueOptions } from 'bull';
import type { Cluster, Redis } from 'ioredis';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { createRedis, redisOptions } from '../redis.js';
import { ALL_QUEUES, JobQueue } from './job-queue.service.js';
import { JOB_OPTIONS, QUEUE_SETTINGS, QUEUES } from './queues.js';

const NAMES = Object.values(QUEUES);

const ALL_QUEUES_PROVIDER = {
  provide: ALL_QUEUES,
  inject: NAMES.map((name) => getQueueToken(name)),
  useFactory: (...queues: Queue[]) => queues,
};

/** Bull's blocking connections allow no bound of retries and no ready check. */
const CONNECTION = { maxRetriesPerRequest: null, enableReadyCheck: false };

/** The connections to a cluster: Bull closes only those that it opens itself. */
export class ClusterConnections {
  private readonly clients: (Redis | Cluster)[] = [];

  /** Returns the options of all queues for what REDIS_URL names. */
  queueOptions({ queuePrefix, redis }: Config): QueueOptions {
    const shared = { prefix: queuePrefix, settings: QUEUE_SETTINGS };
    if (redis !== null && redis.kind !== 'cluster') {
      return { ...shared, redis: { ...redisOptions(redis), ...CONNECTION } };
    }
    const createClient = (): Redis | Cluster => {
      const client = createRedis(redis, CONNECTION);
      if (redis !== null) this.clients.push(client);
      return client;
    };
    return { ...shared, createClient };
  }

  close(): void {
    for (const client of this.clients) client.disconnect();
  }
}

@Module({ providers: [ClusterConnections], exports: [ClusterConnections] })
class ClusterConnectionsModule {}

/** Closes the connections to a cluster when no queue needs them any longer. */
@Injectable()
class QueueShutdown implements OnApplicationShutdown {
  constructor(
    @Inject(ALL_QUEUES) private readonly queues: readonly Queue[],
    private readonly connections: ClusterConnections,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.queues.map((queue) => queue.close()));
    this.connections.close();
  }
}

/**
 * Work that outlives its request: rows that a transaction writes, jobs that wake a worker after the
 * commit. The worker process adds DurableWorker, which runs it.
 */
@Global()
@Module({
  imports: [
    BullModule.forRootAsync({
      imports: [ClusterConnectionsModule],
      inject: [ClusterConnections, CONFIG],
      useFactory: (connections: ClusterConnections, config: Config) =>
        connections.queueOptions(config),
    }),
    ClusterConnectionsModule,
    BullModule.registerQueue(
      ...NAMES.map((name) => ({ name, defaultJobOptions: JOB_OPTIONS[name] })),
    ),
  ],
  providers: [ALL_QUEUES_PROVIDER, JobQueue, QueueShutdown],
  exports: [ALL_QUEUES, BullModule, JobQueue],
})
export class DurableWorkModule {}
