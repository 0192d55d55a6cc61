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
import { IssueStatesModule } from './issue-states.module.js';
import { IssueStatisticsController } from './issue-statistics.controller.js';
import { IssueSubscriptionsController } from './issue-subscriptions.controller.js';
import { IssueSubscriptions } from './issue-subscriptions.service.js';
import { IssueSpamCheck } from './issue-spam.service.js';
import { IssueUpdateService } from './issue-update.service.js';
import { IssuesController } from './issues.controller.js';
import { IssueStateEventsController } from './issue-state-events.controller.js';
import { MilestoneIssuesController } from './milestone-issues.controller.js';
import { ProjectIssueChangesController } from './project-issue-changes.controller.js';
import { ProjectIssuesController } from './project-issues.controller.js';

/** Issues of projects. */
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
    IssueSubscriptions,
    IssueSpamCheck,
    IssueUpdateService,
  ],
  exports: [
    CommandNamesService,
    IssueChangesService,
    IssueCreationService,
    IssueNotesService,
    IssueStatesModule,
    IssueSubscriptions,
  ],
})
export class IssuesModule {}
