import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { counted } from '../../../core/ui/amounts.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { LiveRegion } from '../../../core/ui/components/live-region.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import { filledAddress } from '../../../core/ui/filled-address.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { severityOf, statusOf } from '../../alert-values.js';
import type { AlertRow } from '../../sql/alert-list.js';
import type { AlertCounts } from '../../alerts.repository.js';
import { SeverityBadge, statusLabel, StatusBadge, StatusButtons } from '../alert-status.js';
import { alertPath, alertsPath, incidentPath } from '../alert-paths.js';
import { ALERT_TABS, type AlertsQuery, type AlertTab } from './alerts-query.js';

const LIVE_SECONDS = 5;
/** Looking for words reads every alert of the project. */
const SEARCH_SECONDS = 20;
const QUICK_BUTTONS = 2;

/** Data of the live part of the list. */
export interface AlertListing {
  alerts: Page<AlertRow>;
  counts: AlertCounts;
  query: AlertsQuery;
  paging: { page: number; perPage: number };
}

interface AlertListProps extends AlertListing {
  project: ProjectRow;
  csrfToken: string;
}

/** List of alerts, refreshed automatically. */
export function AlertList(props: AlertListProps): VNode {
  const { project, alerts, counts, query, paging, csrfToken } = props;
  const path = alertsPath(project);
  return (
    <LiveRegion
      id="alerts"
      href={filledAddress(`${path}/live`, { ...query, page: paging.page })}
      seconds={query.search === '' ? LIVE_SECONDS : SEARCH_SECONDS}
      label="Alerts as they come"
    >
      <div class="grid grid-cols-1 gap-4">
        <StatusTabs path={path} query={query} counts={counts} />
        {alerts.items.length === 0 ? (
          <EmptyState title={counts.all === 0 ? 'No alerts yet' : 'No alerts here'}>
            {counts.all === 0
              ? 'Alerts from monitoring tools appear here automatically.'
              : 'No alert matches what you asked for.'}
          </EmptyState>
        ) : (
          <Card flush>
            <ItemList label="Alerts">
              {alerts.items.map((alert) => (
                <AlertLine key={alert.iid} {...{ alert, project, query, csrfToken }} />
              ))}
            </ItemList>
          </Card>
        )}
        <Pagination page={alerts} paging={paging} path={path} query={{ ...query }} />
      </div>
    </LiveRegion>
  );
}

interface StatusTabsProps {
  path: string;
  query: AlertsQuery;
  counts: AlertCounts;
}

function StatusTabs({ path, query, counts }: StatusTabsProps): VNode {
  const hrefOf = (status: AlertTab): string => filledAddress(path, { ...query, status });
  return (
    <Tabs
      label="Statuses"
      items={ALERT_TABS.map((tab) => ({
        label: tabLabel(tab),
        href: hrefOf(tab),
        count: counts[tab],
      }))}
      current={hrefOf(query.status)}
    />
  );
}

function tabLabel(tab: AlertTab): string {
  if (tab === 'all') return 'All';
  return tab === 'open' ? 'Open' : statusLabel(tab);
}

interface AlertLineProps {
  alert: AlertRow;
  project: ProjectRow;
  query: AlertsQuery;
  csrfToken: string;
}

function AlertLine({ alert, project, query, csrfToken }: AlertLineProps): VNode {
  const { iid, title } = alert;
  const status = statusOf(alert.status);
  return (
    <Item
      id={`alert-${iid}`}
      title={
        <>
          <SeverityBadge severity={severityOf(alert.severity)} />
          <a class="prose-link wrap-anywhere" href={alertPath(project, iid)}>
            {title}
          </a>
          <StatusBadge status={status} />
        </>
      }
      actions={
        <StatusButtons
          alert={{ title, status }}
          action={`${alertsPath(project)}/${iid}/status`}
          csrfToken={csrfToken}
          fields={{ back: filledAddress('', { ...query }).slice(1) }}
          limit={QUICK_BUTTONS}
          size="small"
        />
      }
    >
      <AlertSummary alert={alert} project={project} />
    </Item>
  );
}

/** Event count, start, source and assignee, in a line or two. */
function AlertSummary({ alert, project }: Pick<AlertLineProps, 'alert' | 'project'>): VNode {
  const { iid, eventCount, startedAt, assignee, service, environment } = alert;
  const issue = project.issuesEnabled ? alert.issue : null;
  return (
    <ul class="flex flex-wrap gap-x-4 gap-y-0.5">
      <li>#{iid}</li>
      <li>{counted(eventCount, 'event')}</li>
      <li>
        Started <Time value={startedAt} />
      </li>
      <li>
        {assignee === null ? (
          'Unassigned'
        ) : (
          <Linked href={`/${assignee.username}`} text={assignee.name} />
        )}
      </li>
      {service !== null && <li class="wrap-anywhere">{service}</li>}
      {environment !== null && <li class="wrap-anywhere">{environment.name}</li>}
      {issue !== null && (
        <li>
          <Linked href={incidentPath(project, issue.iid)} text={`Incident #${issue.iid}`} />
        </li>
      )}
    </ul>
  );
}

function Linked({ href, text }: { href: string; text: string }): VNode {
  return (
    <a class="prose-link" href={href}>
      {text}
    </a>
  );
}
