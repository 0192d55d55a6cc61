import type { Fact } from '../../core/mail/email-template.js';
import { oneLine } from '../../core/mail/mail-text.js';
import { severityOf } from '../alert-values.js';
import type { AlertEmailItem, AlertEmailItems } from '../alert-emails.repository.js';
import { badgeOf, type AlertEmailContent } from './alert-email.js';

/** A longer list makes emails that mail programs cut off. */
const MAX_LISTED = 200;

/** Content of an email about several alerts; `projects` holds the first alert of each project. */
export function digestContent(
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
