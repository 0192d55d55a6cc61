import type { ComponentChildren, VNode } from 'preact';
import { countText } from '../../../core/ui/amounts.js';
import { DescriptionList, type Fact } from '../../../core/ui/components/content.js';
import { CopyableCode } from '../../../core/ui/components/copy-button.js';
import { Time } from '../../../core/ui/components/time.js';
import { httpLink } from '../../../core/ui/http-link.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { FoundAlert } from '../../sql/alert-list.js';
import { incidentPath } from '../alert-paths.js';

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
