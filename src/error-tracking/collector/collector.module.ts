import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../../core/rate-limits/rate-limits.module.js';
import { ErrorSourcesModule } from '../client-keys/error-sources.module.js';
import { ErrorIngestModule } from '../ingest/error-ingest.module.js';
import { CollectorLimits } from './collector-limits.service.js';
import { CollectorController } from './collector.controller.js';
import { EventIntake } from './event-intake.service.js';
import { ReportReader } from './report-reader.service.js';

/** The addresses that error SDKs post to. */
@Module({
  imports: [ErrorIngestModule, ErrorSourcesModule, RateLimitsModule],
  controllers: [CollectorController],
  providers: [CollectorLimits, EventIntake, ReportReader],
})
export class CollectorModule {}
