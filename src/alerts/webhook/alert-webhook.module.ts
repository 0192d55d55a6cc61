import { Module } from '@nestjs/common';
import { AlertIngestModule } from '../ingest/alert-ingest.module.js';

/** The addresses that monitoring tools post to. */
@Module({ imports: [AlertIngestModule] })
export class AlertWebhookModule {}
