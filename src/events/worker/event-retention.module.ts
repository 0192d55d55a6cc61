import { Module } from '@nestjs/common';
import { EventAge } from './event-age.service.js';
import { EventPartitions } from './event-partitions.service.js';
import { EventPruning } from './event-pruning.service.js';
import { EventRetentionRepository } from './event-retention.repository.js';

/** Partitions of events and how long they are kept; the command line has it, too. */
@Module({
  providers: [EventAge, EventPartitions, EventPruning, EventRetentionRepository],
  exports: [EventPartitions, EventPruning],
})
export class EventRetentionModule {}
