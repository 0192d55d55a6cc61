import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { PushEvents } from './pushes/push-events.service.js';
import { WikiEvents } from './pushes/wiki-events.service.js';
import { WikiPagesRepository } from './wiki-pages.repository.js';
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

/**
 * Background tasks of events: partitions, retention, erasing events of deleted users, and the events
 * of pushes that dead processes left unrecorded.
 */
@Module({
  imports: [EventRetentionModule, GitModule],
  providers: [
    AnonymizedAuthors,
    AnonymizedAuthorsRepository,
    EventMaintenance,
    PushEvents,
    WikiEvents,
    WikiPagesRepository,
  ],
})
export class EventsWorkerModule {}
