import type { ComponentChildren, VNode, FunctionComponent } from 'preact';
import { markdownHtml } from '../ui/markdown/markdown-html.js';

/** Limit of characters of a user text in an email; longer texts continue on the page. */
export const MAX_TEXT_LENGTH = 20_000;
/** Gmail clips emails at 102 KB; the rest of an email takes less than 40 KB. */
const MAX_HTML_BYTES = 60_000;

const CUT = 'Truncated.';

export type Tone = 'red' | 'orange' | 'amber' | 'blue' | 'green' | 'gray';

/** Text and background in light mode; `email-template.tsx` has the dark ones. */
const TONES: Record<Tone, readonly [text: string, background: string]> = {
  red: ['#ffffff', '#c8261b'],
  orange: ['#a44a06', '#fff1e1'],
  amber: ['#7f5b00', '#fdf4d0'],
  blue: ['#1b57b8', '#e7f0fe'],
  green: ['#13733a', '#e4f6ea'],
  gray: ['#56565f', '#ececef'],
};

// Inline, because some mail clients drop style sheets.
const TEXT = 'margin:0 0 16px';
const LABEL =
  'padding:3px 16px 3px 0;color:#62626c;text-align:left;font-weight:normal;vertical-align:top;white-space:nowrap';
const VALUE = 'padding:3px 0;text-align:left;vertical-align:top';
const BADGE =
  'display:inline-block;padding:0 8px;border-radius:9px;font-size:12px;line-height:18px';
const LINK = 'color:#3056d3';

/** Sentence of the product, with names in it. */
export function Paragraph({ children }: { children: ComponentChildren }): VNode {
  return <p style={TEXT}>{children}</p>;
}

/** Secondary sentence, about the validity of links. */
export function Note({ children }: { children: ComponentChildren }): VNode {
  return (
    <p class="muted" style={`${TEXT};color:#62626c`}>
      {children}
    </p>
  );
}

/** Labelled values, one line each; those without a value are left out. */
export function Facts({ facts }: { facts: Record<string, ComponentChildren> }): VNode | null {
  const known = Object.entries(facts).filter(([, value]) => value != null && value !== '');
  if (known.length === 0) return null;
  return (
    <table style={`${TEXT};border-collapse:collapse`}>
      {known.map(([label, value]) => (
        <FactRow key={label} label={label}>
          {value}
        </FactRow>
      ))}
    </table>
  );
}

/** Row of a table of facts. */
export function FactRow(props: { label: ComponentChildren; children: ComponentChildren }): VNode {
  return (
    <tr>
      <th scope="row" class="muted" style={LABEL}>
        {props.label}
      </th>
      <td style={VALUE}>{props.children}</td>
    </tr>
  );
}

/** List, one line per item. */
export function Items({ children }: { children: VNode[] }): VNode {
  return <ul style={`${TEXT};padding-left:20px`}>{children}</ul>;
}

/** Colored label. */
export function Badge({ tone, children }: { tone: Tone; children: string }): VNode {
  const [text, background] = TONES[tone];
  return (
    <span class={tone} style={`${BADGE};color:${text};background:${background}`}>
      {children}
    </span>
  );
}

/** Link within the content. The text part shows the address unless `isQuiet`. */
export function Link(props: { href: string; children: string; isQuiet?: boolean }): VNode {
  return (
    <a href={props.href} class={props.isQuiet === true ? 'link quiet' : 'link'} style={LINK}>
      {props.children}
    </a>
  );
}

/** User text that is no Markdown, with its line breaks. */
export function PlainText({ text }: { text: string }): VNode {
  return <div style={`${TEXT};white-space:pre-wrap`}>{writtenText({ text })}</div>;
}

/** Command or query, with a label. */
export function CodeBlock({ label, code }: { label: string; code: string }): VNode {
  return (
    <>
      <p style="margin:0 0 4px">{label}</p>
      <div class="written">
        <pre>
          <code>{writtenText({ text: code })}</code>
        </pre>
      </div>
    </>
  );
}

interface WrittenProps {
  /** Markdown. */
  text: string;
  baseUrl: string;
  /** Page that has the whole text. */
  href: string;
}

