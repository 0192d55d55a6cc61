import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../core/rate-limits/rate-limits.module.js';
import { CodeModule } from '../code/code.module.js';
import { CommitStatusesModule } from '../commit-statuses/commit-statuses.module.js';
import { GitModule } from '../git/git.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { AutoMergeTrigger } from './auto-merge-trigger.service.js';
import { AutoMerges } from './auto-merges.service.js';
import { HeadPipelines } from './head-pipelines.service.js';
import { MergeRequestRefs } from './merge-request-refs.service.js';
import { MergeRequestAutoMergesController } from './merge-request-auto-merges.controller.js';
import { MergeRequestBranches } from './merge-request-branches.service.js';
import { MergeRequestChangesService } from './merge-request-changes.service.js';
import { MergeRequestCommands } from './merge-request-commands.service.js';
import { MergeRequestContents } from './merge-request-contents.service.js';
import { MergeRequestContentsController } from './merge-request-contents.controller.js';
import { MergeRequestCreationService } from './merge-request-creation.service.js';
import { MergeRequestDeletionService } from './merge-request-deletion.service.js';
import { MergeRequestMerging } from './merge-request-merging.service.js';
import { MergeRequestNotesController } from './merge-request-notes.controller.js';
import { MergeRequestNotesService } from './merge-request-notes.service.js';
import { MergeRequestPushOptions } from './merge-request-push-options.service.js';
import { MergeRequestPushesModule } from './merge-request-pushes.module.js';
import { MergeRequestStates } from './merge-request-states.service.js';
import { MergeRequestSubscriptionsController } from './merge-request-subscriptions.controller.js';
import { MergeRequestSubscriptions } from './merge-request-subscriptions.service.js';
import { MergeRequestUpdateService } from './merge-request-update.service.js';
import { MergeRequestViews } from './merge-request-views.service.js';
import { MergeRequestsController } from './merge-requests.controller.js';
import { MergeRequestsFinder } from './merge-requests-finder.service.js';
import { MentionsModule } from '../mentions/mentions.module.js';
import { MilestonesModule } from '../milestones/milestones.module.js';
import { MilestoneMergeRequestsController } from './milestone-merge-requests.controller.js';
import { PushedMergeRequestCreation } from './pushed-merge-request-creation.service.js';
import { PushedMergeRequests } from './pushed-merge-requests.service.js';
import { MergeabilityService } from './mergeability.service.js';
import { ProjectMergeRequestChangesController } from './project-merge-request-changes.controller.js';
import { ProjectMergeRequestsController } from './project-merge-requests.controller.js';

/** Merge requests of projects. */
@Module({
  imports: [
    CodeModule,
    CommitStatusesModule,
    GitModule,
    IssuesModule,
    MergeRequestPushesModule,
    MentionsModule,
    MilestonesModule,
    NotesModule,
    SpamModule,
    ProjectsModule,
    RateLimitsModule,
    SubscriptionsModule,
  ],
  controllers: [
    MergeRequestsController,
    ProjectMergeRequestsController,
    ProjectMergeRequestChangesController,
    MergeRequestAutoMergesController,
    MergeRequestContentsController,
    MergeRequestNotesController,
    MergeRequestSubscriptionsController,
    MilestoneMergeRequestsController,
  ],
  providers: [
    AutoMergeTrigger,
    AutoMerges,
    HeadPipelines,
    MergeRequestRefs,
    MergeRequestBranches,
    MergeRequestChangesService,
    MergeRequestCommands,
    MergeRequestContents,
    MergeRequestCreationService,
    MergeRequestDeletionService,
    MergeRequestMerging,
    MergeRequestNotesService,
    MergeRequestPushOptions,
    MergeRequestStates,
    MergeRequestSubscriptions,
    MergeRequestUpdateService,
    MergeRequestViews,
    MergeRequestsFinder,
    MergeabilityService,
    PushedMergeRequestCreation,
    PushedMergeRequests,
  ],
  exports: [
    AutoMerges,
    MergeRequestBranches,
    MergeRequestChangesService,
    MergeRequestContents,
    MergeRequestMerging,
    MergeRequestNotesService,
    MergeRequestSubscriptions,
    MergeRequestViews,
    MergeRequestsFinder,
    MergeabilityService,
  ],
})
export class MergeRequestsModule {}
