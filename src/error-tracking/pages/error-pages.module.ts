import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../error-repositories.module.js';
import { IssuePagesModule } from '../../issues/pages/issue-pages.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ErrorSourcesModule } from '../client-keys/error-sources.module.js';
import { ErrorsModule } from '../errors/errors.module.js';
import { ErrorEventsModule } from '../events/error-events.module.js';
import { ErrorIngestModule } from '../ingest/error-ingest.module.js';
import { ErrorTrackingSettingsModule } from '../settings/error-tracking-settings.module.js';
import { ErrorUsageModule } from '../settings/usage/error-usage.module.js';
import { ErrorChangePagesController } from './errors/detail/error-change-pages.controller.js';
import { ErrorIssuePagesController } from './errors/detail/error-issue-pages.controller.js';
import { ErrorPagesController } from './errors/detail/error-pages.controller.js';
import { ErrorViews } from './errors/detail/error-views.service.js';
import { EventPagesController } from './errors/event/event-pages.controller.js';
import { ErrorListPagesController } from './errors/list/error-list-pages.controller.js';
import { ErrorListings } from './errors/list/error-listings.service.js';
import { TrackingStates } from './errors/tracking-states.service.js';
import { LinkedErrors } from './linked-errors.service.js';
import { ClientKeyPagesController } from './settings/client-key-pages.controller.js';
import { ErrorSetUps } from './settings/error-set-ups.service.js';
import { ErrorSettingsPagesController } from './settings/error-settings-pages.controller.js';
import { TestEventPagesController } from './settings/test-event-pages.controller.js';
import { TestEvents } from './settings/test-events.service.js';

/** Pages of errors. */
@Module({
  imports: [
    ErrorRepositoriesModule,
    ErrorEventsModule,
    ErrorIngestModule,
    ErrorSourcesModule,
    ErrorTrackingSettingsModule,
    ErrorUsageModule,
    ErrorsModule,
    IssuePagesModule,
    ProjectsModule,
  ],
  controllers: [
    ErrorListPagesController,
    ErrorChangePagesController,
    ErrorPagesController,
    ErrorIssuePagesController,
    EventPagesController,
    ClientKeyPagesController,
    ErrorSettingsPagesController,
    TestEventPagesController,
  ],
  providers: [ErrorListings, ErrorSetUps, ErrorViews, LinkedErrors, TestEvents, TrackingStates],
})
export class ErrorPagesModule {}
