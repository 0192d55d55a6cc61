import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { NOTIFICATIONS_PATH } from '../ui/addresses.js';
import { type Tone, plainText } from './email-parts.js';
import { oneLine, type EmailContent } from './mail.js';

interface Link {
  label: string;
  href: string;
}

/** Content of an email, rendered as text and as HTML. */
export interface EmailTemplate {
  subject: string;
  /** Line above the heading: the project and the kind of thing. */
  place?: string;
  heading: string;
  /** Severity, a line of color at the top. */
  tone?: Tone;
  /** Content below the heading, made of `email-parts.tsx`. */
  body: ComponentChildren;
  /** The button, then links beside it. */
  actions?: Link[];
  /** Reasons for the email, each with its unsubscribe link. */
  reasons: { text: string; unsubscribe?: Link }[];
  /** True if the recipient can turn such emails off. */
  hasSettings?: boolean;
  /** Public address of the instance. */
  baseUrl: string;
}

/** The whole style sheet: what inline styles cannot say. */
const STYLES = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
.written{margin:0 0 16px}
.written>:first-child{margin-top:0}.written>:last-child{margin-bottom:0}
.written h3,.written h4,.written h5,.written h6{margin:20px 0 8px;font-size:16px;line-height:1.35}
.written p,.written ul,.written ol,.written blockquote,.written pre,.written .markdown-table{margin:0 0 12px}
.written ul,.written ol{padding-left:24px}.written li.task{list-style:none;margin-left:-20px}
.written a{color:#3056d3}
code,pre{font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:13px}
code{background:#f4f4f6;border-radius:4px;padding:1px 4px}
pre{background:#f4f4f6;border-radius:7px;padding:10px 12px;white-space:pre-wrap;line-height:20px}
pre code{padding:0}
.written blockquote{padding-left:12px;border-left:3px solid #e7e7ea;color:#62626c}
.written table{border-collapse:collapse}.written .markdown-table{overflow-x:auto}
.written th,.written td{border:1px solid #e7e7ea;padding:4px 10px;text-align:left;vertical-align:top}
.written .align-center{text-align:center}.written .align-right{text-align:right}
@media (max-width:520px){.outer{padding:12px 8px!important}.inset{padding:20px 16px!important}}
@media (prefers-color-scheme:dark){
body,.page{background:#131316!important;color:#ececf1!important}
.card{background:#18181c!important;border-color:#2a2a30!important}
.muted,.written blockquote{color:#a1a1ad!important}
.link,.written a{color:#8aa4ff!important}
.button{background:#8aa4ff!important;color:#0f1429!important}
code,pre{background:#26262c!important}
.written blockquote,.written th,.written td{border-color:#2a2a30!important}
.red{background:#ff8379!important;color:#2b0f0d!important}
.orange{background:#3a2410!important;color:#ffb271!important}
.amber{background:#332a0d!important;color:#efcb5c!important}
.blue{background:#152a4a!important;color:#82b6ff!important}
.green{background:#12301e!important;color:#72d894!important}
.gray{background:#26262c!important;color:#a1a1ad!important}
}`;

/** Lines of color: the strong color of each tone. */
const LINES: Record<Tone, string> = {
  red: '#c8261b',
  orange: '#e07b1a',
  amber: '#d9a514',
  blue: '#3b82f6',
  green: '#22a356',
  gray: '#9a9aa4',
};

const FONT =
  "font:14px/21px Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere";
const PAGE = `margin:0;padding:0;background:#f4f4f6;color:#1b1b1f;${FONT}`;
const WIDTH = 'width:100%;max-width:640px';
const CARD = `${WIDTH};background:#ffffff;border:1px solid #e7e7ea;border-radius:10px;border-spacing:0;border-collapse:separate;overflow:hidden`;
const MARK =
  'display:inline-block;width:22px;margin-right:8px;border-radius:6px;background:#3056d3;color:#ffffff;font-size:13px;line-height:22px;text-align:center';
const BUTTON =
  'display:inline-block;padding:9px 16px;background:#3056d3;color:#ffffff;border-radius:7px;font-weight:600;text-decoration:none';
const SMALL = 'margin:0 0 6px;color:#62626c;font-size:12px;line-height:18px';
/** The line that lists of emails show beside the subject. */
const PREVIEW = 'display:none;max-height:0;overflow:hidden';
const MAX_PREVIEW_LENGTH = 140;

/** Renders an email; headings and places are kept on one line. */
export function renderEmail(template: EmailTemplate): EmailContent {
  const email = { ...template, heading: oneLine(template.heading) };
  if (template.place !== undefined) email.place = oneLine(template.place);
  const paragraphs = plainText(email.body);
  const preview = oneLine(paragraphs.join(' ')).slice(0, MAX_PREVIEW_LENGTH);
  const html = `<!doctype html>${renderToString(<EmailPage {...email} preview={preview} />)}`;
  return { subject: email.subject, text: textPart(email, paragraphs), html };
}

function textPart(email: EmailTemplate, paragraphs: readonly string[]): string {
  const { place, heading, actions = [], reasons, baseUrl } = email;
  const footer = [
    ...reasons.flatMap(({ text, unsubscribe }) => [text, ...linkLines(unsubscribe)]),
    ...linkLines(settingsLink(email)),
    `Guildhall, ${baseUrl}`,
  ];
  const parts = [
    ...(place === undefined ? [] : [place]),
    heading,
    ...paragraphs,
    ...actions.map(({ label, href }) => `${label}:\n${href}`),
    `-- \n${footer.join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function linkLines(link: Link | undefined): string[] {
  return link === undefined ? [] : [`${link.label}: ${link.href}`];
}

function settingsLink({ hasSettings, baseUrl }: EmailTemplate): Link | undefined {
  if (hasSettings !== true) return undefined;
  return { label: 'Notification settings', href: `${baseUrl}${NOTIFICATIONS_PATH}` };
}

/** Tables, because Outlook on Windows knows no other way to limit a width. */
function EmailPage({ preview, ...email }: EmailTemplate & { preview: string }): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{email.subject}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body style={PAGE}>
        <div style={PREVIEW}>{preview}</div>
        <table role="presentation" class="page" width="100%" style={PAGE}>
          <tr>
            <td align="center" class="outer" style="padding:24px 12px">
              <Brand />
              <EmailCard {...email} />
              <Footer {...email} />
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
}

function Brand(): VNode {
  return (
    <table role="presentation" width="640" style={WIDTH}>
      <tr>
        <td role="banner" style="padding:0 8px 12px;font-weight:650">
          <span class="button" style={MARK} aria-hidden="true">
            G
          </span>
          Guildhall
        </td>
      </tr>
    </table>
  );
}

function EmailCard({ place, heading, tone, body, actions = [] }: EmailTemplate): VNode {
  return (
    <table role="presentation" width="640" class="card" style={CARD}>
      {tone !== undefined && (
        <tr>
          <td height="4" style={`background:${LINES[tone]};font-size:0;line-height:4px`} />
        </tr>
      )}
      <tr>
        <td role="main" class="inset" style="padding:28px 32px">
          {place !== undefined && (
            <p class="muted" style="margin:0 0 4px;color:#62626c;font-size:13px">
              {place}
            </p>
          )}
          <h1 style="margin:0 0 16px;font-size:19px;line-height:26px;font-weight:650">{heading}</h1>
          {body}
          {actions.length > 0 && <Actions links={actions} />}
        </td>
      </tr>
    </table>
  );
}

function Actions({ links }: { links: Link[] }): VNode {
  return (
    <p style="margin:24px 0 0">
      {links.map(({ label, href }, at) =>
        at === 0 ? (
          <a key={href} href={href} class="button" style={BUTTON}>
            {label}
          </a>
        ) : (
          <a key={href} href={href} class="link" style="margin-left:16px;color:#3056d3">
            {label}
          </a>
        ),
      )}
    </p>
  );
}

function Footer(email: EmailTemplate): VNode {
  const settings = settingsLink(email);
  return (
    <table role="presentation" width="640" style={WIDTH}>
      <tr>
        <td role="contentinfo" style="padding:16px 8px">
          {email.reasons.map(({ text, unsubscribe }) => (
            <p key={text} class="muted" style={SMALL}>
              {text} {unsubscribe !== undefined && <SmallLink {...unsubscribe} />}
            </p>
          ))}
          <p class="muted" style={SMALL}>
            {settings !== undefined && (
              <>
                <SmallLink {...settings} /> ·{' '}
              </>
            )}
            Guildhall, <SmallLink label={email.baseUrl} href={email.baseUrl} />
          </p>
        </td>
      </tr>
    </table>
  );
}

function SmallLink({ label, href }: Link): VNode {
  return (
    <a href={href} class="link" style="color:#3056d3">
      {label}
    </a>
  );
}
