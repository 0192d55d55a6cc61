import type { VNode } from 'preact';
import type { EmailFacts } from './email-facts.js';
import { EmailNews } from './email-news.js';
import { Button } from './email-parts.js';

/** Mail programs that keep style sheets need no more; the others show it plainly. */
const STYLES = `
.written{margin:0 0 16px;padding:2px 0 2px 16px;border-left:3px solid #d4d4d8}
.written>:first-child{margin-top:0}.written>:last-child{margin-bottom:0}
.written h3,.written h4,.written h5,.written h6{margin:20px 0 8px;font-size:17px;line-height:1.35}
.written p,.written ul,.written ol,.written blockquote,.written pre,.written .markdown-table{margin:0 0 12px}
.written ul,.written ol{padding-left:24px}.written li.task{list-style:none;margin-left:-20px}
.written a{color:#1d4ed8}
.written code,.written pre,code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px}
.written code,code{background:#f4f4f5;border-radius:4px;padding:1px 4px}
.written pre{background:#f4f4f5;border-radius:6px;padding:12px;white-space:pre-wrap}
.written pre code{padding:0}
.written blockquote{padding-left:12px;border-left:3px solid #d4d4d8;color:#52525b}
.written table{border-collapse:collapse}.written .markdown-table{overflow-x:auto}
.written th,.written td{border:1px solid #d4d4d8;padding:4px 10px;text-align:left;vertical-align:top;overflow-wrap:break-word}
.written .align-center{text-align:center}.written .align-right{text-align:right}
@media (max-width:520px){body{padding:8px!important}.paper{padding:20px!important}}`;

const BODY = 'margin:0;padding:24px;background:#f4f4f5;color:#18181b;font:16px/1.5 sans-serif';
const WIDTH = 'max-width:640px;margin:0 auto';
const PAPER = `${WIDTH};padding:32px;box-sizing:border-box;background:#ffffff;border-radius:8px;overflow-wrap:anywhere`;
const PLACE = 'margin:0 0 4px;color:#52525b;font-size:14px';
const TITLE = 'margin:0 0 20px;font-size:20px;line-height:1.35';
const FOOTER = `${WIDTH};padding:16px 8px;box-sizing:border-box;color:#52525b;font-size:13px`;
const SMALL_LINK = 'color:#3f3f46';

interface EmailProps {
  facts: EmailFacts;
  /** Why the reader gets it. */
  rule: string;
  /** Link to unsubscribe. */
  unsubscribeHref: string;
}

/** HTML part of an email. */
export function EmailPage({ title, ...email }: EmailProps & { title: string }): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body style={BODY}>
        <EmailBody {...email} />
      </body>
    </html>
  );
}

/** Body of both parts of an email. */
export function EmailBody({ facts, rule, unsubscribeHref }: EmailProps): VNode {
  const { subject, row, baseUrl } = facts;
  const place = subject.noun === 'project' ? 'Project' : placeText(facts);
  return (
    <>
      <div class="paper" style={PAPER}>
        <p style={PLACE}>{place}</p>
        <h1 style={TITLE}>{subject.title}</h1>
        <EmailNews facts={facts} />
        <Button href={hrefOf(facts)}>{`View it on ${new URL(baseUrl).host}`}</Button>
      </div>
      <footer style={FOOTER}>
        <p style="margin:0 0 8px">{rule}</p>
        <p style="margin:0 0 8px">
          <a href={unsubscribeHref} style={SMALL_LINK}>
            {`No more mails about this ${row.pipeline === null ? subject.noun : 'project'}`}
          </a>
        </p>
        <p style="margin:0 0 8px">
          <a href={`${baseUrl}/-/profile/notifications`} style={SMALL_LINK}>
            Change your notifications
          </a>
        </p>
        <p style="margin:0">Guildhall</p>
      </footer>
    </>
  );
}

function placeText({ row: { project }, subject: { noun, reference } }: EmailFacts): string {
  return `${project.title} · ${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${reference}`;
}

function hrefOf({ subject, row: { note } }: EmailFacts): string {
  return note === null ? subject.href : `${subject.href}#note_${note.id}`;
}
