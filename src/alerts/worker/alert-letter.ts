import { writeLetter, type Fact } from '../../mail/letter.js';
import type { Letter } from '../../mail/mail.js';
import { oneLine } from '../../mail/mail-text.js';
import { projectHeaders } from '../../mail/project-headers.js';
import { severityOf } from '../alert-values.js';
import type { AlertReader, MailedAlert } from './alert-mail-rows.js';

/** Why a mail about an alert is written. */
export type AlertNews = 'firing' | 'recovery';

/** An alert and how many events of it are to be told. */
export interface ToldAlert {
  alert: MailedAlert;
  events: number;
}

interface AlertLetter {
  news: AlertNews;
  alert: MailedAlert;
  reader: Pick<AlertReader, 'name'>;
  /** Events that the mail stands for. */
  events: number;
  baseUrl: string;
}

/** Tells a member that an alert fires, or that what it told of is over. */
export function alertLetter({ news, alert, reader, events, baseUrl }: AlertLetter): Letter {
  const title = oneLine(alert.title);
  const project = oneLine(alert.projectName);
  const page = `${alert.projectPath}/-/alert_management/${alert.iid}/details`;
  const letter = writeLetter({
    subject: `${project} | ${news === 'firing' ? 'Alert' : 'Recovered'}: ${title}`,
    name: reader.name,
    paragraphs: paragraphs(news, { title, project, events }),
    facts: factsOf(alert, project),
    action: { label: 'Open the alert', href: `${baseUrl}/${page}` },
    notes: [reasonText(project)],
    baseUrl,
  });
  return { ...letter, headers: headersOf(alert, baseUrl) };
}

/** Tells of a burst of alerts of one project at once. */
export function alertDigest({
  news,
  told,
  reader,
  baseUrl,
}: Omit<AlertLetter, 'alert' | 'events'> & { told: ToldAlert[] }): Letter | null {
  const [first] = told;
  if (first === undefined) return null;
  const project = oneLine(first.alert.projectName);
  const count = `${told.length} alerts`;
  const letter = writeLetter({
    subject: `${project} | ${news === 'firing' ? 'Firing' : 'Recovered'}: ${count}`,
    name: reader.name,
    paragraphs: [
      news === 'firing' ? `${count} fire in ${project}.` : `${count} have recovered in ${project}.`,
    ],
    facts: told.map(({ alert, events }) => ({
      label: `#${alert.iid}, ${severityOf(alert.severity)}`,
      value: `${oneLine(alert.title)}${events > 1 ? ` (${events} times)` : ''}`,
    })),
    action: {
      label: 'Open the alerts',
      href: `${baseUrl}/${first.alert.projectPath}/-/alert_management`,
    },
    notes: [reasonText(project)],
    baseUrl,
  });
  return { ...letter, headers: headersOf(first.alert, baseUrl) };
}

function reasonText(project: string): string {
  return `You get this mail because of your role in ${project}, which mails its alerts.`;
}

function headersOf(
  { projectId, projectOwnName, projectPath }: MailedAlert,
  baseUrl: string,
): Record<string, string> {
  const project = { id: projectId, name: projectOwnName, path: projectPath };
  return {
    ...projectHeaders(project, new URL(baseUrl).hostname),
    'X-Svc-NotificationReason': 'alert',
  };
}

function paragraphs(
  news: AlertNews,
  { title, project, events }: { title: string; project: string; events: number },
): string[] {
  const first =
    news === 'firing'
      ? `An alert fires in ${project}: ${title}`
      : `An alert in ${project} has recovered: ${title}`;
  if (events === 1) return [first];
  const told = news === 'firing' ? 'fired' : 'recovered';
  return [first, `It ${told} ${events} times since the last mail about it.`];
}

function factsOf(alert: MailedAlert, project: string): Fact[] {
  const facts: [string, string | null][] = [
    ['Title', alert.title],
    ['Severity', severityOf(alert.severity)],
    ['Project', project],
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
