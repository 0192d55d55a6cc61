import { Controller, Get, Param } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../core/access/access.decorator.js';
import { NotFoundError } from '../../core/errors.js';
import { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import type { EmailContent } from '../../core/mail/mail.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Cell, Table } from '../../core/ui/components/table.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { emailSamples } from './email-samples.js';

const PATH = '/admin/mails/preview';

/** An email has its own style sheet and no script; links open outside of the sandbox only. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** Emails of every kind with sample data, for administrators. */
@Controller(atRoot('admin/mails/preview'))
@Page('administrate')
export class EmailPreviewPagesController {
  /** Lists the kinds. */
  @Get()
  list(@Context() pageContext: PageContext): HttpResponse {
    const samples = Object.entries(emailSamples(pageContext.baseUrl));
    const emails = samples.map(([kind, render]) => ({ kind, subject: render().subject }));
    const crumbs = [
      { label: 'Admin', href: '/admin' },
      { label: 'Email delivery', href: '/admin/mails' },
    ];
    const info = { title: 'Email previews', nav: 'admin', crumbs } as const;
    return pageContext.render(<EmailPreviewsPage emails={emails} />, info);
  }

  /** Shows the HTML part of an email. */
  @Get(':kind/html')
  html(@Context() { baseUrl }: PageContext, @Param('kind') kind: string): HttpResponse {
    const headers = { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' };
    return new HttpResponse(200, sampleOf(kind, baseUrl).html, headers);
  }

  /** Shows the text part of an email. */
  @Get(':kind/text')
  text(@Context() { baseUrl }: PageContext, @Param('kind') kind: string): HttpResponse {
    const headers = { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' };
    return new HttpResponse(200, sampleOf(kind, baseUrl).text, headers);
  }
}

function sampleOf(kind: string, baseUrl: string): EmailContent {
  const samples = emailSamples(baseUrl);
  const render = Object.hasOwn(samples, kind) ? samples[kind] : undefined;
  if (render === undefined) throw new NotFoundError();
  return render();
}

const COLUMNS = [{ label: 'Subject' }, { label: 'Kind' }, { label: 'Parts' }];

function EmailPreviewsPage({ emails }: { emails: { kind: string; subject: string }[] }): VNode {
  return (
    <>
      <PageHeader title="Email previews" description="Every kind of email with sample data" />
      <Card flush>
        <Table caption="Kinds of emails" columns={COLUMNS} stacked>
          {emails.map(({ kind, subject }) => (
            <tr key={kind}>
              <Cell wrap>{subject}</Cell>
              <Cell>
                <code>{kind}</code>
              </Cell>
              <Cell>
                <a href={`${PATH}/${kind}/html`}>
                  HTML<span class="sr-only"> of {kind}</span>
                </a>
                {' · '}
                <a href={`${PATH}/${kind}/text`}>
                  Text<span class="sr-only"> of {kind}</span>
                </a>
              </Cell>
            </tr>
          ))}
        </Table>
      </Card>
    </>
  );
}
