import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { counted } from '../../../core/ui/amounts.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { Badge, Card, EmptyState } from '../../../core/ui/components/content.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { LiveRegion, Toast, type Message } from '../../../core/ui/components/live-region.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { severityOf, statusOf } from '../../alert-values.js';
import type { AlertGroupRow } from '../../sql/alert-groups.js';
import type { AlertRow } from '../../sql/alert-list.js';
import type { AlertCounts } from '../../sql/alert-counts.js';
import {
  EventTrend,
  SeverityBadge,
  SilencedBadge,
  statusLabel,
  StatusBadge,
  StatusButtons,
} from '../alert-status.js';
import { alertPath, alertsPath, incidentPath } from '../alert-paths.js';
import { ALERT_TABS, listAddress, type AlertsQuery, type AlertTab } from './alert-filters.js';
import { ActivityChart, type AlertActivityPeriod, AlertGroups } from './alert-overviews.js';

const LIVE_SECONDS = 5;
/** Looking for words reads every alert of the project. */
const SEARCH_SECONDS = 20;
const QUICK_BUTTONS = 1;

/** The live part of the page, which forms of its rows replace. */
export const LIST_REGION = 'alerts';
/** Form of the actions on the selected alerts. */
export const BULK_FORM = 'bulk-alerts';

/** An alert with its events in each of the last 24 hours. */
export type ShownAlert = AlertRow & { trend: number[] };

/** Data of the live part of the list. */
export interface AlertListing {
  shown: { alerts: Page<ShownAlert> } | { groups: Page<AlertGroupRow> };
  counts: AlertCounts;
  periods: AlertActivityPeriod[];
  query: AlertsQuery;
  paging: { page: number; perPage: number };
}

interface AlertListProps extends AlertListing {
  project: ProjectRow;
  csrfToken: string;
  /** True for a viewer who can change alerts of this project. */
  mayChange: boolean;
  /** Outcome of the action that the region answers. */
  message?: Message | undefined;
}

/** List of alerts with the chart of what it lists, refreshed automatically. */
export function AlertList({ message, periods, ...props }: AlertListProps): VNode {
  const { project, shown, counts, query, paging } = props;
  const page = 'groups' in shown ? shown.groups : shown.alerts;
  const path = alertsPath(project);
  return (
    <LiveRegion
      id={LIST_REGION}
      href={listAddress(`${path}/live`, query, paging)}
      seconds={query.search === '' ? LIVE_SECONDS : SEARCH_SECONDS}
      label="Alerts"
    >
      <div class="flex flex-col gap-[10px]">
        <ActivityChart path={path} query={query} periods={periods} />
        {page.items.length === 0 && <NoAlerts isFirst={counts.all === 0} />}
        {'groups' in shown && shown.groups.items.length > 0 && (
          <AlertGroups groups={shown.groups.items} path={path} query={query} />
        )}
        {'alerts' in shown && shown.alerts.items.length > 0 && (
          <Card flush>
            <ItemList label="Alerts">
              {shown.alerts.items.map((alert) => (
                <AlertLine key={alert.iid} {...props} alert={alert} />
              ))}
            </ItemList>
          </Card>
        )}
        <Pagination page={page} paging={paging} path={path} query={{ ...query }} />
      </div>
      <Toast message={message} />
    </LiveRegion>
  );
}

/** Number of triggered alerts, beside the title; live answers bring it along. */
export function FiringCount({ count, isLive }: { count: number; isLive?: true }): VNode {
  const swap = isLive === true ? { 'hx-swap-oob': 'true' } : {};
  return (
    <span id="firing" {...swap}>
      {count > 0 && <Badge tone="danger">{`${count} firing`}</Badge>}
    </span>
  );
}

function NoAlerts({ isFirst }: { isFirst: boolean }): VNode {
  if (isFirst) {
    return <EmptyState title="No alerts yet">New alerts appear here automatically.</EmptyState>;
  }
  return <EmptyState title="No alerts match these filters">Try fewer filters.</EmptyState>;
}

interface StatusTabsProps {
  path: string;
  listing: Pick<AlertListing, 'query' | 'counts'>;
  isLive?: true;
}

/** Tabs above the filters; live answers bring their counters along. */
export function StatusTabs({ path, listing, isLive }: StatusTabsProps): VNode {
  const { query, counts } = listing;
  const hrefOf = (status: AlertTab): string => filledAddress(path, { ...query, status });
  return (
    <Tabs
      id="statuses"
      isLive={isLive}
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

interface AlertLineProps extends Pick<
  AlertListProps,
  'project' | 'query' | 'paging' | 'csrfToken' | 'mayChange'
> {
  alert: ShownAlert;
}

function AlertLine({ alert, ...props }: AlertLineProps): VNode {
  const { project, mayChange } = props;
  const { iid, title, service, environment } = alert;
  const issue = project.issuesEnabled ? alert.issue : null;
  return (
    <Item
      id={`alert-${iid}`}
      select={
        mayChange ? (
          <input
            id={`select-${iid}`}
            type="checkbox"
            form={BULK_FORM}
            name="iids[]"
            value={iid}
            aria-label={`Select alert ${iid}`}
          />
        ) : undefined
      }
      title={
        <>
          <SeverityBadge severity={severityOf(alert.severity)} />
          <a class="wrap-anywhere" href={alertPath(project, iid)}>
            {title}
          </a>
        </>
      }
      chips={
        <>
          {environment !== null && <Badge tone="label">{environment.name}</Badge>}
          <SilencedBadge alert={alert} />
          {service !== null && <span class="item-detail max-sm:hidden">{service}</span>}
          {issue !== null && (
            <span class="item-detail">
              <a href={incidentPath(project, issue.iid)}>Incident #{issue.iid}</a>
            </span>
          )}
        </>
      }
      actions={mayChange ? <QuickActions alert={alert} {...props} /> : undefined}
    >
      <AlertState alert={alert} />
    </Item>
  );
}

function QuickActions({ alert, project, query, paging, csrfToken }: AlertLineProps): VNode {
  return (
    <StatusButtons
      alert={{ title: alert.title, status: statusOf(alert.status) }}
      action={listAddress(`${alertsPath(project)}/bulk`, query, paging)}
      csrfToken={csrfToken}
      region={LIST_REGION}
      fields={{ 'iids[]': String(alert.iid) }}
      limit={QUICK_BUTTONS}
      size="small"
    />
  );
}

/** Events by hour and in all, status, start and assignee, each in its column on wide screens. */
function AlertState({ alert }: { alert: ShownAlert }): VNode {
  const { trend, eventCount, startedAt, assignee } = alert;
  return (
    <div class="item-facts">
      <span class="max-[90rem]:hidden">
        <EventTrend trend={trend} />
      </span>
      <span class="xl:w-24 xl:justify-end">{counted(eventCount, 'event')}</span>
      <span class="xl:w-26">
        <StatusBadge status={statusOf(alert.status)} />
      </span>
      <span class="xl:w-24">
        <Time value={startedAt} />
      </span>
      {assignee === null ? (
        <span
          class="avatar border-input border border-dashed bg-transparent max-sm:hidden"
          title="Unassigned"
        >
          <span class="sr-only">Unassigned</span>
        </span>
      ) : (
        <a class="assignee" href={`/${assignee.username}`} title={assignee.name}>
          <Avatar name={assignee.name} owner={assignee} />
          <span class="sr-only">{assignee.name}</span>
        </a>
      )}
    </div>
  );
}
