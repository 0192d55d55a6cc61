import type { ComponentChildren, VNode } from 'preact';
import { httpLink } from '../../../core/ui/addresses.js';
import { counted, countText } from '../../../core/ui/amounts.js';
import { Card, DescriptionList, type Fact } from '../../../core/ui/components/content.js';
import { CopyableCode } from '../../../core/ui/components/copy.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { AlertDeliveryRow } from '../../alert-deliveries.repository.js';
import type { FoundAlert } from '../../sql/alert-list.js';
import { incidentPath, integrationsPath } from '../alert-paths.js';
import { EventTrend } from '../alert-status.js';
import { SOURCE_LABELS } from '../integrations/deliveries.page.js';

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
          {
            label: 'Assignee',
            value: assignee && <a href={`/${assignee.username}`}>{assignee.name}</a>,
          },
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

interface EventsCardProps {
  pageContext: Pick<PageContext, 'viewer'>;
  project: ProjectRow;
  alert: FoundAlert;
  deliveries: AlertDeliveryRow[];
  /** Events in each of the last 24 hours. */
  trend: readonly number[];
}

/** Timeline of the alert's events: the latest deliveries, its start and its end. */
export function EventsCard(props: EventsCardProps): VNode {
  const { pageContext, project, alert, deliveries, trend } = props;
  const mayOpen = canInProject('admin_alert_integration', {
    ...project,
    viewer: pageContext.viewer,
  });
  const path = integrationsPath(project);
  const stored = deliveries.reduce((sum, { calls }) => sum + calls, 0);
  const more = alert.eventCount - stored;
  return (
    <Card title={`Events (${countText(alert.eventCount)})`}>
      {trend.some((events) => events > 0) && (
        <div>
          <EventTrend trend={trend} wide />
          <p class="text-muted-foreground flex justify-between text-xs">
            <span>24 hours ago</span>
            <span>Now</span>
          </p>
        </div>
      )}
      {deliveries.length === 0 && <p class="text-muted-foreground">No deliveries stored</p>}
      <ol class="grid gap-1.5" aria-label="Events">
        {alert.endedAt !== null && <Step time={alert.endedAt}>Ended</Step>}
        {runsOf(deliveries).map(({ id, integrationId, source, calls, createdAt }) => (
          <Step key={id} time={createdAt}>
            {mayOpen ? (
              <a class="prose-link" href={`${path}/${integrationId}/deliveries/${id}`}>
                {SOURCE_LABELS[source]}
              </a>
            ) : (
              SOURCE_LABELS[source]
            )}
            {calls > 1 && ` × ${countText(calls)}`}
          </Step>
        ))}
        {deliveries.length > 0 && more > 0 && (
          <li class="text-muted-foreground">{counted(more, 'earlier event')}</li>
        )}
        <Step time={alert.startedAt}>Started</Step>
      </ol>
    </Card>
  );
}

/** Returns one delivery, the latest, for each run of the same source, with the calls of all. */
function runsOf(deliveries: readonly AlertDeliveryRow[]): AlertDeliveryRow[] {
  const runs: AlertDeliveryRow[] = [];
  for (const delivery of deliveries) {
    const run = runs.at(-1);
    if (run?.source === delivery.source) run.calls += delivery.calls;
    else runs.push({ ...delivery });
  }
  return runs;
}

function Step({ time, children }: { time: Date; children: ComponentChildren }): VNode {
  return (
    <li class="flex items-baseline gap-2">
      <span class="bg-input size-1.5 shrink-0 -translate-y-0.5 rounded-full" aria-hidden="true" />
      <span class="min-w-0 grow">{children}</span>
      <span class="text-muted-foreground">
        <Time value={time} />
      </span>
    </li>
  );
}
