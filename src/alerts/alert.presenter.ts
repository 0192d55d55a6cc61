import type { ItemFormat } from '../core/sql/json-pages.service.js';
import { presentUserBasic, type UserBasicResponse } from '../identity/users/user.presenter.js';
import type { IssueState } from '../workspace/issues/issue.entity.js';
import { fullPathOf, type ProjectRow } from '../workspace/projects/projects.repository.js';
import { severityOf, statusOf, type AlertSeverity, type AlertStatus } from './alert-values.js';
import type { JsonObject } from './parsing/incoming-alert.js';
import { flattenPayload, prometheusDetails } from './parsing/payload-details.js';
import type { AlertRow, FoundAlert } from './sql/alert-list.js';
import type { AlertCounts } from './sql/alert-counts.js';

/** Environment of an alert. */
interface AlertEnvironmentResponse {
  id: number;
  /** @example production */
  name: string;
}

/** Issue or incident of an alert. */
interface AlertIssueResponse {
  id: number;
  /**
   * Number within the project.
   * @example 7
   */
  iid: number;
  title: string;
  state: IssueState;
  /** @example https://guildhall.example.com/tools/lathe/-/issues/7 */
  web_url: string;
}

/** An alert. */
export interface AlertResponse {
  id: number;
  /**
   * Number within the project.
   * @example 17
   */
  iid: number;
  project_id: number;
  /** @example Disk full */
  title: string;
  description: string | null;
  /** @example queue */
  service: string | null;
  /** @example Prometheus */
  monitoring_tool: string | null;
  /** Runbook of the alert: a URL or text. */
  runbook: string | null;
  /**
   * Query of the metric, of alerts in the metrics-monitoring format.
   * @example queue_len > 10000
   */
  query: string | null;
  /** Label of the metric's axis. */
  y_label: string | null;
  severity: AlertSeverity;
  status: AlertStatus;
  /**
   * Fingerprint that groups events into one alert, as 40 hex digits; null for some of the oldest
   * alerts.
   * @example 3fe9dea383962bc1e8ab5479409565317a0b774d
   */
  fingerprint: string | null;
  /** True while an active silence matches the alert. */
  silenced: boolean;
  /** Number of events of the alert. */
  event_count: number;
  /** @example ["mq-1", "mq-2"] */
  hosts: string[];
  /** @format date-time */
  started_at: string;
  /**
   * null unless resolved.
   * @format date-time
   */
  ended_at: string | null;
  /**
   * Time of the last event.
   * @format date-time
   */
  last_event_at: string;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  environment: AlertEnvironmentResponse | null;
  /** null also in projects with issues disabled. */
  issue: AlertIssueResponse | null;
  /** Assignee of the alert, as a list of at most one user. */
  assignees: UserBasicResponse[];
  /** @example https://guildhall.example.com/tools/lathe/-/alert_management/17/details */
  web_url: string;
}

/** An alert with its payload. */
export interface AlertDetailsResponse extends AlertResponse {
  /**
   * Flattened payload with dot-separated names. For the metrics-monitoring format it contains the
   * supported attributes and labels, and all annotations.
   * @example {"title": "Disk full", "disk.free": 0}
   */
  details: Record<string, unknown>;
  /**
   * Received payload: the body, or the item of a body in the metrics-monitoring format.
   * @example {"title": "Disk full", "disk": {"free": 0}}
   */
  payload: Record<string, unknown>;
}

/** Number of alerts per status. */
interface AlertCountsResponse {
  all: number;
  /** Triggered and acknowledged alerts. */
  open: number;
  triggered: number;
  acknowledged: number;
  resolved: number;
  ignored: number;
}

/** Alert counts, in the format of issue statistics. */
export interface AlertStatisticsResponse {
  statistics: { counts: AlertCountsResponse };
}

/** The project whose alerts are presented, and the address of this instance. */
interface AlertPresentation {
  project: Pick<ProjectRow, 'id' | 'path' | 'issuesEnabled'> & { namespace: { fullPath: string } };
  baseUrl: string;
}

/** The form of alerts in a list of their project. */
export function alertFormat(
  presentation: AlertPresentation,
): ItemFormat<AlertResponse, AlertRow, { isSilenced: boolean }> {
  const { project } = presentation;
  return {
    name: `alert ${fullPathOf(project)} ${project.issuesEnabled}`,
    form: () => '',
    present: (row) => ({ ...presentAlert(row, presentation), silenced: undefined }),
    presentFresh: ({ isSilenced }) => ({ silenced: isSilenced }),
  };
}

/** An alert as lists show it. */
export function presentAlert(
  row: AlertRow,
  { project, baseUrl }: AlertPresentation,
): AlertResponse {
  return {
    id: row.id,
    iid: row.iid,
    project_id: project.id,
    title: row.title,
    description: row.description,
    service: row.service,
    monitoring_tool: row.monitoringTool,
    runbook: row.runbook,
    query: row.query,
    y_label: row.yLabel,
    severity: severityOf(row.severity),
    status: statusOf(row.status),
    fingerprint: row.fingerprint,
    silenced: row.isSilenced,
    event_count: row.eventCount,
    hosts: row.hosts,
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    last_event_at: row.lastEventAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    environment: row.environment,
    issue: presentIssueOf(row, { project, baseUrl }),
    assignees: row.assignee === null ? [] : [presentUserBasic(row.assignee, baseUrl)],
    web_url: alertWebUrl(baseUrl, fullPathOf(project), row.iid),
  };
}

/** A single alert. */
export function presentAlertDetails(
  row: FoundAlert,
  presentation: AlertPresentation,
): AlertDetailsResponse {
  const payload: JsonObject = row.payload;
  // A label of the axis marks alerts in the metrics-monitoring format.
  const details = row.yLabel === null ? flattenPayload(payload) : prometheusDetails(payload);
  return { ...presentAlert(row, presentation), details, payload };
}

/** Numbers of alerts, by state. */
export function presentAlertStatistics(counts: AlertCounts): AlertStatisticsResponse {
  return { statistics: { counts } };
}

function presentIssueOf(
  { issue }: AlertRow,
  { project, baseUrl }: AlertPresentation,
): AlertIssueResponse | null {
  if (issue === null || !project.issuesEnabled) return null;
  return { ...issue, web_url: `${baseUrl}/${fullPathOf(project)}/-/issues/${issue.iid}` };
}

/** Address of an alert's page. */
export function alertWebUrl(baseUrl: string, projectFullPath: string, iid: number): string {
  return `${baseUrl}/${projectFullPath}/-/alert_management/${iid}/details`;
}
