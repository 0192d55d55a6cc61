import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { Activity } from './activity.service.js';
import { EventsRepository } from './events.repository.js';
import { NoticeWakeUp } from './notice-wake-up.js';
import { NoticesRepository } from './notices.repository.js';

/** Recording events: nearly everything that people do leaves one, so it is there for all. */
@Global()
@Module({
  imports: [BullModule.registerQueue({ name: QUEUES.notices })],
  providers: [Activity, EventsRepository, NoticesRepository, NoticeWakeUp],
  exports: [Activity, EventsRepository, NoticesRepository],
})
export class ActivityModule {}
