import { Module } from '@nestjs/common';
import { MilestonesModule } from '../../milestones/milestones.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { IssuesModule } from '../issues.module.js';
import { IssueFormPagesController } from './issue-form-pages.controller.js';
import { IssueListPagesController } from './issue-list-pages.controller.js';
import { IssueNotePagesController } from './issue-note-pages.controller.js';
import { IssuePagesController } from './issue-pages.controller.js';
import { IssueSections } from './issue-sections.service.js';
import { IssueSubscriptionPagesController } from './issue-subscription-pages.controller.js';
import { IssueViews } from './issue-views.service.js';
import { NamedAssignees } from './named-assignees.service.js';

/** Pages of issues and incidents. */
@Module({
  imports: [IssuesModule, MilestonesModule, ProjectsModule],
  controllers: [
    IssueListPagesController,
    IssueFormPagesController,
    IssuePagesController,
    IssueNotePagesController,
    IssueSubscriptionPagesController,
  ],
  providers: [IssueSections, IssueViews, NamedAssignees],
  exports: [IssueSections, NamedAssignees],
})
export class IssuePagesModule {}
