import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../core/rate-limits/rate-limits.module.js';
import { GitModule } from '../git/git.module.js';
import { IssuesModule } from '../workspace/issues/issues.module.js';
import { NotesModule } from '../workspace/notes/notes.module.js';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { AlertBot } from '../identity/users/alert-bot.service.js';
import { UserRepositoriesModule } from '../identity/users/user-repositories.module.js';
import { AlertIncidents } from './alert-incidents.service.js';
import { AlertsController } from './alerts.controller.js';
import { AlertIntegrationsController } from './integrations/alert-integrations.controller.js';
import { AcknowledgePageController } from './pages/alert/acknowledge-page.controller.js';
import { AlertPagesController } from './pages/alert/alert-pages.controller.js';
import { AlertRepositoriesModule } from './alert-repositories.module.js';
import { IssueTemplates } from './incidents/issue-templates.service.js';
import { AlertBatchWriter, AlertIngest } from './ingest/alert-ingest.service.js';
import { DeliveryLog } from './ingest/delivery-log.service.js';
import { TestAlerts } from './integrations/test-alerts.service.js';
import { ExternalPaging } from './integrations/external-paging.service.js';
import { IntegrationsService } from './integrations/integrations.service.js';
import { AlertSettingsController } from './integrations/alert-settings.controller.js';
import { AlertSettingsService } from './integrations/alert-settings.service.js';
import { AlertsService } from './alerts.service.js';
import { AlertNotes } from './alert-notes.service.js';
import { AlertPageRenderer } from './pages/alert/alert-page-renderer.service.js';
import { AlertSettingsPagesController } from './pages/integrations/alert-settings-pages.controller.js';
import { DeliveryPagesController } from './pages/integrations/delivery-pages.controller.js';
import { IntegrationPagesController } from './pages/integrations/integration-pages.controller.js';
import { MappingPagesController } from './pages/integrations/mapping-pages.controller.js';
import { TestAlertPagesController } from './pages/integrations/test-alert-pages.controller.js';
import { LinkedAlerts } from './pages/linked-alerts.js';
import { SilencePagesController } from './pages/silences/silence-pages.controller.js';
import { AlertListPagesController } from './pages/list/alert-list-pages.controller.js';
import { AlertListings, AlertActivity } from './pages/list/alert-listings.service.js';
import { AlertSilencesController } from './silences/alert-silences.controller.js';
import { AlertSilences } from './silences/alert-silences.service.js';
import { AlertWebhookController, WebhookAdmission } from './webhook/alert-webhook.controller.js';
import { IntegrationLookup } from './webhook/integration-lookup.service.js';

/** Alerts: integrations, their webhook, what people do about alerts, pages. */
@Module({
  imports: [
    AlertRepositoriesModule,
    GitModule,
    IssuesModule,
    NotesModule,
    ProjectsModule,
    RateLimitsModule,
    UserRepositoriesModule,
  ],
  controllers: [
    AlertIntegrationsController,
    AlertSettingsController,
    AlertSilencesController,
    AlertsController,
    AlertListPagesController,
    AcknowledgePageController,
    SilencePagesController,
    AlertPagesController,
    AlertSettingsPagesController,
    IntegrationPagesController,
    MappingPagesController,
    TestAlertPagesController,
    DeliveryPagesController,
    AlertWebhookController,
  ],
  providers: [
    AlertActivity,
    AlertBatchWriter,
    AlertBot,
    AlertsService,
    AlertIncidents,
    AlertIngest,
    AlertListings,
    AlertNotes,
    AlertSettingsService,
    AlertSilences,
    AlertPageRenderer,
    DeliveryLog,
    ExternalPaging,
    IntegrationLookup,
    IntegrationsService,
    IssueTemplates,
    LinkedAlerts,
    TestAlerts,
    WebhookAdmission,
  ],
})
export class AlertsModule {}
