import { Module } from '@nestjs/common';
import { PushEventsModule } from './pushes/push-events.module.js';
import { ErasedAuthorsRepository } from './worker/anonymized-authors.repository.js';
import { ErasedAuthors } from './worker/anonymized-authors.service.js';
import { EventRetentionModule } from './worker/event-retention.module.js';
import { EventMaintenance } from './worker/event-maintenance.service.js';

/** Background tasks of events: partitions, retention, erasing events of deleted users. */
@Module({
  imports: [EventRetentionModule, PushEventsModule],
  providers: [ErasedAuthors, ErasedAuthorsRepository, EventMaintenance],
})
export class EventsWorkerModule {}
