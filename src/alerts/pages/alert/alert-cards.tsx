import type { ComponentChildren, VNode } from 'preact';
import { countText } from '../../../core/ui/amounts.js';
import { DescriptionList, type Fact, Card } from '../../../core/ui/components/content.js';
import { CopyableCode } from '../../../core/ui/components/copy-button.js';
import { Time } from '../../../core/ui/components/time.js';
import { httpLink } from '../../../core/ui/http-link.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { FoundAlert } from '../../sql/alert-list.js';
import { incidentPath } from '../alert-paths.js';
import { Button } from '../../../core/ui/components/button.js';
import { SelectField, type Choice } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Form, PostButton } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';

interface AlertFactsProps {
  alert: FoundAlert;
  project: ProjectRow;
  /** True where cards beside the facts show assignee and incident. */
  mayChange: boolean;
}

/** Attributes of an alert, field by field. */
export function AlertFacts({ alert, project, mayChange }: AlertFactsProps): VNode {
  const { startedAt, endedAt, lastEventAt, assignee } = alert;
  const items: Fact[] = [
    { label: 'Started', value: <Time value={startedAt} /> },
    { label: 'Ended', value: <Time value={endedAt} none="Not yet" /> },
    { label: 'Events', value: countText(alert.eventCount) },
    { label: 'Last event', value: <Time value={lastEventAt} /> },
    ...(mayChange
      ? []
      : [
          { label: 'Assignee', value: assignee && <Person {...assignee} /> },
          { label: 'Incident', value: incidentOf(alert, project) },
        ]),
    ...[
      { label: 'Service', value: alert.service },
      { label: 'Monitoring tool', value: alert.monitoringTool },
      { label: 'Environment', value: alert.environment?.name },
      { label: 'Hosts', value: hostsOf(alert.hosts) },
      { label: 'Runbook', value: alert.runbook && <LinkOrText text={alert.runbook} /> },
      ...metricFacts(alert),
      { label: 'Fingerprint', value: fingerprintOf(alert) },
    ].filter(({ value }) => value !== null && value !== undefined),
  ];
  return <DescriptionList items={items} />;
}

function fingerprintOf({ fingerprint }: FoundAlert): VNode | null {
  if (!fingerprint) return null;
  return <CopyableCode label="Copy fingerprint" value={fingerprint} />;
}

/** Only of alerts in the metrics-monitoring format. */
function metricFacts({ query, yLabel, payload }: FoundAlert): Fact[] {
  const metric = httpLink(payload['generatorURL']);
  if (query === null && metric === null) return [];
  return [
    { label: 'Metric', value: metric && <OutLink href={metric}>{yLabel ?? 'Open'}</OutLink> },
    { label: 'Query', value: query && <CopyableCode label="Copy query" value={query} /> },
    { label: 'Y-axis', value: yLabel },
  ];
}

function incidentOf({ issue }: FoundAlert, project: ProjectRow): ComponentChildren {
  if (issue === null || !project.issuesEnabled) return null;
  const { iid, title, state } = issue;
  return (
    <>
      <a href={incidentPath(project, iid)}>
        #{iid} {title}
      </a>
      {state === 'closed' && ' (closed)'}
    </>
  );
}

function Person({ username, name }: { username: string; name: string }): VNode {
  return <a href={`/${username}`}>{name}</a>;
}

function hostsOf(hosts: string[]): ComponentChildren {
  if (hosts.length === 0) return null;
  return (
    <ul class="flex flex-wrap gap-1.5">
      {hosts.map((host) => (
        <li key={host}>
          <code>{host}</code>
        </li>
      ))}
    </ul>
  );
}

/** Links http and https URLs only: tools call all kinds of text an address. */
function LinkOrText({ text }: { text: string }): VNode {
  const href = httpLink(text);
  return href === null ? <>{text}</> : <OutLink href={href}>{text}</OutLink>;
}

