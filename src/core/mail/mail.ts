/** Kind of an email, for administrators. */
type MailKind =
  | 'password_reset'
  | 'password_changed'
  | 'email_confirmation'
  | 'email_changed'
  | 'access_requested'
  | 'alert_firing'
  | 'alert_recovered'
  | 'test';

/** Visible content of an email. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
  /** Name of the actor, shown as the sender; the address is always ours. */
  fromName?: string;
  /** `<…@…>`; generated unless given. */
  messageId?: string;
  inReplyTo?: string;
  references?: string[];
  /** Further headers by their names; values on one line. */
  headers?: Record<string, string>;
}

/** An email to queue. */
export interface Mail extends EmailContent {
  /** One address, without a name. */
  to: string;
  kind: MailKind;
}

/** An email to send; the ID identifies repeated attempts. */
export interface OutgoingEmail extends EmailContent {
  to: string;
  /** `<…@…>`; the same with every attempt. */
  messageId: string;
  date: Date;
}

/** Control characters, line and paragraph separators: what could end a header or an address. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Direction overrides, which could make `evil (@ann)` look like Ann. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Without characters that separate or end addresses. */
const ADDRESS = /^[^\s\p{Cc}\p{Zl}\p{Zp}@<>,;:"()[\]\\]+@[^\s\p{Cc}\p{Zl}\p{Zp}@<>,;:"()[\]\\]+$/u;

/** Returns the text on one line, for headers (RFC 5322 §2.2). */
export function oneLine(text: string): string {
  return text.replace(DIRECTIONS, '').replace(BREAKS, ' ').trim();
}

/** Returns true for a plain address that emails can be sent to. */
export function isMailAddress(address: string): boolean {
  return address.length <= 254 && ADDRESS.test(address);
}

/** Maximum length of a list identifier (RFC 2919 §2). */
const MAX_LIST_ID_LENGTH = 255;

/** Returns the headers of a project's email, used for filtering. */
export function projectHeaders(
  project: { id: number; name: string; path: string },
  host: string,
): Record<string, string> {
  return {
    'List-Id': `${oneLine(project.path)} <${listId(project, host)}>`,
    'X-Svc-Project': oneLine(project.name),
    'X-Svc-Project-Id': String(project.id),
    'X-Svc-Project-Path': oneLine(project.path),
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
  };
}

/**
 * Returns a host name for the project, innermost part first. Long names are cut at a dot, and
 * marked with two dots.
 */
export function listId({ id, path }: { id: number; path: string }, host: string): string {
  const names = path.toLowerCase().split('/').reverse();
  const domain = names.map((name) => name.replace(/[^a-z0-9]/g, '-')).join('.');
  const room = MAX_LIST_ID_LENGTH - host.length - String(id).length - '..'.length;
  if (domain.length <= room) return `${id}.${domain}.${host}`;
  const start = domain.slice(0, Math.max(room - 1, 0));
  const dot = start.lastIndexOf('.');
  const kept = dot === -1 ? start.slice(0, -1) : start.slice(0, dot);
  return `${id}.${kept}...${host}`;
}
