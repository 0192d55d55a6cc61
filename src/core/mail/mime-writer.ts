import { randomBytes } from 'node:crypto';
import addressparser from 'nodemailer/lib/addressparser';
import { encodeWord, encodeWords, foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { encode, wrap } from 'nodemailer/lib/qp';
import { oneLine, type OutgoingEmail } from './mail.js';

/** Suppresses automatic replies (RFC 3834 §5); Exchange needs a header of its own. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

interface Address {
  name: string;
  address: string;
}

/** An email with its headers. */
export type MailMessage = ReturnType<typeof mailMessage>;

/**
 * Returns an email as nodemailer takes it. Addresses are objects, which nodemailer does not parse,
 * and headers are on one line, also for names and titles with line breaks.
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

/** Parses the sender once. */
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

const LINE = 76;
const WORD = 52;

/** A line has at most 998 characters and is folded at spaces only (RFC 5322 §2.1.1). */
const UNFOLDABLE = /\S{400,}/g;
/** Start of an encoded word (RFC 2047 §2), which mail clients would decode. */
const LOOKS_ENCODED = '=?';

/**
 * The message as it goes to the server (RFC 5322, RFC 2045), in one go: nodemailer's own writer
 * passes each part through several streams, which takes longer than sending it. Addresses have to
 * be ASCII. Quoted-printable text holds no `=_`, so the boundary is in no part.
 */
export function writeMime(message: MailMessage): string {
  const boundary = `=_${randomBytes(12).toString('hex')}`;
  const { from, to, subject, messageId, date, inReplyTo, references, headers } = message;
  return [
    ...Object.entries(headers).map(([name, value]) => header(name, words(value))),
    header('From', `${displayName(from.name)}<${from.address}>`),
    header('To', to.address),
    ...(inReplyTo === undefined ? [] : [header('In-Reply-To', ids([inReplyTo]))]),
    ...(references === undefined ? [] : [header('References', ids(references))]),
    header('Subject', words(subject)),
    header('Message-ID', ids([messageId])),
    header('Date', date.toUTCString().replace('GMT', '+0000')),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
    '',
    ...part(boundary, 'text/plain', message.text),
    ...part(boundary, 'text/html', message.html),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

function part(boundary: string, type: string, content: string): string[] {
  const text = content.replaceAll(/\r\n|\r|\n/g, '\r\n');
  return [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    wrap(encode(text), LINE),
  ];
}

function header(name: string, value: string): string {
  return foldLines(`${name}: ${value}`, LINE);
}

function words(text: string): string {
  if (text.includes(LOOKS_ENCODED)) return encodeWord(text, 'Q', WORD);
  const foldable = text.replace(UNFOLDABLE, (part) => encodeWord(part, 'Q', WORD));
  return encodeWords(foldable, 'Q', WORD);
}

/** Message ids are visible ASCII (RFC 5322 §3.6.4). */
function ids(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[^\x21-\x7e]/g, '')).join(' ');
}

function displayName(name: string): string {
  if (name === '') return '';
  const isPlain = /^[\x20-\x7e]{0,400}$/.test(name) && !name.includes(LOOKS_ENCODED);
  return `${isPlain ? quoteString(name) : encodeWord(name, 'Q', WORD)} `;
}
