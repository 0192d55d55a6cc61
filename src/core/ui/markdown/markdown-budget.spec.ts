import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/effort.js';
import { markdownHtml } from './markdown-html.js';

const LENGTH = 50_000;
const NOTICE = '<p class="markdown-notice">';

/** Inputs that took up to several seconds to render without a limit. */
const COSTLY: Record<string, string> = {
  'nested quotes above many lines': `${'> '.repeat(95)}${'x\n'.repeat(24_850)}`,
  'nested lists in quotes above many lines': `${'> - '.repeat(40)}\n${'x\n'.repeat(24_000)}`,
  'unclosed images': '!['.repeat(LENGTH / 2),
  'nested images': `${'!['.repeat(8_000)}${'](a)'.repeat(8_000)}`,
  'unclosed brackets': '[]['.repeat(LENGTH / 3),
  'a wide table': `${'|a'.repeat(8_000)}|\n${'|-'.repeat(8_000)}|\n${'|x\n'.repeat(5_000)}`,
};

/** Ordinary prose of 100,000 characters as the baseline. */
const PROSE =
  'The **storage** moves [each](https://a.example) repository, then `verifies` it.\n\n'.repeat(
    1_250,
  );

describe('overly complex Markdown', () => {
  it.each(Object.keys(COSTLY))('is bounded: %s', (name) => {
    const text = COSTLY[name] ?? '';
    const prose = cpuTimeOf(() => markdownHtml(PROSE));
    expect(cpuTimeOf(() => markdownHtml(text))).toBeLessThan(4 * prose);
    expect(markdownHtml(text)).toContain(NOTICE);
  });

  it('is rendered up to the first block that exceeds the budget and shown as source from there', () => {
    const html = markdownHtml(
      `# Title\n\n[a][1]\n\n${'<*'.repeat(20_000)}\n\n[1]: https://a.example`,
    );
    const [before = '', after = ''] = html.split(NOTICE);
    expect(before).toMatch(
      /^<h3>Title<\/h3>\n<p><a href="https:\/\/a\.example" [^>]*>a<\/a><\/p>\n$/,
    );
    expect(after).toMatch(
      /<pre tabindex="0">&lt;\*&lt;\*.*\n\n\[1\]: https:\/\/a\.example<\/pre>\n$/s,
    );
  });

  it('shows the complete source of deeply nested blocks', () => {
    const html = markdownHtml(`above\n\n${'> '.repeat(60)}deep <b>\n\nbelow`);
    expect(html).toContain('<p>above</p>');
    expect(html).toContain('&gt; deep &lt;b&gt;\n\nbelow</pre>');
  });

  it('does not include long documents such as our own guides', () => {
    const guide = ['architecture', 'runbook', 'reference/settings', 'how-to/storages']
      .map((page) => readFileSync(`docs/${page}.md`, 'utf8'))
      .join('\n');
    expect(guide.length).toBeGreaterThan(LENGTH);
    for (const text of [guide, guide + guide]) expect(markdownHtml(text)).not.toContain(NOTICE);
  });
});
