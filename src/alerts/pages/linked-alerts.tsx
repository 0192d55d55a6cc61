import type { VNode } from 'preact';
import { counted } from '../../core/ui/amounts.js';
import { Card } from '../../core/ui/components/content.js';
import { Item, ItemList } from '../../core/ui/components/item-list.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { LinkedAlert } from '../alert-incidents.repository.js';
import { severityOf, statusOf } from '../alert-values.js';
import { SeverityBadge, StatusBadge } from './alert-badges.js';
import { alertPath } from './alert-paths.js';

interface LinkedAlertsCardProps {
  project: ProjectRow;
  /** At least one: those that are not resolved first. */
  alerts: LinkedAlert[];
}

/** The alerts that an incident is about. */
export function LinkedAlertsCard({ project, alerts }: LinkedAlertsCardProps): VNode {
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
