import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ErrorSourcesModule } from '../client-keys/error-sources.module.js';
import { ErrorIngestModule } from '../ingest/error-ingest.module.js';
import { ErrorTrackingSettingsModule } from '../settings/error-tracking-settings.module.js';
import { ErrorUsageModule } from '../settings/usage/error-usage.module.js';
import { ClientKeyPagesController } from './settings/client-key-pages.controller.js';
import { ErrorSetUps } from './settings/error-set-ups.service.js';
import { ErrorSettingsPagesController } from './settings/error-settings-pages.controller.js';
import { TestEventPagesController } from './settings/test-event-pages.controller.js';
import { TestEvents } from './settings/test-events.service.js';

/** Pages of errors. */
@Module({
  imports: [
    ErrorIngestModule,
    ErrorSourcesModule,
    ErrorTrackingSettingsModule,
    ErrorUsageModule,
    ProjectsModule,
  ],
  controllers: [ClientKeyPagesController, ErrorSettingsPagesController, TestEventPagesController],
  providers: [ErrorSetUps, TestEvents],
})
export class ErrorPagesModule {}
