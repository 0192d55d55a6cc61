import type { Fact, EmailTemplate } from '../../core/mail/email-template.js';
import { oneLine } from '../../core/mail/mail-text.js';
import { severityOf } from '../alert-values.js';
import type { AlertEmailItem } from '../alert-emails.repository.js';

/** The content of an alert email, apart from the parts that all of them have in common. */
export type AlertEmailContent = Pick<EmailTemplate, 'subject' | 'paragraphs' | 'facts' | 'action'>;

/** Content of an email about a single alert that fires or has recovered. */
export function singleAlertContent(item: AlertEmailItem, baseUrl: string): AlertEmailContent {
  const page = `${item.projectPath}/-/alert_management/${item.iid}/details`;
  return {
    subject: `[${badgeOf(item)}] ${oneLine(item.title)} – ${placeOf(item)}`,
    paragraphs: paragraphsOf(item),
    facts: factsOf(item),
    action: { label: 'View alert', href: `${baseUrl}/${page}` },
  };
}

/** `High`, or that the alert has recovered: begins a subject. */
export function badgeOf({ news, severity }: AlertEmailItem): string {
  const name = news === 'recovery' ? 'recovered' : severityOf(severity);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** `Checkout (production)` */
function placeOf({ projectOwnName, environment }: AlertEmailItem): string {
  const project = oneLine(projectOwnName);
  return environment === null ? project : `${project} (${oneLine(environment)})`;
}

function paragraphsOf({ news, projectName, events, eventCount }: AlertEmailItem): string[] {
  const project = oneLine(projectName);
  if (news === 'recovery') return [`Alert recovered in ${project}`];
  if (eventCount <= events) return [`New alert in ${project}`];
  const count = events === 1 ? '1 new event' : `${events} new events`;
  return [`Alert still firing in ${project}`, `${count} since the last email`];
}

function factsOf(alert: AlertEmailItem): Fact[] {
  const facts: [string, string | null][] = [
    ['Title', alert.title],
    ['Severity', severityOf(alert.severity)],
    ['Project', alert.projectName],
    ['Started', timeText(alert.startedAt)],
    ['Ended', alert.endedAt === null ? null : timeText(alert.endedAt)],
    ['Service', alert.service],
    ['Monitoring tool', alert.monitoringTool],
    ['Environment', alert.environment],
    ['Hosts', alert.hosts.join(', ')],
    ['Events', String(alert.eventCount)],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** `2026-03-01 10:00:00 UTC` */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
