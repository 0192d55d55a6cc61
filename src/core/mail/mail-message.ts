import addressparser from 'nodemailer/lib/addressparser';
import type { OutgoingEmail } from './mail.js';
import { oneLine } from './mail-text.js';

/** Suppresses automatic replies (RFC 3834 §5); Exchange needs a header of its own. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

interface Address {
  name: string;
  address: string;
}

/** A mail with its headers. */
export type MailMessage = ReturnType<typeof mailMessage>;

/**
 * An email as nodemailer takes it. Addresses are objects: each is one address, whatever it looks
 * like. What goes into headers is on one line, whatever someone wrote into a name or a title.
 */
export function mailMessage(email: OutgoingEmail, mailFrom: string) {
  const { to, subject, text, html, messageId, date, inReplyTo, references } = email;
  const sender = senderOf(mailFrom);
  const name = email.fromName === undefined ? sender.name : oneLine(email.fromName);
  return {
    from: { name, address: sender.address },
    to: { name: '', address: to },
    subject: oneLine(subject),
    text,
    html,
    messageId: oneLine(messageId),
    date,
    ...(inReplyTo !== undefined && { inReplyTo: oneLine(inReplyTo) }),
    ...(references !== undefined && { references: references.map(oneLine) }),
    headers: { ...AUTOMATIC, ...onOneLine(email.headers ?? {}) },
  };
}

const senders = new Map<string, Address>();

/** Parsed once: it is the same for every mail. */
function senderOf(mailFrom: string): Address {
  const known = senders.get(mailFrom);
  if (known !== undefined) return known;
  const [parsed] = addressparser(mailFrom, { flatten: true });
  const sender = { name: parsed?.name ?? '', address: parsed?.address ?? mailFrom };
  senders.set(mailFrom, sender);
  return sender;
}

function onOneLine(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, oneLine(text)]));
}
