import type { VNode } from 'preact';
import {
  Badge,
  CodeBlock,
  FactRow,
  Facts,
  Items,
  Link,
  Note,
  Paragraph,
  PlainText,
  type Tone,
} from '../../core/mail/email-parts.js';
import { renderEmail, type EmailTemplate } from '../../core/mail/email-template.js';
import { oneLine, type EmailContent } from '../../core/mail/mail.js';
import { httpLink } from '../../core/ui/addresses.js';
import { ROLES, roleName } from '../../identity/members/roles.js';
import type { AlertEmailItem, AlertEmailItems } from '../alert-emails.repository.js';
import { type AlertSeverity, severityOf } from '../alert-values.js';

type Content = Omit<EmailTemplate, 'reasons' | 'hasSettings' | 'baseUrl'>;

/** Renders the email about an alert, or about several. */
export function alertEmail(
  items: AlertEmailItems,
  { reasons, baseUrl }: Pick<EmailTemplate, 'reasons' | 'baseUrl'>,
): EmailContent {
  const [first, ...more] = items;
  const content = more.length === 0 ? alertContent(first, baseUrl) : digestContent(items, baseUrl);
  return renderEmail({ ...content, reasons, hasSettings: true, baseUrl });
}

/** Content of an email about a single alert that fires or has recovered. */
function alertContent(item: AlertEmailItem, baseUrl: string): Content {
  const page = pageOf(item, baseUrl);
  const acknowledge = { label: 'Acknowledge', href: `${page}/acknowledge` };
  return {
    subject: `[${badgeOf(item)}] ${oneLine(item.title)} – ${placeOf(item)}`,
    place: `${item.projectName} · Alert #${item.iid}`,
    heading: item.title,
    tone: toneOf(item),
    body: <AlertBody item={item} />,
    actions: [
      { label: 'View alert', href: `${page}/details` },
      ...(item.news === 'firing' ? [acknowledge] : []),
    ],
  };
}

function pageOf({ projectPath, iid }: AlertEmailItem, baseUrl: string): string {
  return `${baseUrl}/${projectPath}/-/alert_management/${iid}`;
}

const TONES: Record<AlertSeverity, Tone> = {
  critical: 'red',
  high: 'orange',
  medium: 'amber',
  low: 'blue',
  info: 'gray',
  unknown: 'gray',
};

function toneOf({ news, severity }: AlertEmailItem): Tone {
  return news === 'recovery' ? 'green' : TONES[severityOf(severity)];
}

