import { Module } from '@nestjs/common';
import { CollectorModule } from './collector/collector.module.js';
import { ErrorsModule } from './errors/errors.module.js';
import { ErrorEventsModule } from './events/error-events.module.js';
import { ErrorPagesModule } from './pages/error-pages.module.js';
import { ErrorTrackingSettingsModule } from './settings/error-tracking-settings.module.js';
import { ErrorUsageModule } from './settings/usage/error-usage.module.js';

/** Error tracking: settings and client keys, the collector of SDKs, errors, pages. */
@Module({
  imports: [
    CollectorModule,
    ErrorsModule,
    ErrorEventsModule,
    ErrorPagesModule,
    ErrorTrackingSettingsModule,
    ErrorUsageModule,
  ],
})
export class ErrorTrackingModule {}
