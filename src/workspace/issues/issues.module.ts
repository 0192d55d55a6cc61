import { Module } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module.js';
import { MilestonesModule } from '../milestones/milestones.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository.js';
import { IssueSections } from './pages/issue-page-context.js';
import { IssueNotePagesController, IssuePagesController } from './pages/issue-pages.controller.js';
import { NamedAssignees } from './pages/named-assignees.service.js';
import { QuickActionPlanner } from './quick-action-planner.service.js';
import { IssueAssigneesRepository } from './issue-assignees.repository.js';
import { IssueNotesController } from './issue-notes.controller.js';
import { IssueNotesService } from './issue-notes.service.js';
import { IssueStateEventsController } from './issue-state-events.controller.js';
import { IssueStatesModule } from './issue-states.module.js';
import { IssueUpdates } from './issue-updates.service.js';
import { IssuesController } from './issues.controller.js';
import { IssuesService } from './issues.service.js';
import { MilestoneIssuesController } from './milestone-issues.controller.js';
import { TokensModule } from '../../identity/tokens/tokens.module.js';
import { IssueBulkPagesController } from './pages/issue-bulk-pages.controller.js';
import { IssueFeedsController } from './pages/issue-feeds.controller.js';
import { IssueFormPagesController } from './pages/issue-form-pages.controller.js';
import { IssueListPagesController } from './pages/issue-list-pages.controller.js';
import { IssuePageRenderer } from './pages/issue-page-renderer.service.js';
import { SuggestionPagesController } from './pages/suggestion-pages.controller.js';
import { MilestoneIssuesSection } from './pages/milestone-issues-section.service.js';

/** Issues and incidents of projects, with their pages. */
@Module({
  imports: [
    IssueStatesModule,
    LabelsModule,
    MilestonesModule,
    NotesModule,
    ProjectsModule,
    SpamModule,
    TokensModule,
  ],
  controllers: [
    IssueFeedsController,
    IssueBulkPagesController,
    IssueListPagesController,
    SuggestionPagesController,
    IssueFormPagesController,
    IssuePagesController,
    IssueNotePagesController,
    IssuesController,
    IssueNotesController,
    IssueStateEventsController,
    MilestoneIssuesController,
  ],
  providers: [
    QuickActionPlanner,
    IssueAssigneesRepository,
    IssueNotesService,
    IssueSections,
    IssueUpdates,
    IssuesService,
    IssuePageRenderer,
    MilestoneIssuesSection,
    NamedAssignees,
    SubscriptionsRepository,
  ],
  exports: [
    QuickActionPlanner,
    IssuesService,
    IssueSections,
    IssueStatesModule,
    NamedAssignees,
    SubscriptionsRepository,
  ],
})
export class IssuesModule {}
