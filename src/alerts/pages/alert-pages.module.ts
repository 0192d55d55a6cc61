import { Module } from '@nestjs/common';
import { IssuePagesModule } from '../../issues/pages/issue-pages.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { AlertIntegrationsModule } from '../integrations/alert-integrations.module.js';
import { AlertManagementModule } from '../management/alert-management.module.js';
import { AlertChangePagesController } from './alert/alert-change-pages.controller.js';
import { AlertIncidentPagesController } from './alert/alert-incident-pages.controller.js';
import { AlertListPagesController } from './list/alert-list-pages.controller.js';
import { AlertListings } from './list/alert-listings.service.js';
import { AlertPagesController } from './alert/alert-pages.controller.js';
import { AlertSettingsPagesController } from './integrations/alert-settings-pages.controller.js';
import { AlertViews } from './alert/alert-views.service.js';
import { DeliveryPagesController } from './integrations/delivery-pages.controller.js';
import { IntegrationPagesController } from './integrations/integration-pages.controller.js';
import { LinkedAlerts } from './linked-alerts.service.js';
import { AlertRepositoriesModule } from '../alert-repositories.module.js';
import { MappingPagesController } from './integrations/mapping-pages.controller.js';
import { TestAlertPagesController } from './integrations/test-alert-pages.controller.js';

/** Pages about alerts and integrations. */
@Module({
  imports: [
    AlertIntegrationsModule,
    AlertManagementModule,
    AlertRepositoriesModule,
    IssuePagesModule,
    ProjectsModule,
  ],
  controllers: [
    AlertListPagesController,
    AlertPagesController,
    AlertChangePagesController,
    AlertIncidentPagesController,
    AlertSettingsPagesController,
    IntegrationPagesController,
    MappingPagesController,
    TestAlertPagesController,
    DeliveryPagesController,
  ],
  providers: [AlertListings, AlertViews, LinkedAlerts],
})
export class AlertPagesModule {}
