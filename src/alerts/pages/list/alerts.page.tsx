import type { VNode } from 'preact';
import { ButtonLink, Button } from '../../../core/ui/components/button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { filledAddress } from '../../../core/ui/filled-address.js';
import { httpLink } from '../../../core/ui/http-link.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { AlertActivityPeriod } from '../../alert-activity.service.js';
import { AlertList, type AlertListing } from './alert-list.js';
import { alertSettingsPath, alertsPath, integrationsPath } from '../alert-paths.js';
import {
  isNarrowed,
  LIST_ORDERS,
  type AlertsQuery,
  ACTIVITY_SPANS,
  type ActivitySpan,
} from './alerts-query.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';
import type { ListedIntegration } from '../../alert-integrations.repository.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { ALERT_SEVERITIES } from '../../alert-values.js';
import { severityLabel, SEVERITY_SERIES } from '../alert-status.js';
import { counted } from '../../../core/ui/amounts.js';
import { BarChart, type ChartBar } from '../../../core/ui/components/bar-chart.js';
import { sumOf } from '../../../core/ui/components/chart-numbers.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { FilterForm } from '../../../core/ui/components/filter-form.js';

interface AlertsPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  listing: AlertListing;
  periods: AlertActivityPeriod[];
  people: AssigneeCandidate[];
  integrations: ListedIntegration[];
}

/** The alerts of a project: list, filters, and how many came when. */
export function AlertsPage(props: AlertsPageProps): VNode {
  const { pageContext, project, listing, periods, people, integrations } = props;
  const path = alertsPath(project);
  const { query, counts } = listing;
  const maySet = canInProject('admin_alert_integration', {
    ...project,
    viewer: pageContext.viewer,
  });
  const paging = integrations.find(({ type, active }) => type === 'external_paging' && active);
  const senders = integrations.filter(({ type, active }) => type !== 'external_paging' && active);
  const isNew = counts.all === 0 && !isNarrowed(query) && integrations.length === 0;
  return (
    <>
      <PageHeader title="Alerts" actions={<Actions {...{ project, maySet, senders }} />} />
      {paging !== undefined && <PagingNotice paging={paging} />}
      {isNew && <FirstSteps project={project} maySet={maySet} />}
      {!isNew && <AlertFilters path={path} query={query} people={people} />}
      {!isNew && <AlertList {...listing} project={project} csrfToken={pageContext.csrfToken} />}
      {!isNew && (
        <ActivityChart
          span={query.activity}
          periods={periods}
          hrefs={{
            day: filledAddress(path, { ...query, activity: 'day' }),
            month: filledAddress(path, { ...query, activity: 'month' }),
          }}
        />
      )}
    </>
  );
}

interface ActionsProps {
  project: ProjectRow;
  maySet: boolean;
  /** Active integrations that take alerts. */
  senders: ListedIntegration[];
}

function Actions({ project, maySet, senders }: ActionsProps): VNode {
  return (
    <>
      {senders.length > 0 && <TestMenu project={project} senders={senders} />}
      {maySet && (
        <ButtonLink href={alertSettingsPath(project)} variant="outline">
          Alert settings
        </ButtonLink>
      )}
    </>
  );
}

