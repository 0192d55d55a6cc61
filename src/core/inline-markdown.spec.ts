import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { markdownHtml } from './ui/markdown/markdown-html.js';
import { codeMarkdown, inlineMarkdown } from './inline-markdown.js';

const HOSTILE = [
  '**bold** _em_ ~~gone~~ `code`',
  '[x](javascript:alert(1))',
  '![x](https://evil.example/x.png)',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<javascript:alert(1)>',
  '&lt;b&gt; &#106;avascript:alert(1)',
  '@everyone #1 !2 ~bug %milestone ^alert#3 $4',
  '[x]: javascript:alert(1)',
  '| a | b |',
  'back\\slash \\[x](y)',
];

describe('text of others in a line of Markdown', () => {
  it('shows names as they are', () => {
    expect(inlineMarkdown('web-01.example.com (blue): 95.5 % + 3')).toBe(
      'web-01.example.com (blue): 95.5 \\% + 3',
    );
  });

  it.each(HOSTILE)('makes no markup of %j', (text) => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

    expect(markdownHtml(`**Row:** ${inlineMarkdown(text)}`)).toBe(
      `<p><strong>Row:</strong> ${escaped}</p>\n`.replace(
        'https://evil.example/x.png',
        '<a href="https://evil.example/x.png" rel="nofollow noopener noreferrer">https://evil.example/x.png</a>',
      ),
    );
  });

  it.each(['a\n\n# b', 'a\r\n---\r\nb', 'a\u2028b\u0085c', 'a\0b', 'a  \n> b'])(
    'keeps %j in its line',
    (text) => {
      expect(inlineMarkdown(text)).not.toMatch(/[\n\r\u2028\u0085\0]| {2}/);
    },
  );

  it.each([
    ['https://a.example/x_y_z?q=*1*&r=2', '<https://a.example/x_y_z?q=*1*&r=2>'],
    ['(see https://a.example/b_c).', '(see <https://a.example/b_c>).'],
    ['url="HTTP://a.example/_"', 'url="<HTTP://a.example/_>"'],
    ['javascript:alert(1)//https://a.example', 'javascript:alert(1)//<https://a.example>'],
    ['https://', 'https://'],
  ])('links %j to itself only', (text, markdown) => {
    expect(inlineMarkdown(text)).toBe(markdown);
  });

  it('never makes anything but text and links to addresses that are in it', () => {
    const piece = fc.oneof(fc.constantFrom(...HOSTILE, '\\', '\n', 'https://a.b/'), fc.string());
    const texts = fc.array(piece).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const html = markdownHtml(`**Row:** ${inlineMarkdown(text)}\n\nafter`);
        const [row, ...others] = html.split('\n').filter((line) => line !== '');
        expect(others).toEqual(['<p>after</p>']);
        const inner = row?.replace('<p><strong>Row:</strong>', '').replace('</p>', '') ?? '';
        const withoutLinks = inner.replace(/<a href="https?:[^"<>]*" rel="[a-z ]+">|<\/a>/gi, '');
        expect(withoutLinks).not.toMatch(/[<>]/);
      }),
    );
  });
});

describe('text of others as code', () => {
  it.each([
    ['up == 0', '`up == 0`'],
    ['a`b', '``a`b``'],
    ['`a``b`', '``` `a``b` ```'],
    ['up{job="x"}\n  == 0', '`up{job="x"} == 0`'],
  ])('of %j is %j', (text, markdown) => {
    expect(codeMarkdown(text)).toBe(markdown);
  });

  it('shows every query as it is', () => {
    const query = fc
      .array(fc.constantFrom('`', '``', 'a', '<b>', '*', '\\'))
      .map((x) => x.join(''));
    fc.assert(
      fc.property(query, (text) => {
        const escaped = text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        fc.pre(text !== '');
        expect(markdownHtml(codeMarkdown(text))).toBe(`<p><code>${escaped}</code></p>\n`);
      }),
    );
  });
});
