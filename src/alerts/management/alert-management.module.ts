import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { IssuesModule } from '../../issues/issues.module.js';
import { NotesModule } from '../../notes/notes.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { AlertRepositoriesModule } from '../alert-repositories.module.js';
import { IssueTemplates } from '../incidents/issue-templates.service.js';
import { AlertActivity } from './alert-activity.service.js';
import { AlertChangesController } from './alert-changes.controller.js';
import { AlertChanges } from './alert-changes.service.js';
import { AlertIncidentController } from './alert-incident.controller.js';
import { AlertIncidents } from './alert-incidents.service.js';
import { AlertNotesController } from './alert-notes.controller.js';
import { AlertNotes } from './alert-notes.service.js';
import { AlertsController } from './alerts.controller.js';
import { ClosedIssueListener } from './closed-issue.listener.js';

/** Alerts as people work with them: lists, states, assignees, notes, incidents. */
@Module({
  imports: [AlertRepositoriesModule, GitModule, IssuesModule, NotesModule, ProjectsModule],
  controllers: [
    AlertsController,
    AlertChangesController,
    AlertIncidentController,
    AlertNotesController,
  ],
  providers: [
    AlertActivity,
    AlertChanges,
    AlertIncidents,
    AlertNotes,
    ClosedIssueListener,
    IssueTemplates,
  ],
  exports: [AlertActivity, AlertChanges, AlertIncidents, AlertNotes],
})
export class AlertManagementModule {}
