import { Global, Module } from '@nestjs/common';
import { Activity } from './activity.service.js';
import { EventsRepository } from './events.repository.js';
import { NotificationsRepository } from './notifications.repository.js';

/** Recording events: nearly everything that people do leaves one, so it is there for all. */
@Global()
@Module({
  providers: [Activity, EventsRepository, NotificationsRepository],
  exports: [Activity, EventsRepository, NotificationsRepository],
})
export class ActivityModule {}
