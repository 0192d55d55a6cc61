import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from './error-repositories.module.js';
import {
  ErrorMaintenance,
  ErrorPartitions,
  ErrorRetention,
} from './worker/error-maintenance.service.js';

/** Partitions of events and retention; the command line has it, too. */
@Module({
  imports: [ErrorRepositoriesModule],
  providers: [ErrorPartitions, ErrorRetention],
  exports: [ErrorPartitions, ErrorRetention],
})
export class ErrorRetentionModule {}

/** Background tasks of error tracking: event partitions and retention. */
@Module({
  imports: [ErrorRepositoriesModule, ErrorRetentionModule],
  providers: [ErrorMaintenance],
})
export class ErrorTrackingWorkerModule {}