/** `High`, or that the alert has recovered: begins a subject. */
function badgeOf({ news, severity }: AlertEmailItem): string {
  return capitalized(news === 'recovery' ? 'recovered' : severityOf(severity));
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `Checkout (production)` */
function placeOf({ projectOwnName, environment }: AlertEmailItem): string {
  const project = oneLine(projectOwnName);
  return environment === null ? project : `${project} (${oneLine(environment)})`;
}

/** Longer lists could make an email that Gmail clips. */
const MAX_HOSTS = 20;
const MAX_LISTED = 50;
export const MAX_PROJECTS = 20;

function AlertBody({ item }: { item: AlertEmailItem }): VNode {
  const { hosts, description, query, runbook } = item;
  const rest = hosts.length - MAX_HOSTS;
  const listed = hosts.slice(0, MAX_HOSTS).join(', ');
  const severity = severityOf(item.severity);
  return (
    <>
      <Paragraph>{newsOf(item)}</Paragraph>
      <Facts
        facts={{
          Severity: <Badge tone={TONES[severity]}>{capitalized(severity)}</Badge>,
          Environment: item.environment,
          Service: item.service,
          Hosts: rest > 0 ? `${listed} and ${rest} more` : listed,
          'Monitoring tool': item.monitoringTool,
          Started: timeText(item.startedAt),
          Ended: item.endedAt === null ? null : timeText(item.endedAt),
          Events: String(item.eventCount),
          Runbook: runbook && <Runbook text={runbook} />,
        }}
      />
      {description !== null && <PlainText text={description} />}
      {query !== null && <CodeBlock label="Query:" code={query} />}
    </>
  );
}

function Runbook({ text }: { text: string }): VNode {
  const href = httpLink(text);
  return href === null ? <>{text}</> : <Link href={href}>{href}</Link>;
}

function newsOf({ news, projectName, events, eventCount }: AlertEmailItem): string {
  if (news === 'recovery') return `Alert recovered in ${projectName}.`;
  if (eventCount <= events) return `New alert in ${projectName}.`;
  const count = events === 1 ? '1 new event' : `${events} new events`;
  return `Alert still firing in ${projectName}: ${count} since the last email.`;
}

/** `2026-03-01 10:00:00 UTC` */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Content of an email about several alerts. */
function digestContent(items: AlertEmailItems, baseUrl: string): Content {
  const projects = projectsOf(items);
  const [first] = items;
  const isOneProject = projects.length === 1;
  const name = isOneProject ? first.projectOwnName : `${projects.length} projects`;
  const list = { label: 'View alerts', href: listOf(first, baseUrl) };
  return {
    subject: `[${badgeOf(first)}] ${countsText(items)} – ${oneLine(name)}`,
    place: `${isOneProject ? first.projectName : name} · Alerts`,
    heading: countsText(items),
    tone: toneOf(first),
    body: <DigestBody items={items} projects={projects} baseUrl={baseUrl} />,
    ...(isOneProject && { actions: [list] }),
  };
}

function listOf({ projectPath }: AlertEmailItem, baseUrl: string): string {
  return `${baseUrl}/${projectPath}/-/alert_management`;
}

/** `12 alerts firing, 3 recovered` */
function countsText(items: AlertEmailItems): string {
  const firing = items.filter(({ news }) => news === 'firing').length;
  const recovered = items.length - firing;
  if (firing === 0) return `${recovered} alerts recovered`;
  const text = firing === 1 ? '1 alert firing' : `${firing} alerts firing`;
  return recovered === 0 ? text : `${text}, ${recovered} recovered`;
}

interface DigestProps {
  items: AlertEmailItems;
  /** The first alert of each project. */
  projects: readonly AlertEmailItem[];
  baseUrl: string;
}

function DigestBody({ items, projects, baseUrl }: DigestProps): VNode {
  const isOneProject = projects.length === 1;
  const rest = items.length - MAX_LISTED;
  const hidden = projects.length - MAX_PROJECTS;
  return (
    <>
      <Paragraph>
        {isOneProject
          ? 'Since the last email:'
          : `In ${projects.length} projects since the last email:`}
      </Paragraph>
      <table style="margin:0 0 16px;border-collapse:collapse">
        {items.slice(0, MAX_LISTED).map((item) => (
          <FactRow
            key={`${item.news}${item.id}`}
            label={<Badge tone={toneOf(item)}>{badgeOf(item)}</Badge>}
          >
            <Link href={`${pageOf(item, baseUrl)}/details`} isQuiet>
              {item.title}
            </Link>{' '}
            {referenceOf(item, isOneProject)}
          </FactRow>
        ))}
      </table>
      {rest > 0 && <Note>{rest === 1 ? '1 more alert' : `${rest} more alerts`}</Note>}
      {!isOneProject && (
        <Items>
          {projects.slice(0, MAX_PROJECTS).map((project) => (
            <li key={project.projectId}>
              <Link href={listOf(project, baseUrl)}>{project.projectName}</Link>
            </li>
          ))}
        </Items>
      )}
      {hidden > 0 && <Note>{hidden === 1 ? '1 more project' : `${hidden} more projects`}</Note>}
    </>
  );
}

/** `(Checkout #4, 2 events)` */
function referenceOf(
  { iid, events, projectOwnName }: AlertEmailItem,
  isOneProject: boolean,
): string {
  const reference = isOneProject ? `#${iid}` : `${projectOwnName} #${iid}`;
  return `(${reference}${events > 1 ? `, ${events} events` : ''})`;
}

/** Returns the sentence about the reader's role in the project. */
export function alertReason({ projectName, accessLevel }: AlertEmailItem): string {
  const article = accessLevel === ROLES.owner ? 'an' : 'a';
  const role = `${article} ${roleName(accessLevel).toLowerCase()}`;
  return `You're receiving this because you're ${role} of ${oneLine(projectName)}.`;
}

/** The first item of each project. */
export function projectsOf(items: AlertEmailItems): AlertEmailItem[] {
  const known = new Set<number>();
  return items.filter(({ projectId }) => !known.has(projectId) && known.add(projectId));
}
