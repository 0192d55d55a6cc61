import { Module } from '@nestjs/common';
import { IssuePagesModule } from '../../issues/pages/issue-pages.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { AlertIntegrationsModule } from '../integrations/alert-integrations.module.js';
import { AlertManagementModule } from '../management/alert-management.module.js';
import { AlertChangePagesController } from './alert-change-pages.controller.js';
import { AlertIncidentPagesController } from './alert-incident-pages.controller.js';
import { AlertListPagesController } from './alert-list-pages.controller.js';
import { AlertListings } from './alert-listings.service.js';
import { AlertPagesController } from './alert-pages.controller.js';
import { AlertSettingsPagesController } from './alert-settings-pages.controller.js';
import { AlertViews } from './alert-views.service.js';
import { AssignablePeople } from './assignable-people.service.js';
import { DeliveryPagesController } from './delivery-pages.controller.js';
import { IntegrationPagesController } from './integration-pages.controller.js';
import { LinkedAlerts } from './linked-alerts.service.js';
import { ListedIntegrations } from './listed-integrations.service.js';
import { MappingPagesController } from './mapping-pages.controller.js';
import { TestAlertPagesController } from './test-alert-pages.controller.js';

/** Pages about alerts and integrations. */
@Module({
  imports: [AlertIntegrationsModule, AlertManagementModule, IssuePagesModule, ProjectsModule],
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
  providers: [AlertListings, AlertViews, AssignablePeople, LinkedAlerts, ListedIntegrations],
})
export class AlertPagesModule {}
