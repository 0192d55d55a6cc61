import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { IntegrationLookup } from './integration-lookup.service.js';
import { WebhookReads } from './webhook-reads.service.js';

/** What webhooks remember of integrations, for whoever changes one. */
@Module({
  imports: [ProjectsModule],
  providers: [IntegrationLookup, WebhookReads],
  exports: [IntegrationLookup],
})
export class IntegrationLookupModule {}
