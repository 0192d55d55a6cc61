import { Module } from '@nestjs/common';
import { PushEventsModule } from './pushes/push-events.module.js';
import { AnonymizedAuthorsRepository } from './worker/anonymized-authors.repository.js';
import { AnonymizedAuthors } from './worker/anonymized-authors.service.js';
import { EventRetentionRepository } from './worker/event-retention.repository.js';
import {
  EventAge,
  EventMaintenance,
  EventPartitions,
  EventPruning,
} from './worker/event-retention.service.js';

/** Partitions of events and how long they are kept; the command line has it, too. */
@Module({
  providers: [EventAge, EventPartitions, EventPruning, EventRetentionRepository],
  exports: [EventPartitions, EventPruning],
})
export class EventRetentionModule {}

/** Background tasks of events: partitions, retention, erasing events of deleted users. */
@Module({
  imports: [EventRetentionModule, PushEventsModule],
  providers: [AnonymizedAuthors, AnonymizedAuthorsRepository, EventMaintenance],
})
export class EventsWorkerModule {}
