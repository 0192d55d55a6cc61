import { describe, expect, it } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { asWritten, Markdown } from './markdown.js';

describe('The Markdown component', () => {
  it('renders what people write', () => {
    expect(render(Markdown({ text: '**a** <b>' }))).toBe(
      '<div class="markdown"><p><strong>a</strong> &lt;b&gt;</p>\n</div>',
    );
  });

  it('shows texts as they were written when there is too much of them', () => {
    const long = `**${'<'.repeat(50_000)}`;
    for (const html of [
      render(Markdown({ text: long })),
      render(Markdown({ text: '**<', plain: true })),
    ]) {
      expect(html).toMatch(/^<pre class="whitespace-pre-wrap" tabindex="0">\*\*(?:&lt;)+<\/pre>$/);
    }
  });

  it('takes the texts of a list together, small ones after large ones, too', () => {
    const texts = [40_000, 50_000, 20_000, 10_000, 1].map((length) => 'x'.repeat(length));
    expect(asWritten(texts)).toEqual([false, false, true, false, true]);
  });
});