function OutLink({ href, children }: { href: string; children: ComponentChildren }): VNode {
  return (
    <a class="prose-link wrap-anywhere" href={href} rel="nofollow noopener noreferrer">
      {children}
    </a>
  );
}

interface SideProps {
  pageContext: Pick<PageContext, 'csrfToken' | 'viewer'>;
  project: ProjectRow;
  alert: FoundAlert;
  /** Below it are the addresses that forms post to. */
  base: string;
}

interface AssigneeCardProps extends SideProps {
  people: AssigneeCandidate[];
  errors: FormProblems | null;
}

/** Assigns the alert; the choice outlives the renewal of the region. */
export function AssigneeCard({
  pageContext,
  alert,
  base,
  people,
  errors,
}: AssigneeCardProps): VNode {
  const { csrfToken, viewer } = pageContext;
  const { assignee } = alert;
  const action = `${base}/assignee`;
  return (
    <Card title="Assignee">
      {viewer !== null && assignee?.id !== viewer.id && (
        <div>
          <PostButton action={action} csrfToken={csrfToken} fields={{ assignee: viewer.username }}>
            Assign to me
          </PostButton>
        </div>
      )}
      <div id="assignee-form" hx-morph-skip="true">
        <Form action={action} csrfToken={csrfToken} label="Assignee">
          <SelectField
            name="assignee"
            label="User"
            options={choicesOf(people, assignee)}
            value={assignee?.username ?? ''}
            errors={errors?.fields['assignee']}
          />
          <div>
            <Button variant="outline">Assign</Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}

/**
 * Returns "Unassigned" and the candidates. Includes the current assignee even if no longer a
 * candidate.
 */
function choicesOf(people: AssigneeCandidate[], assignee: FoundAlert['assignee']): Choice[] {
  const isListed = assignee === null || people.some(({ id }) => id === assignee.id);
  const all = isListed ? people : [assignee, ...people];
  const choices = all.map(({ username, name }) => ({
    value: username,
    label: `${name} (@${username})`,
  }));
  return [{ value: '', label: 'Unassigned' }, ...choices];
}

interface IncidentCardProps extends SideProps {
  /** As it was typed in. */
  issueIid: string;
  errors: FormProblems | null;
}

/** Creates or links the incident of the alert, or unlinks it. */
export function IncidentCard(props: IncidentCardProps): VNode {
  const { issue } = props.alert;
  return (
    <Card title="Incident">
      {issue === null ? <NewIncident {...props} /> : <LinkedIncident {...props} issue={issue} />}
    </Card>
  );
}

type LinkedIncidentProps = SideProps & { issue: NonNullable<FoundAlert['issue']> };

function LinkedIncident({ pageContext, project, base, issue }: LinkedIncidentProps): VNode {
  return (
    <>
      <p>
        <a href={incidentPath(project, issue.iid)}>
          #{issue.iid} {issue.title}
        </a>
      </p>
      <ConfirmButton
        label="Unlink"
        title={`Unlink incident #${issue.iid}?`}
        question="Removes the link only. Neither item is deleted."
        confirm="Unlink incident"
        action={`${base}/incident/unlink`}
        csrfToken={pageContext.csrfToken}
        variant="outline"
        size="small"
      />
    </>
  );
}

function NewIncident({
  pageContext: { csrfToken },
  base,
  issueIid,
  errors,
}: IncidentCardProps): VNode {
  return (
    <>
      <div>
        <PostButton action={`${base}/incident`} csrfToken={csrfToken}>
          Create incident
        </PostButton>
      </div>
      <div id="incident-form" hx-morph-skip="true">
        <Form action={`${base}/incident/link`} csrfToken={csrfToken} label="Link an incident">
          <TextField
            name="issue_iid"
            label="Link an existing incident"
            placeholder="e.g. #7"
            value={issueIid}
            errors={errors?.fields['issue_iid']}
            pattern="#?[0-9]+"
            required
          />
          <div>
            <Button variant="outline">Link incident</Button>
          </div>
        </Form>
      </div>
    </>
  );
}
