import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../../core/rate-limits/rate-limits.module.js';
import { ErrorSourcesModule } from '../client-keys/error-sources.module.js';
import { ErrorIngestModule } from '../ingest/error-ingest.module.js';
import { CollectorLimits } from './collector-limits.service.js';
import { CollectorHandler } from './collector.handler.js';
import { EventIntake } from './event-intake.service.js';

/** The addresses that error SDKs post to. */
@Module({
  imports: [ErrorIngestModule, ErrorSourcesModule, RateLimitsModule],
  providers: [CollectorHandler, CollectorLimits, EventIntake],
})
export class CollectorModule {}
