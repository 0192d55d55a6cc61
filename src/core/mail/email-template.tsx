import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { EmailContent } from './mail.js';
import { oneLine } from './mail-text.js';

/** A labelled line of an email. */
export interface Fact {
  label: string;
  value: string;
}

/** Content of an email, rendered as text and as HTML. */
export interface EmailTemplate {
  subject: string;
  /** Name of the recipient. */
  name: string;
  paragraphs: string[];
  /** Names and values, one line each. */
  facts?: Fact[];
  /** Main link. */
  action?: { label: string; href: string };
  /** Notes about unrequested emails and the validity of links. */
  notes?: string[];
  /** Reasons for the email, each with its unsubscribe link. */
  reasons?: { text: string; unsubscribeHref: string }[];
  /** Public address of the instance. */
  baseUrl: string;
}

// Mail clients ignore style sheets and support little more than this.
const BODY = 'margin:0;padding:24px;background:#f4f4f5;color:#18181b;font:16px/1.5 sans-serif';
const PAPER = 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px';
const BUTTON =
  'display:inline-block;padding:12px 20px;background:#18181b;color:#ffffff;border-radius:6px;text-decoration:none';
const SMALL = 'color:#52525b;font-size:14px';

/** Renders an email; names and titles are escaped and kept on one line. */
export function renderEmail({ name, facts = [], ...rest }: EmailTemplate): EmailContent {
  const lines = facts.map(({ label, value }) => ({ label, value: oneLine(value) }));
  const content = { ...rest, name: oneLine(name), facts: lines };
  const html = `<!doctype html>${renderToString(<EmailPage {...content} />)}`;
  return { subject: content.subject, text: plainText(content), html };
}

function plainText({ name, paragraphs, action, notes = [], ...rest }: EmailTemplate): string {
  const { facts = [], reasons = [], baseUrl } = rest;
  const lines = facts.map(({ label, value }) => `${label}: ${value}`);
  const list = lines.length === 0 ? [] : [lines.join('\n')];
  const link = action === undefined ? [] : [`${action.label}:\n${action.href}`];
  const ends = reasons.map(
    ({ text, unsubscribeHref }) => `${text}\nUnsubscribe: ${unsubscribeHref}`,
  );
  const body = [...paragraphs, ...list, ...link, ...notes, ...ends];
  const parts = [`Hello ${name},`, ...body, `-- \nGuildhall, ${baseUrl}`];
  return `${parts.join('\n\n')}\n`;
}

function EmailPage({ subject, name, action, baseUrl, ...texts }: EmailTemplate): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{subject}</title>
      </head>
      <body style={BODY}>
        <div style={PAPER}>
          <p>Hello {name},</p>
          {texts.paragraphs.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {texts.facts?.map(({ label, value }) => (
            <div key={label}>
              {label}: <strong>{value}</strong>
            </div>
          ))}
          {action !== undefined && <Action {...action} />}
          {texts.notes?.map((text) => (
            <p key={text} style={SMALL}>
              {text}
            </p>
          ))}
          {texts.reasons?.map(({ text, unsubscribeHref }) => (
            <p key={unsubscribeHref} style={SMALL}>
              {text} <a href={unsubscribeHref}>Unsubscribe</a>
            </p>
          ))}
          <p style={SMALL}>
            Guildhall, <a href={baseUrl}>{baseUrl}</a>
          </p>
        </div>
      </body>
    </html>
  );
}

function Action({ label, href }: { label: string; href: string }): VNode {
  return (
    <>
      <p>
        <a href={href} style={BUTTON}>
          {label}
        </a>
      </p>
      <p style={SMALL}>Or open this address: {href}</p>
    </>
  );
}
