import { Module } from '@nestjs/common';
import { CodeModule } from '../repository/code.module.js';
import { CommitStatusesModule } from '../commit-statuses/commit-statuses.module.js';
import { RateLimitsModule } from '../../core/rate-limits/rate-limits.module.js';
import { GitModule } from '../../git/git.module.js';
import { IssuesModule } from '../../workspace/issues/issues.module.js';
import { LabelsModule } from '../../workspace/labels/labels.module.js';
import { MilestonesModule } from '../../workspace/milestones/milestones.module.js';
import { NotesModule } from '../../workspace/notes/notes.module.js';
import { SpamModule } from '../../workspace/spam/spam.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { AutoMerges, AutoMergeTrigger } from './auto-merges.service.js';
import { AutoMergesRepository } from './auto-merges.repository.js';
import { MergeRecords } from './merge-records.service.js';
import { MergeRequestBranches } from './merge-request-branches.service.js';
import { MergeRequestQuickActions } from './merge-request-quick-actions.service.js';
import { MergeRequestContentsController } from './merge-request-contents.controller.js';
import { MergeRequestContents } from './merge-request-contents.service.js';
import { MergeRequestMerging } from './merge-request-merging.service.js';
import { MergeRequestNotesController } from './merge-request-notes.controller.js';
import { MergeRequestNotesService } from './merge-request-notes.service.js';
import { MergeRequestPeopleRepository } from './merge-request-people.repository.js';
import { MergeRequestPushListener } from './merge-request-push-listener.service.js';
import { MergeRequestPushOptions } from './merge-request-push-options.service.js';
import { MergeRequestPushesRepository } from './merge-request-pushes.repository.js';
import { MergeRequestSubscriptionsController } from './merge-request-subscriptions.controller.js';
import { MergeRequestUpdateService } from './merge-request-update.service.js';
import { MergeRequestDetailsService } from './merge-request-details.service.js';
import { MergeRequestsController } from './merge-requests.controller.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import { MergeRequestsService } from './merge-requests.service.js';
import { MergePagesController } from './pages/merge-pages.controller.js';
import { MergePreview } from './pages/merge-preview.service.js';
import { MergeRequestEditPagesController } from './pages/merge-request-edit-pages.controller.js';
import { MergeRequestListPagesController } from './pages/merge-request-list-pages.controller.js';
import { MergeRequestNotePagesController } from './pages/merge-request-note-pages.controller.js';
import { MergeRequestSuggestionPagesController } from './pages/merge-request-suggestion-pages.controller.js';
import { MergeRequestPagesController } from './pages/merge-request-pages.controller.js';
import { NewMergeRequestPagesController } from './pages/new-merge-request-pages.controller.js';
import { MergeRequestPageRenderer } from './pages/merge-request-page-renderer.service.js';
import { PushedMergeRequests } from './pushed-merge-requests.service.js';

/** Merge requests of projects, their API and pages. */
@Module({
  imports: [
    CodeModule,
    CommitStatusesModule,
    GitModule,
    IssuesModule,
    LabelsModule,
    MilestonesModule,
    NotesModule,
    SpamModule,
    ProjectsModule,
    RateLimitsModule,
  ],
  controllers: [
    MergeRequestListPagesController,
    MergeRequestSuggestionPagesController,
    NewMergeRequestPagesController,
    MergeRequestEditPagesController,
    MergePagesController,
    MergeRequestNotePagesController,
    MergeRequestPagesController,
    MergeRequestsController,
    MergeRequestContentsController,
    MergeRequestNotesController,
    MergeRequestSubscriptionsController,
  ],
  providers: [
    AutoMergeTrigger,
    AutoMerges,
    AutoMergesRepository,
    MergePreview,
    MergeRecords,
    MergeRequestBranches,
    MergeRequestQuickActions,
    MergeRequestContents,
    MergeRequestMerging,
    MergeRequestNotesService,
    MergeRequestPeopleRepository,
    MergeRequestPushListener,
    MergeRequestPushOptions,
    MergeRequestPushesRepository,
    MergeRequestUpdateService,
    MergeRequestDetailsService,
    MergeRequestsRepository,
    MergeRequestsService,
    PushedMergeRequests,
    MergeRequestPageRenderer,
  ],
  exports: [MergeRequestsRepository],
})
export class MergeRequestsModule {}