function TestMenu({ project, senders }: Omit<ActionsProps, 'maySet'>): VNode {
  return (
    <details class="confirm">
      <summary class="btn" data-variant="outline">
        Send a test alert
      </summary>
      <div>
        <p>Through which integration?</p>
        <ul class="grid gap-1">
          {senders.map(({ id, name }) => (
            <li key={id}>
              <a class="prose-link" href={`${integrationsPath(project)}/${id}/test`}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

function PagingNotice({ paging }: { paging: ListedIntegration }): VNode {
  const address = httpLink(paging.apiUrl);
  return (
    <div class="alert" role="status" data-tone="alert">
      <p>
        {'Alerts of this project are handled elsewhere: '}
        {address === null ? paging.name : <a href={address}>{paging.name}</a>}
        {'. Nothing new arrives here while that is switched on.'}
      </p>
    </div>
  );
}

function FirstSteps({ project, maySet }: { project: ProjectRow; maySet: boolean }): VNode {
  return (
    <EmptyState
      title="Nothing sends alerts to this project yet"
      action={
        maySet ? (
          <ButtonLink href={`${integrationsPath(project)}/new`}>New integration</ButtonLink>
        ) : undefined
      }
    >
      {maySet
        ? 'An integration gives a monitoring tool an address and a key to post its alerts with.'
        : 'Maintainers of the project connect monitoring tools in its settings.'}
    </EmptyState>
  );
}

interface AlertFiltersProps {
  path: string;
  query: AlertsQuery;
  people: AssigneeCandidate[];
}

const SEVERITIES = [
  { value: '', label: 'Any severity' },
  ...ALERT_SEVERITIES.map((value) => ({ value, label: severityLabel(value) })),
];

const ORDERS = Object.entries(LIST_ORDERS).map(([value, { label }]) => ({ value, label }));

/** Filters of the list; reloads the page. */
function AlertFilters({ path, query, people }: AlertFiltersProps): VNode {
  const { status, search, severity, assignee, sort, activity } = query;
  const assignees = [
    { value: '', label: 'Any assignee or none' },
    { value: 'None', label: 'Unassigned' },
    { value: 'Any', label: 'Any assignee' },
    ...people.map(({ username, name }) => ({ value: username, label: `${name} (@${username})` })),
  ];
  return (
    <FilterForm action={path} label="Filter alerts">
      <input type="hidden" name="status" value={status} />
      <input type="hidden" name="activity" value={activity} />
      <TextField type="search" name="search" label="Search" value={search} maxLength={200} bare />
      <SelectField name="severity" label="Severity" options={SEVERITIES} value={severity} bare />
      <SelectField name="assignee" label="Assignee" options={assignees} value={assignee} bare />
      <SelectField name="sort" label="Order" options={ORDERS} value={sort} bare />
      <Button variant="outline">Filter</Button>
      {isNarrowed(query) && (
        <ButtonLink href={`${path}?status=${status}`} variant="ghost">
          Clear filters
        </ButtonLink>
      )}
    </FilterForm>
  );
}

interface ActivityChartProps {
  span: ActivitySpan;
  periods: AlertActivityPeriod[];
  /** Of the page for each span. */
  hrefs: Record<ActivitySpan, string>;
}

const SPANS: Record<ActivitySpan, { tab: string; title: string; unit: string }> = {
  day: { tab: 'Last 24 hours', title: 'New alerts per hour', unit: 'Hour (UTC)' },
  month: { tab: 'Last 30 days', title: 'New alerts per day', unit: 'Day (UTC)' },
};

const TICK_STEP = 3;

/** Chart of the alerts over time, by severity. */
function ActivityChart({ span, periods, hrefs }: ActivityChartProps): VNode {
  const { title, unit } = SPANS[span];
  const bars = periods.map((period, index) =>
    barOf(period, { span, left: periods.length - 1 - index }),
  );
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  const tabs = (
    <Tabs
      label="Time of the chart"
      items={ACTIVITY_SPANS.map((one) => ({ label: SPANS[one].tab, href: hrefs[one] }))}
      current={hrefs[span]}
    />
  );
  return (
    <Card title={title} actions={tabs}>
      {total === 0 ? (
        <p class="text-muted-foreground">No alert came in this time.</p>
      ) : (
        <BarChart
          id="activity"
          title={title}
          description={`${counted(total, 'alert')} in the ${SPANS[span].tab.toLowerCase()}, by severity. The numbers are in the table below.`}
          unit={unit}
          series={SEVERITY_SERIES}
          bars={bars}
        />
      )}
    </Card>
  );
}

/** `left` bars follow: every third one has its time below it, the last one too. */
function barOf(
  { start, counts }: AlertActivityPeriod,
  { span, left }: { span: ActivitySpan; left: number },
): ChartBar {
  const iso = start.toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 16)];
  const values = ALERT_SEVERITIES.map((severity) => counts[severity]);
  const hasTick = left % TICK_STEP === 0;
  if (span === 'day') return { label: `${day} ${time}`, tick: hasTick ? time : null, values };
  return { label: day, tick: hasTick ? day.slice(5) : null, values };
}
