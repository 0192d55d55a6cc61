import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../../core/rate-limits/rate-limits.module.js';
import { AlertRepositoriesModule } from '../alert-repositories.module.js';
import { AlertIngestModule } from '../ingest/alert-ingest.module.js';
import { IntegrationLookupModule } from './integration-lookup.module.js';
import { ProjectDisclosure } from './project-disclosure.service.js';
import { WebhookHandler } from './webhook.handler.js';
import { WebhookLimits } from './webhook-limits.service.js';

/** The addresses that monitoring tools post to. */
@Module({
  imports: [AlertIngestModule, AlertRepositoriesModule, IntegrationLookupModule, RateLimitsModule],
  providers: [ProjectDisclosure, WebhookHandler, WebhookLimits],
})
export class AlertWebhookModule {}
