import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from './error-repositories.module.js';
import { ErrorPartitions } from './worker/error-partitions.service.js';
import { ErrorMaintenance } from './worker/error-maintenance.service.js';
import { ErrorRetention } from './worker/error-retention.service.js';

/** Background tasks of error tracking: event partitions and retention. */
@Module({
  imports: [ErrorRepositoriesModule],
  providers: [ErrorMaintenance, ErrorPartitions, ErrorRetention],
})
export class ErrorTrackingWorkerModule {}
