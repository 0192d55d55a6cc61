import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../../core/rate-limits/rate-limits.module.js';
import { AlertIngestModule } from '../ingest/alert-ingest.module.js';
import { AlertWebhookController } from './alert-webhook.controller.js';
import { IntegrationLookupModule } from './integration-lookup.module.js';
import { WebhookAdmission } from './webhook-admission.service.js';

/** The addresses that monitoring tools post to. */
@Module({
  imports: [AlertIngestModule, IntegrationLookupModule, RateLimitsModule],
  controllers: [AlertWebhookController],
  providers: [WebhookAdmission],
})
export class AlertWebhookModule {}
