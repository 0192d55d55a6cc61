import { Module } from '@nestjs/common';
import { MentionsModule } from '../mentions/mentions.module.js';
import { MilestonesModule } from '../milestones/milestones.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { CommandNamesService } from './command-names.service.js';
import { IssueAssigneesRepository } from './issue-assignees.repository.js';
import { IssueChangesService } from './issue-changes.service.js';
import { IssueCommands } from './issue-commands.service.js';
import { IssueCreationService } from './issue-creation.service.js';
import { IssueDeletionService } from './issue-deletion.service.js';
import { IssueNotesController } from './issue-notes.controller.js';
import { IssueNotesService } from './issue-notes.service.js';
import { IssueSpamCheck } from './issue-spam.service.js';
import { IssueStateEventsController } from './issue-state-events.controller.js';
import { IssueStatesModule } from './issue-states.module.js';
import { IssueStatisticsController } from './issue-statistics.controller.js';
import { IssueSubscriptionsController } from './issue-subscriptions.controller.js';
import { IssueSubscriptions } from './issue-subscriptions.service.js';
import { IssueUpdateService } from './issue-update.service.js';
import { IssuesController } from './issues.controller.js';
import { MilestoneIssuesController } from './milestone-issues.controller.js';
import { IssueFormPagesController } from './pages/issue-form-pages.controller.js';
import { IssueListPagesController } from './pages/issue-list-pages.controller.js';
import { IssueNotePagesController } from './pages/issue-note-pages.controller.js';
import { IssuePagesController } from './pages/issue-pages.controller.js';
import { IssueSections } from './pages/issue-sections.service.js';
import { IssueSubscriptionPagesController } from './pages/issue-subscription-pages.controller.js';
import { IssuePageRenderer } from './pages/issue-page-renderer.service.js';
import { NamedAssignees } from './pages/named-assignees.service.js';
import { ProjectIssueChangesController } from './project-issue-changes.controller.js';
import { ProjectIssuesController } from './project-issues.controller.js';

/** Issues and incidents of projects, with their pages. */
@Module({
  imports: [
    IssueStatesModule,
    MentionsModule,
    MilestonesModule,
    NotesModule,
    ProjectsModule,
    SpamModule,
    SubscriptionsModule,
  ],
  controllers: [
    IssueListPagesController,
    IssueFormPagesController,
    IssuePagesController,
    IssueNotePagesController,
    IssueSubscriptionPagesController,
    IssuesController,
    ProjectIssuesController,
    ProjectIssueChangesController,
    IssueNotesController,
    IssueStateEventsController,
    IssueStatisticsController,
    IssueSubscriptionsController,
    MilestoneIssuesController,
  ],
  providers: [
    CommandNamesService,
    IssueAssigneesRepository,
    IssueChangesService,
    IssueCommands,
    IssueCreationService,
    IssueDeletionService,
    IssueNotesService,
    IssueSections,
    IssueSpamCheck,
    IssueSubscriptions,
    IssueUpdateService,
    IssuePageRenderer,
    NamedAssignees,
  ],
  exports: [
    CommandNamesService,
    IssueChangesService,
    IssueCreationService,
    IssueNotesService,
    IssueSections,
    IssueStatesModule,
    IssueSubscriptions,
    NamedAssignees,
  ],
})
export class IssuesModule {}
