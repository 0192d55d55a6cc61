import { Module } from '@nestjs/common';
import { AlertIntegrationsModule } from './integrations/alert-integrations.module.js';
import { AlertManagementModule } from './management/alert-management.module.js';
import { AlertPagesModule } from './pages/alert-pages.module.js';
import { AlertWebhookModule } from './webhook/alert-webhook.module.js';

/** Alerts: integrations, their webhook, what people do about alerts, pages. */
@Module({
  imports: [AlertIntegrationsModule, AlertManagementModule, AlertPagesModule, AlertWebhookModule],
})
export class AlertsModule {}
