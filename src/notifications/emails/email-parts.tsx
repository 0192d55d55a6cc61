import type { ComponentChildren, VNode } from 'preact';
import { markdownHtml } from '../../core/ui/markdown/markdown-html.js';
import { MAX_TEXT_LENGTH } from '../sql/emails.js';

/** Longer ones are shown as they were typed: an email must not take seconds to render. */
const MAX_RENDERED_LENGTH = 20_000;

const CUT = 'This text is longer. The rest of it is on the page.';

// Mail programs that drop style sheets keep these.
const TEXT = 'margin:0 0 16px';
const FACT_NAME = 'padding:2px 16px 2px 0;color:#52525b;text-align:left;font-weight:normal';
const BUTTON =
  'display:inline-block;padding:10px 18px;background:#18181b;color:#ffffff;border-radius:6px;text-decoration:none';

/** Words of our own, with names in them. */
export function Paragraph({ children }: { children: ComponentChildren }): VNode {
  return <p style={TEXT}>{children}</p>;
}

/** Names and what they have as values; those without one are left out. */
export function Facts({ facts }: { facts: Record<string, string | null> }): VNode | null {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== '');
  if (known.length === 0) return null;
  return (
    <table role="presentation" style={`${TEXT};border-collapse:collapse`}>
      {known.map(([name, value]) => (
        <tr key={name}>
          <th style={`${FACT_NAME};vertical-align:top`}>{name}</th>
          <td style="padding:2px 0;vertical-align:top">{value}</td>
        </tr>
      ))}
    </table>
  );
}

/** Some things of a kind, one line each. */
export function Items({ children }: { children: VNode[] }): VNode {
  return <ul style={`${TEXT};padding-left:20px`}>{children}</ul>;
}

/** Only button of the email, which leads to its subject. */
export function Button({ href, children }: { href: string; children: string }): VNode {
  return (
    <p style="margin:24px 0 0">
      <a href={href} style={BUTTON}>
        {children}
      </a>
    </p>
  );
}

interface WrittenProps {
  /** Markdown. */
  text: string;
  baseUrl: string;
}

/** User text as safe HTML; the text part of the email has it as it was typed. */
export function Written({ text, baseUrl }: WrittenProps): VNode {
  const shown = shortened(text);
  return (
    <>
      {shown.length > MAX_RENDERED_LENGTH ? (
        <pre class="written">{shown}</pre>
      ) : (
        <div class="written" dangerouslySetInnerHTML={{ __html: htmlOf(shown, baseUrl) }} />
      )}
      {shown !== text && <Paragraph>{CUT}</Paragraph>}
    </>
  );
}

/**
 * Returns user text for the text part of an email: as it was typed, except characters that control
 * terminals, and lines that would begin the signature (RFC 3676 §4.3).
 */
export function writtenText({ text }: Pick<WrittenProps, 'text'>): string {
  const shown = shortened(text);
  const lines = shown
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/^-- $/gm, '--')
    .trimEnd();
  return shown === text ? lines : `${lines}\n\n${CUT}`;
}

/** Never in the middle of a character. */
function shortened(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  return text.slice(0, MAX_TEXT_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}

/** Mail programs show no boxes to tick; links within the instance need its address. */
function htmlOf(markdown: string, baseUrl: string): string {
  const addressOf = (link: string): string | null =>
    link.startsWith('/') ? `${baseUrl}${link}` : null;
  return markdownHtml(markdown, addressOf)
    .replaceAll('<input type="checkbox" disabled aria-label="Done" checked>', '☑')
    .replaceAll('<input type="checkbox" disabled aria-label="Not done">', '☐');
}
