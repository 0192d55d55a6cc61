import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from './error-repositories.module.js';
import { ErrorPartitions } from './worker/error-partitions.service.js';
import { ErrorPruning } from './worker/error-pruning.service.js';
import { ErrorMaintenance } from './worker/error-maintenance.service.js';
import { EventSampling } from './worker/event-sampling.service.js';
import { ErrorRetention } from './worker/error-retention.service.js';

/** Background tasks of error tracking: event partitions and retention. */
@Module({
  imports: [ErrorRepositoriesModule],
  providers: [ErrorPartitions, ErrorPruning, ErrorMaintenance, EventSampling, ErrorRetention],
})
export class ErrorTrackingWorkerModule {}
