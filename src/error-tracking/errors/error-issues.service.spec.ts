import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { markdownHtml } from '../../core/ui/markdown/markdown-html.js';
import { errorIssueText } from './error-issues.service.js';

const ERROR = {
  value: null,
  culprit: 'sumOf(cart)',
  firstSeenAt: new Date('2026-03-01T10:00:00Z'),
  lastSeenAt: new Date('2026-03-01T10:00:00Z'),
  eventsCount: 1,
  usersCount: 0,
  lastRelease: null,
};
const WEB_URL = 'https://guildhall.example.com/tools/lathe/-/error_tracking/1/details';

function textOf(value: string, trace: string): string {
  return errorIssueText(
    { ...ERROR, value, culprit: value, lastRelease: value },
    { webUrl: WEB_URL, event: { environment: value, trace } },
  );
}

describe('the text of an issue for an error', () => {
  it('leaves out what is not known', () => {
    expect(errorIssueText(ERROR, { webUrl: WEB_URL, event: null })).toBe(
      [
        `**Error:** ${WEB_URL}  `,
        '**Where:** `sumOf(cart)`  ',
        '**First seen:** 2026-03-01T10:00:00.000Z  ',
        '**Last seen:** 2026-03-01T10:00:00.000Z  ',
        '**Events:** 1  ',
        '**Users affected:** 0  ',
        '',
      ].join('\n'),
    );
  });

  it('cuts stacks of many or long lines', () => {
    const many = textOf('x', Array.from({ length: 5_000 }, (_, at) => `at f${at}`).join('\n'));
    const long = textOf('x', 'x'.repeat(2_000_000));

    expect(many).toContain('at f199\n…\n```\n');
    expect(many).not.toContain('at f200');
    expect(long.length).toBeLessThan(52_000);
  });

  it('always shows stacks as code', () => {
    const html = markdownHtml(textOf('x', '```\n</code><script>alert(1)</script>\n~~~\n# Title'));

    expect(html).not.toContain('<script>');
    expect(html.match(/<h\d/g)).toEqual(['<h3']);
    expect(html).toContain('# Title');
  });

  it('has exactly one code block at its end for every text', () => {
    const piece = fc.constantFrom(
      '`',
      '```',
      '````',
      '~~~',
      '\n',
      '\r',
      ' ',
      'x',
      '# ',
      '<b>',
      '\\',
    );
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, (value, trace) => {
        const html = markdownHtml(textOf(value, `${trace}end`));
        expect(html.match(/<pre/g)).toHaveLength(1);
        expect(html.trimEnd()).toMatch(/end\n?<\/code><\/pre>$/);
        expect(html).not.toContain('<b>');
      }),
    );
  });
});
