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
import { ErrorStatusService } from './errors/error-status.service.js';
import { ErrorsController } from './errors/errors.controller.js';
import { ErrorIssues } from './errors/error-issues.service.js';
import { ErrorTrends } from './errors/error-trends.service.js';
import { ErrorEventsController } from './events/error-events.controller.js';
import { EventReading } from './events/event-reading.service.js';
import { ErrorBatchWriter } from './ingest/error-batch-writer.service.js';
import { ErrorGrouping } from './ingest/error-grouping.service.js';
import { ErrorIngest, IngestMetrics } from './ingest/error-ingest.service.js';
import { ErrorOutcomes } from './ingest/error-outcomes.service.js';
import { ErrorTransitions } from './ingest/error-transitions.service.js';
import { MergedTotals } from './ingest/merged-totals.service.js';
import { ErrorMerges } from './merges/error-merges.service.js';
import { ErrorMergesController } from './merges/error-merges.controller.js';
import { ErrorPagesController } from './pages/errors/detail/error-pages.controller.js';
import { ErrorPageRenderer } from './pages/errors/detail/error-page-renderer.service.js';
import { EventPagesController } from './pages/errors/event/event-pages.controller.js';
import { ErrorMergePagesController } from './pages/errors/detail/error-merge-pages.controller.js';
import { ErrorListPagesController } from './pages/errors/list/error-list-pages.controller.js';
import { ErrorListings } from './pages/errors/list/error-listings.service.js';
import { LinkedErrors } from './pages/linked-errors.service.js';
import { ErrorSettingsPagesController } from './pages/settings/error-settings-pages.controller.js';
import { TestEvents } from './pages/settings/test-events.service.js';
import { ErrorTrackingSettingsController } from './settings/error-tracking-settings.controller.js';
import { ErrorTrackingSettings } from './settings/error-tracking-settings.service.js';
import { ErrorUsage } from './settings/error-usage.service.js';

/** Error tracking: settings and client keys, the collector of SDKs, errors, pages. */
@Module({
  imports: [ErrorRepositoriesModule, IssuesModule, ProjectsModule, RateLimitsModule],
  controllers: [
    CollectorController,
    ErrorsController,
    ErrorEventsController,
    ErrorListPagesController,
    ErrorMergesController,
    ErrorMergePagesController,
    ErrorPagesController,
    EventPagesController,
    ErrorSettingsPagesController,
    ClientKeysController,
    ErrorTrackingSettingsController,
  ],
  providers: [
    ClientKeyCache,
    ClientKeys,
    CollectorLimits,
    ErrorBatchWriter,
    ErrorStatusService,
    MergedTotals,
    ErrorGrouping,
    ErrorIngest,
    ErrorIssues,
    ErrorListings,
    ErrorMerges,
    ErrorOutcomes,
    ErrorTrackingSettings,
    ErrorTransitions,
    ErrorTrends,
    ErrorUsage,
    ErrorPageRenderer,
    EventIntake,
    EventReading,
    IngestMetrics,
    LinkedErrors,
    ReportReader,
    TestEvents,
  ],
})
export class ErrorTrackingModule {}
