import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../core/rate-limits/rate-limits.module.js';
import { IssuesModule } from '../workspace/issues/issues.module.js';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { ClientKeyCache } from './client-keys/client-key-cache.service.js';
import { ClientKeysController } from './client-keys/client-keys.controller.js';
import { ClientKeys } from './client-keys/client-keys.service.js';
import { CollectorLimits } from './collector/collector-limits.service.js';
import { CollectorController } from './collector/collector.controller.js';
import { EventIntake } from './collector/event-intake.service.js';
import { ReportReader } from './collector/report-reader.service.js';
import { ErrorRepositoriesModule } from './error-repositories.module.js';
import { ErrorChanges } from './errors/error-changes.service.js';
import { ErrorIssueController } from './errors/error-issue.controller.js';
import { ErrorIssues } from './errors/error-issues.service.js';
import { ErrorTrends } from './errors/error-trends.service.js';
import { ErrorsController } from './errors/errors.controller.js';
import { ErrorEventsController } from './events/error-events.controller.js';
import { EventLookupController } from './events/event-lookup.controller.js';
import { EventReading } from './events/event-reading.service.js';
import { ErrorBatchWriter } from './ingest/error-batch-writer.service.js';
import { ErrorGrouping } from './ingest/error-grouping.service.js';
import { ErrorIngest } from './ingest/error-ingest.service.js';
import { ErrorOutcomes } from './ingest/error-outcomes.service.js';
import { IngestMetrics } from './ingest/ingest-metrics.service.js';
import { ErrorChangePagesController } from './pages/errors/detail/error-change-pages.controller.js';
import { ErrorIssuePagesController } from './pages/errors/detail/error-issue-pages.controller.js';
import { ErrorPagesController } from './pages/errors/detail/error-pages.controller.js';
import { ErrorPageRenderer } from './pages/errors/detail/error-page-renderer.service.js';
import { EventPagesController } from './pages/errors/event/event-pages.controller.js';
import { ErrorListPagesController } from './pages/errors/list/error-list-pages.controller.js';
import { ErrorListings } from './pages/errors/list/error-listings.service.js';
import { TrackingStates } from './pages/errors/tracking-states.service.js';
import { LinkedErrors } from './pages/linked-errors.service.js';
import { ClientKeyPagesController } from './pages/settings/client-key-pages.controller.js';
import { ErrorSetUps } from './pages/settings/error-set-ups.service.js';
import { ErrorSettingsPagesController } from './pages/settings/error-settings-pages.controller.js';
import { TestEventPagesController } from './pages/settings/test-event-pages.controller.js';
import { TestEvents } from './pages/settings/test-events.service.js';
import { ErrorTrackingSettingsController } from './settings/error-tracking-settings.controller.js';
import { ErrorTrackingSettings } from './settings/error-tracking-settings.service.js';
import { ErrorUsageController } from './settings/error-usage.controller.js';
import { ErrorUsage } from './settings/error-usage.service.js';

/** Error tracking: settings and client keys, the collector of SDKs, errors, pages. */
@Module({
  imports: [ErrorRepositoriesModule, IssuesModule, ProjectsModule, RateLimitsModule],
  controllers: [
    CollectorController,
    ErrorsController,
    ErrorIssueController,
    ErrorEventsController,
    EventLookupController,
    ErrorListPagesController,
    ErrorChangePagesController,
    ErrorPagesController,
    ErrorIssuePagesController,
    EventPagesController,
    ClientKeyPagesController,
    ErrorSettingsPagesController,
    TestEventPagesController,
    ClientKeysController,
    ErrorTrackingSettingsController,
    ErrorUsageController,
  ],
  providers: [
    ClientKeyCache,
    ClientKeys,
    CollectorLimits,
    ErrorBatchWriter,
    ErrorChanges,
    ErrorGrouping,
    ErrorIngest,
    ErrorIssues,
    ErrorListings,
    ErrorOutcomes,
    ErrorSetUps,
    ErrorTrackingSettings,
    ErrorTrends,
    ErrorUsage,
    ErrorPageRenderer,
    EventIntake,
    EventReading,
    IngestMetrics,
    LinkedErrors,
    ReportReader,
    TestEvents,
    TrackingStates,
  ],
})
export class ErrorTrackingModule {}
