import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { publicHost } from '../../core/public-url.js';
import { renderEmail, type EmailTemplate, type Fact } from '../../core/mail/email-template.js';
import type { EmailContent, Mail } from '../../core/mail/mail.js';
import { oneLine, projectHeaders } from '../../core/mail/mail-text.js';
import { ROLES, roleName } from '../../identity/members/roles.js';
import {
  unsubscribeAddress,
  unsubscribeHeaders,
  UnsubscribeKeys,
} from '../../workspace/subscriptions/unsubscribe-keys.js';
import type { AlertEmailItem, AlertEmailItems, AlertReader } from '../alert-emails.repository.js';
import { statusOf, severityOf } from '../alert-values.js';

/** The content of an alert email, apart from the parts that all of them have in common. */
type AlertEmailContent = Pick<EmailTemplate, 'subject' | 'paragraphs' | 'facts' | 'action'>;

/** Content of an email about a single alert that fires or has recovered. */
function singleAlertContent(item: AlertEmailItem, baseUrl: string): AlertEmailContent {
  const page = `${item.projectPath}/-/alert_management/${item.iid}/details`;
  return {
    subject: `[${badgeOf(item)}] ${oneLine(item.title)} – ${placeOf(item)}`,
    paragraphs: paragraphsOf(item),
    facts: factsOf(item),
    action: { label: 'View alert', href: `${baseUrl}/${page}` },
  };
}

/** `High`, or that the alert has recovered: begins a subject. */
function badgeOf({ news, severity }: AlertEmailItem): string {
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

/** A longer list makes emails that mail programs cut off. */
const MAX_LISTED = 200;

/** Content of an email about several alerts; `projects` holds the first alert of each project. */
function digestContent(
  items: AlertEmailItems,
  projects: readonly AlertEmailItem[],
  baseUrl: string,
): AlertEmailContent {
  const [first] = items;
  const isOneProject = projects.length === 1;
  const count = `${projects.length} projects`;
  const listed = items.slice(0, MAX_LISTED).map((item) => factOf(item, isOneProject));
  const pages = projects.map(({ projectName, projectPath }) => ({
    label: oneLine(projectName),
    value: `${baseUrl}/${projectPath}/-/alert_management`,
  }));
  return {
    subject: `[${badgeOf(first)}] ${countsText(items)} – ${isOneProject ? oneLine(first.projectOwnName) : count}`,
    paragraphs: [`${countsText(items)} in ${isOneProject ? oneLine(first.projectName) : count}`],
    facts: [...listed, ...restOf(items), ...(isOneProject ? [] : pages)],
    ...(isOneProject && { action: { label: 'View alerts', href: pages[0]?.value ?? baseUrl } }),
  };
}

/** `12 alerts firing, 3 recovered` */
function countsText(items: AlertEmailItems): string {
  const firing = items.filter(({ news }) => news === 'firing').length;
  const recovered = items.length - firing;
  if (firing === 0) return `${recovered} alerts recovered`;
  const text = firing === 1 ? '1 alert firing' : `${firing} alerts firing`;
  return recovered === 0 ? text : `${text}, ${recovered} recovered`;
}

function factOf(item: AlertEmailItem, isOneProject: boolean): Fact {
  const { iid, news, severity, title, events, projectOwnName } = item;
  const reference = isOneProject ? `#${iid}` : `${oneLine(projectOwnName)} #${iid}`;
  const state = news === 'recovery' ? 'recovered' : severityOf(severity);
  const count = events > 1 ? ` (${events} events)` : '';
  return { label: `${reference}, ${state}`, value: `${oneLine(title)}${count}` };
}

function restOf({ length }: AlertEmailItems): Fact[] {
  const rest = length - MAX_LISTED;
  return rest > 0 ? [{ label: 'Not listed', value: `${rest} more` }] : [];
}

/** Writes alert emails: of one alert, or a digest. */
@Injectable()
export class AlertEmailWriter {
  constructor(
    private readonly keys: UnsubscribeKeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns one email about pending news of a person, all for the address of the first. */
  write(items: AlertEmailItems, reader: AlertReader): Mail {
    const { baseUrl } = this.config;
    const [first, ...more] = items;
    const projects = projectsOf(items);
    const projectIds = projects.map(({ projectId }) => projectId);
    const isSingle = more.length === 0;
    const content = isSingle
      ? singleAlertContent(first, baseUrl)
      : digestContent(items, projects, baseUrl);
    return {
      to: first.address,
      kind: first.news === 'firing' ? 'alert_firing' : 'alert_recovered',
      ...renderEmail({
        ...content,
        name: reader.name,
        reasons: projects.map((project) => this.reason(project, reader)),
        baseUrl,
      }),
      ...(isSingle && threadOf(first, baseUrl)),
      headers: {
        ...(projects.length === 1 && projectHeadersOf(first, baseUrl)),
        ...(isSingle && alertHeaders(first)),
        ...this.readerHeaders(projectIds, reader),
      },
    };
  }

  private reason(
    { projectId, projectName, accessLevel }: AlertEmailItem,
    reader: AlertReader,
  ): Required<EmailTemplate>['reasons'][number] {
    const article = accessLevel === ROLES.owner ? 'an' : 'a';
    const role = `${article} ${roleName(accessLevel).toLowerCase()}`;
    const key = this.keys.keyOf({ kind: 'alerts', projectIds: [projectId] }, reader.id);
    return {
      text: `You're receiving this because you're ${role} of ${oneLine(projectName)}.`,
      unsubscribeHref: unsubscribeAddress(this.config.baseUrl, key),
    };
  }

  private readerHeaders(projectIds: number[], { id }: AlertReader): Record<string, string> {
    const { baseUrl, mailFrom } = this.config;
    const thread = { kind: 'alerts', projectIds } as const;
    return {
      'Reply-To': mailFrom,
      'X-Svc-NotificationReason': 'alert',
      'X-Svc-Reply-Key': this.keys.replyKeyOf(thread, id),
      ...unsubscribeHeaders(baseUrl, this.keys.keyOf(thread, id)),
    };
  }
}

/** The first item of each project. */
function projectsOf(items: AlertEmailItems): AlertEmailItem[] {
  const known = new Set<number>();
  return items.filter(({ projectId }) => !known.has(projectId) && known.add(projectId));
}

/** Mail programs show all emails about one alert as a thread. */
function threadOf({ id }: AlertEmailItem, baseUrl: string): Partial<EmailContent> {
  const root = `<alert_${id}@${publicHost(baseUrl)}>`;
  return { inReplyTo: root, references: [root] };
}

function projectHeadersOf(
  { projectId, projectOwnName, projectPath }: AlertEmailItem,
  baseUrl: string,
): Record<string, string> {
  const project = { id: projectId, name: projectOwnName, path: projectPath };
  return projectHeaders(project, publicHost(baseUrl));
}

function alertHeaders({ id, iid, status }: AlertEmailItem): Record<string, string> {
  return {
    'X-Svc-Alert-ID': String(id),
    'X-Svc-Alert-IID': String(iid),
    'X-Svc-Alert-Status': statusOf(status),
  };
}
