import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { Activity } from './activity.service.js';
import { NoticeWakeUp } from './notice-wake-up.js';

/** Recording events: nearly everything that people do leaves one, so it is there for all. */
@Global()
@Module({
  imports: [BullModule.registerQueue({ name: QUEUES.notices })],
  providers: [Activity, NoticeWakeUp],
  exports: [Activity],
})
export class ActivityModule {}