/** User text as safe HTML; the text part of the email has it as it was typed. */
export function Written({ text, baseUrl, href }: WrittenProps): VNode {
  let shown = shortened(text, MAX_TEXT_LENGTH);
  let html = htmlOf(shown, baseUrl);
  while (Buffer.byteLength(html) > MAX_HTML_BYTES) {
    shown = shortened(shown, Math.floor(shown.length / 2));
    html = htmlOf(shown, baseUrl);
  }
  return (
    <>
      <div class="written" dangerouslySetInnerHTML={{ __html: html }} />
      {shown !== text && (
        <Note>
          {CUT} <Link href={href}>Read more</Link>
        </Note>
      )}
    </>
  );
}

/**
 * Returns user text for the text part of an email: as it was typed, except characters that control
 * terminals, and lines that would begin the signature (RFC 3676 §4.3).
 */
export function writtenText({
  text,
  href,
}: Pick<WrittenProps, 'text'> & { href?: string }): string {
  const shown = shortened(text, MAX_TEXT_LENGTH);
  const lines = shown
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/^-- $/gm, '--')
    .trimEnd();
  if (shown === text) return lines;
  return `${lines}\n\n${href === undefined ? CUT : `${CUT} Read more: ${href}`}`;
}

/** Never in the middle of a character. */
function shortened(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Mail clients show no boxes to tick; links within the instance need its address. */
function htmlOf(markdown: string, baseUrl: string): string {
  const addressOf = (link: string): string | null =>
    link.startsWith('/') ? `${baseUrl}${link}` : null;
  return markdownHtml(markdown, addressOf)
    .replaceAll('<input type="checkbox" disabled aria-label="Done" checked>', '☑')
    .replaceAll('<input type="checkbox" disabled aria-label="Not done">', '☐')
    .replaceAll(' tabindex="0"', '');
}

/**
 * Control characters but for tabs, line and paragraph separators: names and titles are one line.
 */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Elements of an email, with the properties that their text form needs. */
type Element = VNode<{
  children?: ComponentChildren;
  text?: string;
  href?: string;
  label?: string;
  code?: string;
  class?: string;
}>;

/** Returns the paragraphs of the text part: the same tree of components as the HTML part. */
export function plainText(node: ComponentChildren): string[] {
  if (Array.isArray(node)) return node.flatMap(plainText);
  if (!isElement(node)) return [];
  const { type, props } = node;
  if (type === Written) return [writtenText({ href: props.href ?? '', text: props.text ?? '' })];
  if (type === PlainText) return [writtenText({ text: props.text ?? '' })];
  if (type === CodeBlock) return [`${props.label}\n${writtenText({ text: props.code ?? '' })}`];
  if (typeof type === 'function') return plainText(called(node));
  if (type === 'ul') return [elementsOf(props.children).map(itemText).join('\n')];
  if (type === 'table') return [elementsOf(props.children).map(rowText).join('\n')];
  return type === 'p' ? [lineOf(props.children)] : plainText(props.children);
}

function itemText({ props }: Element): string {
  return `- ${lineOf(props.children)}`;
}

function rowText({ props }: Element): string {
  const [name, value] = elementsOf(props.children).map((cell) => lineOf(cell.props.children));
  return `${name}: ${value}`;
}

/** Returns the text on one line: names can contain line breaks. */
function lineOf(node: ComponentChildren): string {
  return inlineText(node).replace(BREAKS, ' ').trim();
}

function inlineText(node: ComponentChildren): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(inlineText).join('');
  if (!isElement(node)) return '';
  const { type, props } = node;
  if (typeof type === 'function') return inlineText(called(node));
  const text = inlineText(props.children);
  const { href } = props;
  const isShort = href === undefined || href === text || props.class?.includes('quiet') === true;
  return isShort ? text : `${text}: ${href}`;
}

function called({ type, props }: Element): ComponentChildren {
  return (type as FunctionComponent)(props);
}

/** Elements below fragments and components, which stand for rows and items. */
function elementsOf(node: ComponentChildren): Element[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  if (!isElement(node)) return [];
  return typeof node.type === 'function' ? elementsOf(called(node)) : [node];
}

function isElement(node: ComponentChildren): node is Element {
  return typeof node === 'object' && node !== null && 'props' in node;
}
