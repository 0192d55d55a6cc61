import { describe, expect, it } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { MarkdownBudget } from '../markdown/markdown-budget.js';
import { Markdown } from './markdown.js';

const NOTICE = 'too complex to render';

describe('The Markdown component', () => {
  it('renders what people write', () => {
    expect(render(Markdown({ text: '**a** <b>' }))).toBe(
      '<div class="markdown"><p><strong>a</strong> &lt;b&gt;</p>\n</div>',
    );
  });

  it('shows the texts of a list as source once they exceed the budget together', () => {
    const budget = new MarkdownBudget();
    const texts = ['first', 'second', 'third'].map((word) => `${word} ${'*a* '.repeat(3_500)}`);
    const shown = texts.map((text) => render(Markdown({ text, budget })).includes(NOTICE));
    expect(shown).toEqual([false, true, true]);
  });

  it('renders a repeated text only once', () => {
    const budget = new MarkdownBudget();
    const text = `once ${'*a* '.repeat(4_000)}`;
    const all = [1, 2, 3].map(() => render(Markdown({ text, budget })));
    expect(new Set(all).size).toBe(1);
    expect(all[0]).not.toContain(NOTICE);
  });

  it('does not cache a text that other texts of its page have cut short', () => {
    const text = `again ${'*b* '.repeat(3_500)}`;
    const budget = new MarkdownBudget();
    render(Markdown({ text: `before ${'*a* '.repeat(3_500)}`, budget }));
    expect(render(Markdown({ text, budget }))).toContain(NOTICE);
    expect(render(Markdown({ text }))).not.toContain(NOTICE);
  });

  it('resolves the links of identical files separately', () => {
    const text = `[guide](guide.md)\n${'x'.repeat(1_000)}`;
    const linked = ['/a', '/b'].map((folder) => {
      const addressOf = (link: string): string => `${folder}/${link}`;
      return render(Markdown({ text, links: { base: folder, addressOf } }));
    });
    expect(linked[0]).toContain('href="/a/guide.md"');
    expect(linked[1]).toContain('href="/b/guide.md"');
  });
});
