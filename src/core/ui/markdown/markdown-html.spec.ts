import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../../test/support/effort.js';
import { markdownHtml } from './markdown-html.js';

/** Each of them runs a script somewhere when it reaches a page as it is. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mtext></mtext><mglyph><svg><mtext><style><img src=x onerror=alert(1)></style></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<body onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<object data="data:text/html,<script>alert(1)</script>">',
  '<embed src="data:text/html;base64,PHNjcmlwdD4=">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel="stylesheet" href="//evil.example/x.css">',
  '<style>@import "//evil.example/x.css"</style>',
  '<base href="//evil.example/">',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '</div></section><script>alert(1)</script>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](  javascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](<java\tscript:alert(1)>)',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A;avascript&colon;alert(1))',
  '[x](javascript&#58;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](data:image/svg+xml;base64,PHN2Zz4=)',
  '[x](blob:https://evil.example/1)',
  '[x](file:///etc/passwd)',
  '[x](view-source:https://a.example)',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '<javascript:alert(1)>',
  '<data:text/html,x>',
  '[x](https://a.example "\\" onmouseover=alert(1) \\"")',
  '[x](https://a.example/"onmouseover=alert(1))',
  '![" onerror="alert(1)](https://a.example/x.png)',
  '![x](https://a.example/x.png \'y" onerror=alert(1) "\')',
  '```"><script>alert(1)</script>\nx\n```',
  '``` js onload=alert(1)\n</code></pre><script>alert(1)</script>\n```',
  '`<img src=x onerror=alert(1)>`',
  '    <script>alert(1)</script>',
  '| <script>alert(1)</script> |\n| - |\n| <img src=x onerror=alert(1)> |',
  '# <script>alert(1)</script>',
  '> <script>alert(1)</script>',
  '- [ ] <input onfocus=alert(1) autofocus>',
  'https://a.example/<script>alert(1)</script>',
  'https://a.example/"onmouseover="alert(1)',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\\<script>alert(1)\\</script>',
];

/** Every tag that Markdown may make, with every attribute in its only form. */
const ALLOWED = new RegExp(
  [
    '</?(?:p|em|strong|s|ul|blockquote|pre|code|table|thead|tbody|tr|th|td|div|h[3-6]|li|a)>',
    '<(?:br|hr)>',
    '<ol(?: start="\\d+")?>|</ol>',
    '<li class="task">',
    '<t[hd] class="align-(?:left|center|right)">',
    '<pre tabindex="0">',
    '<code class="language-[\\w+#.-]+">',
    '<div class="markdown-table" role="group" aria-label="Table" tabindex="0">',
    '<input type="checkbox" disabled aria-label="(?:Done" checked|Not done")>',
    '<a href="(?:https?://|mailto:)[^"<>]*"(?: title="[^"<>]*")? rel="nofollow noopener noreferrer">',
  ].join('|'),
  'g',
);

/** Returns the tags of the page other than those that Markdown renders. */
function strangeTags(html: string): string[] {
  return html.replace(ALLOWED, '').match(/<[^>]*>?/g) ?? [];
}

