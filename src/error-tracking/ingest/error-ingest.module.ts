import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../error-repositories.module.js';
import { ErrorBatchWriter } from './error-batch-writer.service.js';
import { ErrorGrouping } from './error-grouping.service.js';
import { ErrorIngest } from './error-ingest.service.js';
import { ErrorOutcomes } from './error-outcomes.service.js';
import { IngestMetrics } from './ingest-metrics.service.js';

/** Storing what programs reported: the one way into the tables of errors. */
@Module({
  imports: [ErrorRepositoriesModule],
  providers: [ErrorBatchWriter, ErrorGrouping, ErrorIngest, ErrorOutcomes, IngestMetrics],
  exports: [ErrorIngest, ErrorOutcomes],
})
export class ErrorIngestModule {}
