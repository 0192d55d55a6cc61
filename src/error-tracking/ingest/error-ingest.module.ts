import { Module } from '@nestjs/common';
import { ErrorBatchWriter } from './error-batch-writer.service.js';
import { ErrorIngest } from './error-ingest.service.js';
import { ErrorOutcomes } from './error-outcomes.service.js';
import { IngestMetrics } from './ingest-metrics.service.js';

/** Storing what programs reported: the one way into the tables of errors. */
@Module({
  providers: [ErrorBatchWriter, ErrorIngest, ErrorOutcomes, IngestMetrics],
  exports: [ErrorIngest, ErrorOutcomes],
})
export class ErrorIngestModule {}
