import { BullModule, getQueueToken } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import type { Queue } from 'bull';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { ALL_QUEUES, JobQueue } from './job-queue.service.js';
import { JOB_OPTIONS, QUEUE_SETTINGS, QUEUES } from './queues.js';
import { redisOptions } from '../../config/services.js';

const NAMES = Object.values(QUEUES);

const ALL_QUEUES_PROVIDER = {
  provide: ALL_QUEUES,
  inject: NAMES.map((name) => getQueueToken(name)),
  useFactory: (...queues: Queue[]) => queues,
};

/**
 * Work that outlives its request: rows that a transaction writes, jobs that wake a worker after the
 * commit. The worker process adds DurableWorker, which runs it.
 */
@Global()
@Module({
  imports: [
    BullModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        prefix: config.queuePrefix,
        redis: {
          ...redisOptions(config),
          maxRetriesPerRequest: null,
          enableReadyCheck: false,
        },
        settings: QUEUE_SETTINGS,
      }),
    }),
    BullModule.registerQueue(
      ...NAMES.map((name) => ({ name, defaultJobOptions: JOB_OPTIONS[name] })),
    ),
  ],
  providers: [ALL_QUEUES_PROVIDER, JobQueue],
  exports: [ALL_QUEUES, BullModule, JobQueue],
})
export class DurableWorkModule {}
