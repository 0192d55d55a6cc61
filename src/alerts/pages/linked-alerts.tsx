import type { VNode } from 'preact';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { counted } from '../../core/ui/amounts.js';
import { Card } from '../../core/ui/components/content.js';
import { Item, ItemList } from '../../core/ui/components/list.js';
import { IssueSections } from '../../workspace/issues/pages/issue-page-context.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { type LinkedAlert, AlertIncidentsRepository } from '../alert-incidents.repository.js';
import { severityOf, statusOf } from '../alert-values.js';
import { SeverityBadge, StatusBadge } from './alert-status.js';
import { alertPath } from './alert-paths.js';
import { canInProject } from '../../identity/members/abilities.js';

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

interface LinkedAlertsCardProps {
  project: ProjectRow;
  /** At least one: those that are not resolved first. */
  alerts: LinkedAlert[];
}

/** The alerts that an incident is about. */
function LinkedAlertsCard({ project, alerts }: LinkedAlertsCardProps): VNode {
  const more = (alerts[0]?.total ?? 0) - alerts.length;
  return (
    <Card title="Alerts" flush>
      <ItemList label="Alerts of the incident">
        {alerts.map(({ iid, title, severity, status, eventCount }) => (
          <Item
            key={iid}
            title={
              <>
                <SeverityBadge severity={severityOf(severity)} />
                <a class="prose-link wrap-anywhere" href={alertPath(project, iid)}>
                  #{iid} {title}
                </a>
                <StatusBadge status={statusOf(status)} />
              </>
            }
          >
            {counted(eventCount, 'event')}
          </Item>
        ))}
        {more > 0 && <Item title={`And ${counted(more, 'alert')} more`} />}
      </ItemList>
    </Card>
  );
}
