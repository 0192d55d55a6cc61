import { Injectable, type OnModuleInit } from '@nestjs/common';
import { IssueSections } from '../../workspace/issues/pages/issue-sections.service.js';
import { canInProject } from '../../identity/members/abilities.js';
import { AlertIncidentsRepository } from '../alert-incidents.repository.js';
import { LinkedAlertsCard } from './linked-alerts.js';

/** Shows the alerts of an incident on its page, to who can read alerts. */
@Injectable()
export class LinkedAlerts implements OnModuleInit {
  constructor(
    private readonly sections: IssueSections,
    private readonly incidents: AlertIncidentsRepository,
  ) {}

  onModuleInit(): void {
    this.sections.add(async ({ issue, project, pageContext }) => {
      if (!canInProject('read_alert', { ...project, viewer: pageContext.viewer })) return null;
      const alerts = await this.incidents.listLinked(issue.id, project.id);
      return alerts.length === 0 ? null : LinkedAlertsCard({ project, alerts });
    });
  }
}
