import { codeBlockMarkdown, codeMarkdown, inlineMarkdown } from '../../core/inline-markdown.js';
import type { ErrorRow } from './error-row.js';

/** Newest event of an error, with the attributes that an issue shows. */
export interface DescribedEvent {
  environment: string;
  /** Its stacks as text; empty when it has none. */
  trace: string;
}

type DescribedError = Pick<
  ErrorRow,
  'value' | 'culprit' | 'firstSeenAt' | 'lastSeenAt' | 'eventsCount' | 'usersCount' | 'lastRelease'
>;

/** Stacks of thousands of calls stay readable, and the description within its bound. */
const MAX_TRACE_LINES = 200;
const MAX_TRACE_LENGTH = 50_000;

/** Two spaces before the end of a line keep the next row from joining it. */
const END_OF_ROW = '  \n';

/**
 * Returns the Markdown description of an issue for an error: its attributes row by row, then the
 * stack trace of its newest event. Texts of programs cannot break out of their row or block, and
 * mention no one.
 */
export function errorIssueText(
  error: DescribedError,
  { webUrl, event }: { webUrl: string; event: DescribedEvent | null },
): string {
  const rows: [string, string | null][] = [
    ['Error', webUrl],
    ['Message', error.value === null ? null : inlineMarkdown(error.value)],
    ['Where', codeMarkdown(error.culprit)],
    ['First seen', error.firstSeenAt.toISOString()],
    ['Last seen', error.lastSeenAt.toISOString()],
    ['Events', String(error.eventsCount)],
    ['Users affected', String(error.usersCount)],
    ['Environment', event === null ? null : inlineMarkdown(event.environment)],
    ['Release', error.lastRelease === null ? null : codeMarkdown(error.lastRelease)],
  ];
  const given = rows.filter(([, value]) => value !== null && value !== '');
  const facts = given.map(([key, value]) => `**${key}:** ${value}${END_OF_ROW}`).join('');
  const trace = bounded(event?.trace ?? '');
  return trace === '' ? facts : `${facts}\n### Stack trace\n\n${codeBlockMarkdown(trace)}\n`;
}

function bounded(trace: string): string {
  const lines = trace.trim().split(/\r\n|[\r\n]/);
  const text = lines.slice(0, MAX_TRACE_LINES).join('\n').slice(0, MAX_TRACE_LENGTH);
  const isWhole = lines.length <= MAX_TRACE_LINES && text.length < MAX_TRACE_LENGTH;
  return isWhole ? text : `${text}\n…`;
}
