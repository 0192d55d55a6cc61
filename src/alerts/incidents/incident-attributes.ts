import { codeMarkdown, inlineMarkdown } from '../../core/inline-markdown.js';
import type { IssueSeverity } from '../../workspace/issues/issue.entity.js';
import { severityOf } from '../alert-values.js';
import type { Alert } from '../alert.entity.js';

/** Attributes of an alert that an incident's description shows. */
export type DescribedAlert = Pick<
  Alert,
  | 'severity'
  | 'startedAt'
  | 'query'
  | 'service'
  | 'monitoringTool'
  | 'hosts'
  | 'description'
  | 'incidentMarkdown'
>;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Two spaces before the end of a line keep the next row from joining it. */
const END_OF_ROW = '  \n';

const SEPARATOR = '\n\n---\n\n';

/**
 * Returns the Markdown of an alert's incident: the attributes of the alert row by row, then the
 * Markdown that its sender provided for incidents, then the project's issue template, separated by
 * rules. Texts of the alert cannot break out of their row; the other two parts are Markdown and
 * stay as they are.
 */
export function incidentText(
  alert: DescribedAlert,
  { webUrl, template = null }: { webUrl: string; template?: string | null },
): string {
  const rows = rowsOf(alert, webUrl).map(([key, value]) => `**${key}:** ${value}${END_OF_ROW}`);
  const further = [alert.incidentMarkdown, template].filter((part) => isGiven(part));
  if (further.length === 0) return rows.join('');
  return [rows.join('').slice(0, -1), ...further].join(SEPARATOR);
}

/** Returns the severity of the alert's incident; issues have no severity `info`. */
export function incidentSeverity(alert: Pick<Alert, 'severity'>): IssueSeverity {
  const severity = severityOf(alert.severity);
  return severity === 'info' ? 'unknown' : severity;
}

function rowsOf(alert: DescribedAlert, webUrl: string): [string, string][] {
  const rows: [string, string | null][] = [
    ['Start time', timeText(alert.startedAt)],
    ['Severity', severityOf(alert.severity)],
    ['full_query', isGiven(alert.query) ? codeMarkdown(alert.query) : null],
    ['Service', inlineText(alert.service)],
    ['Monitoring tool', inlineText(alert.monitoringTool)],
    ['Hosts', inlineText(alert.hosts.join(' '))],
    ['Description', inlineText(alert.description)],
    ['Alert', webUrl],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null);
}

function inlineText(text: string | null): string | null {
  return isGiven(text) ? inlineMarkdown(text) : null;
}

function isGiven(text: string | null): text is string {
  return text !== null && text.trim() !== '';
}

/** `01 March 2026, 9:05AM (UTC)` */
function timeText(time: Date): string {
  const day = String(time.getUTCDate()).padStart(2, '0');
  const hour = time.getUTCHours();
  const minute = String(time.getUTCMinutes()).padStart(2, '0');
  const clock = `${hour % 12 || 12}:${minute}${hour < 12 ? 'AM' : 'PM'}`;
  return `${day} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} (UTC)`;
}
