import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { AlertRepositoriesModule } from '../alert-repositories.module.js';
import { AlertIngestModule } from '../ingest/alert-ingest.module.js';
import { IntegrationLookupModule } from '../webhook/integration-lookup.module.js';
import { AlertIntegrationCallsController } from './calls/alert-integration-calls.controller.js';
import { AlertIntegrationsController } from './alert-integrations.controller.js';
import { AlertSettingsController } from './settings/alert-settings.controller.js';
import { AlertSettingsService } from './settings/alert-settings.service.js';
import { DeliveryReplay } from './calls/delivery-replay.service.js';
import { ExternalPaging } from './external-paging.service.js';
import { IntegrationsService } from './integrations.service.js';
import { TestAlerts } from './calls/test-alerts.service.js';

/** Integrations of a project, its alert settings, deliveries and test alerts. */
@Module({
  imports: [AlertIngestModule, AlertRepositoriesModule, IntegrationLookupModule, ProjectsModule],
  controllers: [
    AlertIntegrationsController,
    AlertIntegrationCallsController,
    AlertSettingsController,
  ],
  providers: [
    AlertSettingsService,
    DeliveryReplay,
    ExternalPaging,
    IntegrationsService,
    TestAlerts,
  ],
  exports: [AlertSettingsService, DeliveryReplay, IntegrationsService, TestAlerts],
})
export class AlertIntegrationsModule {}
