import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { AlertIngestModule } from '../ingest/alert-ingest.module.js';
import { IntegrationLookupModule } from '../webhook/integration-lookup.module.js';
import { AlertIntegrationCallsController } from './calls/alert-integration-calls.controller.js';
import { AlertIntegrationsController } from './alert-integrations.controller.js';
import { AlertSettingsController } from './settings/alert-settings.controller.js';
import { AlertSettingsService } from './settings/alert-settings.service.js';
import { DeliveriesFinder } from './calls/deliveries-finder.service.js';
import { DeliveryReplay } from './calls/delivery-replay.service.js';
import { ExternalPaging } from './external-paging.service.js';
import { IntegrationChanges } from './integration-changes.service.js';
import { IntegrationCreation } from './integration-creation.service.js';
import { IntegrationTransactions } from './integration-transactions.service.js';
import { IntegrationsFinder } from './integrations-finder.service.js';
import { IntegrationsService } from './integrations.service.js';
import { TestAlerts } from './calls/test-alerts.service.js';

/** Integrations of a project, its alert settings, deliveries and test alerts. */
@Module({
  imports: [AlertIngestModule, IntegrationLookupModule, ProjectsModule],
  controllers: [
    AlertIntegrationsController,
    AlertIntegrationCallsController,
    AlertSettingsController,
  ],
  providers: [
    AlertSettingsService,
    DeliveriesFinder,
    DeliveryReplay,
    ExternalPaging,
    IntegrationChanges,
    IntegrationCreation,
    IntegrationTransactions,
    IntegrationsFinder,
    IntegrationsService,
    TestAlerts,
  ],
  exports: [
    AlertSettingsService,
    DeliveriesFinder,
    DeliveryReplay,
    IntegrationsService,
    TestAlerts,
  ],
})
export class AlertIntegrationsModule {}
