import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { countText } from '../../core/ui/amounts.js';
import { Card, EmptyState } from '../../core/ui/components/content.js';
import { LiveRegion } from '../../core/ui/components/live-region.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { ActionsCell, Cell, Table } from '../../core/ui/components/table.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { Time } from '../../core/ui/components/time.js';
import type { ProjectRow } from '../../projects/project-row.js';
import { severityOf, statusOf } from '../alert-values.js';
import type { AlertRow } from '../management/alert-row.js';
import type { AlertCounts } from '../management/alerts-finder.service.js';
import { SeverityBadge, statusLabel, StatusBadge } from './alert-badges.js';
import { alertPath, alertsPath, incidentPath } from './alert-paths.js';
import { ALERT_TABS, alertsAddress, type AlertsQuery, type AlertTab } from './alerts-query.js';
import { StatusButtons } from './status-buttons.js';

const LIVE_SECONDS = 5;
const QUICK_BUTTONS = 2;

const COLUMNS = [
  { label: 'Severity' },
  { label: 'Alert' },
  { label: 'Status' },
  { label: 'Events', align: 'end' as const },
  { label: 'Started' },
  { label: 'Assignee' },
  { label: 'Actions', hidden: true },
];

/** What the live part of the list shows. */
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

/** The alerts that were asked for; looks for new ones by itself. */
export function AlertList(props: AlertListProps): VNode {
  const { project, alerts, counts, query, paging, csrfToken } = props;
  const path = alertsPath(project);
  return (
    <LiveRegion
      id="alerts"
      href={alertsAddress(`${path}/live`, { ...query, page: paging.page })}
      seconds={LIVE_SECONDS}
      label="Alerts as they come"
    >
      <div class="grid grid-cols-1 gap-4">
        <StatusTabs path={path} query={query} counts={counts} />
        {alerts.items.length === 0 ? (
          <EmptyState title={counts.all === 0 ? 'No alerts yet' : 'No alerts here'}>
            {counts.all === 0
              ? 'What monitoring tools tell this project appears here by itself.'
              : 'No alert matches what you asked for.'}
          </EmptyState>
        ) : (
          <Card flush>
            <Table caption="Alerts" columns={COLUMNS}>
              {alerts.items.map((alert) => (
                <AlertLine key={alert.iid} {...{ alert, project, query, csrfToken }} />
              ))}
            </Table>
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
  const hrefOf = (status: AlertTab): string => alertsAddress(path, { ...query, status });
  return (
    <Tabs
      label="Statuses"
      variant="pills"
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
  const { iid, title, eventCount, startedAt, assignee } = alert;
  const status = statusOf(alert.status);
  return (
    <tr id={`alert-${iid}`}>
      <Cell>
        <SeverityBadge severity={severityOf(alert.severity)} />
      </Cell>
      <Cell wrap>
        <a class="font-medium wrap-anywhere" href={alertPath(project, iid)}>
          {title}
        </a>
        <AlertOrigin alert={alert} project={project} />
      </Cell>
      <Cell>
        <StatusBadge status={status} />
      </Cell>
      <Cell align="end">{countText(eventCount)}</Cell>
      <Cell>
        <Time value={startedAt} />
      </Cell>
      <Cell>
        {assignee === null ? (
          <span class="text-muted-foreground">Nobody</span>
        ) : (
          <a href={`/${assignee.username}`}>{assignee.name}</a>
        )}
      </Cell>
      <ActionsCell>
        <StatusButtons
          alert={{ title, status }}
          action={`${alertsPath(project)}/${iid}/status`}
          csrfToken={csrfToken}
          fields={{ back: alertsAddress('', { ...query }).slice(1) }}
          limit={QUICK_BUTTONS}
          size="small"
        />
      </ActionsCell>
    </tr>
  );
}

/** Where it comes from, and the incident that it is part of. */
function AlertOrigin({ alert, project }: Pick<AlertLineProps, 'alert' | 'project'>): VNode | null {
  const { service, environment } = alert;
  const issue = project.issuesEnabled ? alert.issue : null;
  const places = [service, environment?.name].filter((text) => text != null);
  if (places.length === 0 && issue === null) return null;
  return (
    <div class="text-muted-foreground wrap-anywhere">
      {places.join(' · ')}
      {places.length > 0 && issue !== null && ' · '}
      {issue !== null && <a href={incidentPath(project, issue.iid)}>Incident #{issue.iid}</a>}
    </div>
  );
}
