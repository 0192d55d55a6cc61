import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { DEFAULT_JOB_OPTIONS } from './queues.js';
import { redisOptions } from './redis-options.js';

/** Connects Bull to Redis for the process; feature modules register their queues by name. */
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
        defaultJobOptions: DEFAULT_JOB_OPTIONS,
      }),
    }),
  ],
})
export class QueueModule {}
