import type { VNode } from 'preact';
import { httpLink } from '../../../core/ui/addresses.js';
import { Button, ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { BulkSelection } from '../../../core/ui/components/list.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { alertSettingsPath } from '../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { AlertFilters, choicesOf, isNarrowed, listAddress } from './alert-filters.js';
import {
  AlertList,
  BULK_FORM,
  FiringCount,
  LIST_REGION,
  StatusTabs,
  type AlertListing,
} from './alert-list.js';
import { alertsPath, integrationsPath, silencesPath } from '../alert-paths.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';
import type { ListedIntegration } from '../../alert-integrations.repository.js';
import { mayChangeAlerts } from '../alert-status.js';
import { Form } from '../../../core/ui/components/form.js';

interface AlertsPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  listing: AlertListing;
  people: AssigneeCandidate[];
  environments: string[];
  integrations: ListedIntegration[];
}

/** The alerts of a project: filters, how many started when, and the list. */
export function AlertsPage(props: AlertsPageProps): VNode {
  const { pageContext, project, listing, people, environments, integrations } = props;
  const { csrfToken, viewer } = pageContext;
  const path = alertsPath(project);
  const { query, counts, paging } = listing;
  const maySet = canInProject('admin_alert_integration', { ...project, viewer });
  const mayChange = mayChangeAlerts(project, viewer);
  const elsewhere = integrations.find(({ type, active }) => type === 'external_paging' && active);
  const senders = integrations.filter(({ type, active }) => type !== 'external_paging' && active);
  const isNew = counts.all === 0 && !isNarrowed(query) && integrations.length === 0;
  return (
    <>
      <PageHeader
        title="Alerts"
        state={<FiringCount count={counts.triggered} />}
        actions={<Actions {...{ project, maySet, senders }} />}
      />
      {elsewhere !== undefined && <PagingNotice paging={elsewhere} />}
      {isNew && <FirstSteps project={project} maySet={maySet} />}
      {!isNew && <StatusTabs path={path} listing={listing} />}
      {!isNew && <AlertFilters {...{ projectId: project.id, path, query, people, environments }} />}
      {!isNew && <AlertList {...{ ...listing, project, csrfToken, mayChange }} />}
      {!isNew && mayChange && (
        <BulkBar
          action={listAddress(`${path}/bulk`, query, paging)}
          csrfToken={csrfToken}
          people={people}
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
      <ButtonLink href={silencesPath(project)} variant="outline">
        Silences
      </ButtonLink>
      {maySet && (
        <ButtonLink href={alertSettingsPath(project)} variant="outline">
          Integrations
        </ButtonLink>
      )}
      {senders.length > 0 && (
        <OverflowMenu of="alerts">
          {senders.map(({ id, name }) => (
            <ButtonLink key={id} href={`${integrationsPath(project)}/${id}/test`} variant="ghost">
              <span class="truncate">{`Send test alert: ${name}`}</span>
            </ButtonLink>
          ))}
        </OverflowMenu>
      )}
    </>
  );
}

function PagingNotice({ paging }: { paging: ListedIntegration }): VNode {
  const address = httpLink(paging.apiUrl);
  return (
    <div class="alert" role="status" data-tone="alert">
      <p>
        {'Alerts of this project go to '}
        {address === null ? paging.name : <a href={address}>{paging.name}</a>}
        {'. No new alerts arrive here while external paging is active.'}
      </p>
    </div>
  );
}

function FirstSteps({ project, maySet }: { project: ProjectRow; maySet: boolean }): VNode {
  return (
    <EmptyState
      title="Connect a monitoring tool"
      action={
        maySet ? (
          <ButtonLink href={`${integrationsPath(project)}/new`}>New integration</ButtonLink>
        ) : undefined
      }
    >
      {maySet
        ? 'Create an integration and post alerts to its URL: from Prometheus Alertmanager, Grafana or any tool with webhooks.'
        : 'Ask a maintainer of this project to create an integration for your monitoring tool.'}
    </EmptyState>
  );
}

interface BulkBarProps {
  action: string;
  csrfToken: string;
  people: AssigneeCandidate[];
}

const BULK_STATUSES = [
  { status: 'acknowledged', label: 'Acknowledge' },
  { status: 'resolved', label: 'Resolve' },
  { status: 'ignored', label: 'Ignore' },
];

/** Changes the alerts whose boxes are checked; shown once there are any. */
function BulkBar({ action, csrfToken, people }: BulkBarProps): VNode {
  const choices = [
    { value: '', label: 'Assign to…' },
    { value: 'None', label: 'Unassigned' },
    ...choicesOf(people),
  ];
  return (
    <Form
      id={BULK_FORM}
      class="bulk-bar"
      action={action}
      csrfToken={csrfToken}
      label="Selected alerts"
      region={LIST_REGION}
    >
      {BULK_STATUSES.map(({ status, label }) => (
        <Button key={status} name="status" value={status} variant="outline" size="small">
          {label}
        </Button>
      ))}
      <select class="control" name="assignee" aria-label="Assignee">
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Button name="action" value="assign" variant="outline" size="small">
        Assign
      </Button>
      <BulkSelection />
    </Form>
  );
}