describe('Markdown', () => {
  it.each(PAYLOADS)('makes text of %j', (payload) => {
    for (const text of [payload, `a ${payload} b`, `- x\n  ${payload}`, `**${payload}**`]) {
      expect(strangeTags(markdownHtml(text))).toEqual([]);
    }
  });

  it('shows tags as they were typed', () => {
    expect(markdownHtml('<b>bold</b>')).toBe('<p>&lt;b&gt;bold&lt;/b&gt;</p>\n');
  });

  it('links to the web and to addresses of mail, and tells them nothing', () => {
    const rel = 'rel="nofollow noopener noreferrer"';
    expect(markdownHtml('[a](https://a.example/?x=1&y "t")')).toBe(
      `<p><a href="https://a.example/?x=1&amp;y" title="t" ${rel}>a</a></p>\n`,
    );
    expect(markdownHtml('<ada@a.example>')).toBe(
      `<p><a href="mailto:ada@a.example" ${rel}>ada@a.example</a></p>\n`,
    );
    expect(markdownHtml('see http://a.example/b.')).toBe(
      `<p>see <a href="http://a.example/b" ${rel}>http://a.example/b</a>.</p>\n`,
    );
  });

  it.each(['readme.md', 'a.example', '10.0.0.1', 'ada@a.example', 'ftp://a.example'])(
    'leaves %s alone',
    (text) => {
      expect(markdownHtml(text)).toBe(`<p>${text}</p>\n`);
    },
  );

  it('links to images instead of showing them', () => {
    expect(markdownHtml('![a *graph*](https://a.example/x.png)')).toBe(
      '<p><a href="https://a.example/x.png" rel="nofollow noopener noreferrer">a graph</a></p>\n',
    );
    expect(markdownHtml('![](https://a.example/x.png)')).toContain('>Image</a>');
    expect(markdownHtml('[![b](https://a.example/x.png)](https://b.example)')).toBe(
      '<p><a href="https://b.example" rel="nofollow noopener noreferrer">b</a></p>\n',
    );
  });

  it('renders task lists with disabled checkboxes', () => {
    expect(markdownHtml('- [ ] one\n- [x] two\n- [y] three\n')).toBe(
      [
        '<ul>',
        '<li class="task"><input type="checkbox" disabled aria-label="Not done"> one</li>',
        '<li class="task"><input type="checkbox" disabled aria-label="Done" checked> two</li>',
        '<li>[y] three</li>',
        '</ul>\n',
      ].join('\n'),
    );
    expect(markdownHtml('[ ] no list')).toBe('<p>[ ] no list</p>\n');
  });

  it('aligns cells of tables without styles', () => {
    const html = markdownHtml('| a | b |\n| - | -: |\n| 1 | 2 |');
    expect(html).toContain('<td>1</td>\n<td class="align-right">2</td>');
    expect(html).not.toContain('style');
  });

  it('keeps headings below those of the page, without gaps, and has no ids', () => {
    expect(markdownHtml('# a\n\n###### b')).toBe('<h3>a</h3>\n<h4>b</h4>\n');
    expect(markdownHtml('## a\n\nb\n---\n\n### c')).toBe('<h3>a</h3>\n<h3>b</h3>\n<h4>c</h4>\n');
    const all = [1, 2, 3, 4, 5, 6].map((level) => `${'#'.repeat(level)} x`).join('\n');
    expect(markdownHtml(all).match(/<h\d>/g)?.join('')).toBe('<h3><h4><h5><h6><h6><h6>');
  });

  it('ends a line where two spaces say so', () => {
    expect(markdownHtml('**a:** 1  \n**b:** 2')).toBe(
      '<p><strong>a:</strong> 1<br>\n<strong>b:</strong> 2</p>\n',
    );
  });

  it('does not repeat an address without end', () => {
    const text = `[a]: https://a.example/${'y'.repeat(10_000)}\n\n${'[a]'.repeat(4_000)}`;
    const html = markdownHtml(text);
    expect(html.match(/<a /g)).toHaveLength(19);
    expect(html.match(/a/g)?.length).toBeGreaterThan(2_000);
    expect(html.length).toBeLessThan(300_000);
    const images = `${text.split('[a][a]')[0] ?? ''}${'![][a]'.repeat(2_000)}`;
    expect(markdownHtml(images).length).toBeLessThan(300_000);
  });

  it.each([
    '*',
    '[',
    '![',
    '`',
    '<',
    '>',
    '_a_',
    '[a](',
    '- ',
    '| a ',
    '\\',
    'http://',
    '**a ',
    '&',
  ])('stays fast for a hundred thousand of %j', (piece) => {
    const text = piece.repeat(Math.floor(100_000 / piece.length));
    expect(effortOf(() => markdownHtml(text))).toBeLessThan(15);
  });
});
