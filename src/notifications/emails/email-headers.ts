import { oneLine, projectHeaders, type EmailContent } from '../../core/mail/mail.js';
import { MAIL_REASONS } from '../notification-values.js';
import { type EmailFacts, shortSha } from './email-facts.js';

const REASONS = new Map<number, string>(
  Object.entries(MAIL_REASONS).map(([name, number]) => [number, name]),
);

const PIPELINE_NEWS: Partial<Record<EmailFacts['kind'], string>> = {
  failed_pipeline: 'Failed',
  fixed_pipeline: 'Fixed',
  success_pipeline: 'Passed',
};

/**
 * Headers that mail clients build threads from: the same for all readers, so that threads merge in
 * lists.
 */
type ThreadHeaders = Required<Pick<EmailContent, 'messageId'>> &
  Pick<EmailContent, 'inReplyTo' | 'references'>;

/**
 * Returns the subject of the emails about a notification; those that do not begin a thread are
 * replies to it.
 */
export function emailSubject({ kind, row, subject }: EmailFacts): string {
  const { project, pipeline } = row;
  const name = oneLine(project.name);
  if (subject.noun === 'project') return `${name} | Project moved`;
  if (pipeline !== null) {
    const ref = pipeline.ref === '' ? '' : ` for ${oneLine(pipeline.ref)}`;
    return `${name} | ${PIPELINE_NEWS[kind] ?? 'Ended'} pipeline${ref} (${shortSha(pipeline.sha)})`;
  }
  const isFirst = kind === 'new_issue' || kind === 'new_merge_request';
  const title = `${name} | ${oneLine(subject.title)} (${subject.reference})`;
  return isFirst ? title : `Re: ${title}`;
}

/** `random` = secret hex of the notification, the same each time. */
export function threadHeaders(
  { kind, row }: EmailFacts,
  { host, random }: { host: string; random: string },
): ThreadHeaders {
  const name = rootName(row);
  if (name === null) return { messageId: `<${random}@${host}>` };
  const root = `<${name}@${host}>`;
  if (kind === 'new_issue' || kind === 'new_merge_request') return { messageId: root };
  const messageId = row.note === null ? `<${random}@${host}>` : `<note_${row.note.id}@${host}>`;
  return { messageId, inReplyTo: root, references: [root] };
}

function rootName({ issue, mergeRequest, snippet, note }: EmailFacts['row']): string | null {
  if (issue !== null) return `issue_${issue.id}`;
  if (mergeRequest !== null) return `merge_request_${mergeRequest.id}`;
  if (snippet !== null) return `snippet_${snippet.id}`;
  return note?.sha == null ? null : `commit_${note.sha}`;
}

/** Returns the headers for email filters, without those of the reader. */
export function filterHeaders(
  { row }: EmailFacts,
  host: string,
  reason: number | null,
): Record<string, string> {
  const { project } = row;
  const why = reason === null ? undefined : REASONS.get(reason);
  return {
    ...projectHeaders(project, host),
    ...targetHeaders(row),
    ...(why !== undefined && { 'X-Svc-NotificationReason': why }),
  };
}

function targetHeaders(row: EmailFacts['row']): Record<string, string> {
  const { issue, mergeRequest, snippet, note, pipeline } = row;
  if (issue !== null) {
    return {
      ...itemHeaders('Issue', issue),
      'X-Svc-ConfidentialIssue': String(issue.confidential),
    };
  }
  if (mergeRequest !== null) return itemHeaders('MergeRequest', mergeRequest);
  if (snippet !== null) return { 'X-Svc-Snippet-ID': String(snippet.id) };
  if (pipeline !== null) {
    return {
      'X-Svc-Pipeline-Id': String(pipeline.id),
      'X-Svc-Pipeline-Ref': oneLine(pipeline.ref),
      'X-Svc-Pipeline-Status': pipeline.status,
    };
  }
  return note?.sha == null ? {} : { 'X-Svc-Commit-ID': note.sha };
}

function itemHeaders(
  name: string,
  { id, iid, state }: { id: number; iid: number; state: string },
): Record<string, string> {
  return {
    [`X-Svc-${name}-ID`]: String(id),
    [`X-Svc-${name}-IID`]: String(iid),
    [`X-Svc-${name}-State`]: state,
  };
}
