import type { VNode } from 'preact';
import { ButtonLink, Button } from '../../../core/ui/components/button.js';
import { EmptyState } from '../../../core/ui/components/content.js';
import { filledAddress } from '../../../core/ui/filled-address.js';
import { httpLink } from '../../../core/ui/http-link.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { ProjectFrame } from '../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { AlertActivityPeriod } from '../../management/alert-activity.service.js';
import { ActivityChart } from './activity-chart.js';
import { AlertList, type AlertListing } from './alert-list.js';
import { alertSettingsPath, alertsPath, integrationsPath } from '../alert-paths.js';
import { isNarrowed, LIST_ORDERS, type AlertsQuery } from './alerts-query.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';
import type { ListedIntegration } from '../../alert-integrations.repository.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Form } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { ALERT_SEVERITIES } from '../../alert-values.js';
import { severityLabel } from '../alert-badges.js';

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
    <ProjectFrame
      project={project}
      viewer={pageContext.viewer}
      current="alerts"
      actions={<Actions {...{ project, maySet, senders }} />}
    >
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
    </ProjectFrame>
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
    <Form action={path} method="get" label="Filter alerts" class="filters">
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
    </Form>
  );
}
