import { Module } from '@nestjs/common';
import { CodeModule } from '../../code/code.module.js';
import { IssuePagesModule } from '../../issues/pages/issue-pages.module.js';
import { MilestonesModule } from '../../milestones/milestones.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { MergeRequestsModule } from '../merge-requests.module.js';
import { MergePreview } from './merge-preview.service.js';
import { MergePagesController } from './merge-pages.controller.js';
import { MergeRequestContentPagesController } from './merge-request-content-pages.controller.js';
import { MergeRequestEditPagesController } from './merge-request-edit-pages.controller.js';
import { MergeRequestListPagesController } from './merge-request-list-pages.controller.js';
import { MergeRequestNotePagesController } from './merge-request-note-pages.controller.js';
import { MergeRequestPagesController } from './merge-request-pages.controller.js';
import { MergeRequestSubscriptionPagesController } from './merge-request-subscription-pages.controller.js';
import { NewMergeRequestPagesController } from './new-merge-request-pages.controller.js';
import { ShownMergeRequests } from './shown-merge-requests.service.js';

/** The pages about merge requests. */
@Module({
  imports: [CodeModule, IssuePagesModule, MergeRequestsModule, MilestonesModule, ProjectsModule],
  controllers: [
    MergeRequestListPagesController,
    NewMergeRequestPagesController,
    MergeRequestEditPagesController,
    MergeRequestContentPagesController,
    MergePagesController,
    MergeRequestNotePagesController,
    MergeRequestSubscriptionPagesController,
    MergeRequestPagesController,
  ],
  providers: [MergePreview, ShownMergeRequests],
})
export class MergeRequestPagesModule {}
