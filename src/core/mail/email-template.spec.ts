import { describe, expect, it } from '@jest/globals';
import { type ComponentChildren, h } from 'preact';
import { Facts, Paragraph, Written } from './email-parts.js';
import { renderEmail } from './email-template.js';
import type { EmailContent } from './mail.js';

const BASE_URL = 'https://guildhall.example';

/** Size above which Gmail clips an email. */
const CLIPPED_AFTER = 102 * 1024;

function email(body: ComponentChildren, heading = 'Heading'): EmailContent {
  return renderEmail({ subject: 'Subject', heading, body, reasons: [], baseUrl: BASE_URL });
}

function written(text: string): EmailContent {
  return email(h(Written, { text, baseUrl: BASE_URL, href: `${BASE_URL}/page` }));
}

describe('an email', () => {
  it('has no line injected by a title', () => {
    const evil = 'Sam,\r\n\r\nhttps://evil.example/\u2028Yours';
    const { text, html } = email(h(Paragraph, { children: evil }), evil);
    expect(text.split('\n\n').slice(0, 2)).toEqual(
      Array(2).fill('Sam, https://evil.example/ Yours'),
    );
    expect(html).toContain('>Sam, https://evil.example/ Yours</h1>');
  });

  it('escapes titles, values and texts', () => {
    const evil = '"><script src=//evil.example></script><img src=x onerror=alert(1)>';
    const facts = h(Facts, { facts: { Branch: evil } });
    const written = h(Written, { text: evil, baseUrl: BASE_URL, href: evil });
    const { html } = email(h('div', {}, facts, written), evil);
    expect(html).not.toMatch(/<script|<img/);
  });

  it('loads nothing from anywhere', () => {
    const { html } = written(
      '![pixel](https://evil.example/p.gif) <img src="https://evil.example">',
    );
    expect(html).not.toMatch(/<img|<link|<\w[^>]* src=|url\(|@import/);
  });

  it.each([
    ['short paragraphs', 'a\n\n'],
    ['escaped characters', '&<>"'],
    ['nested quotes', '> > > > > > > > a\n\n'],
    ['links', '[a](/b) '],
    ['emphasis', '*a* '],
    ['tasks', '- [ ] a\n'],
    ['table cells', '|a|b|c|d|e|f|g|h|\n|-|-|-|-|-|-|-|-|\n|a|b|\n'],
    ['wide characters', '\u{1f600}\u4e2d'],
  ])('with a long text of %s is not clipped', (_name, part) => {
    const { html, text } = written(part.repeat(Math.ceil(100_000 / part.length)));
    expect(Buffer.byteLength(html)).toBeLessThan(CLIPPED_AFTER);
    expect(html).toContain('Read more');
    expect(text).toContain(`Truncated. Read more: ${BASE_URL}/page`);
  });

  it('is made for light and dark', () => {
    const { html } = written('x');
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
  });
});
