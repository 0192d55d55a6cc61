import { afterAll, describe, expect, it } from '@jest/globals';
import { CodeHighlighter } from './code-highlighter.service.js';

const highlighter = new CodeHighlighter();
afterAll(() => highlighter.onApplicationShutdown());

describe('CodeHighlighter', () => {
  it('finds the language by its name, an extension and the name of a file', async () => {
    const keyword = '<span class="h-keyword">';
    expect(await highlighter.highlight(['const a = 1'], 'ts')).toEqual([
      [`${keyword}const</span> a = <span class="h-number">1</span>`],
    ]);
    const from = await highlighter.highlight(['FROM a'], 'deploy/Dockerfile');
    expect(from?.[0]?.[0]).toContain(keyword);
    expect((await highlighter.highlight(['def a'], 'lib/a.rb'))?.[0]?.[0]).toContain(keyword);
  });

  it('closes elements at the end of each line', async () => {
    expect(await highlighter.highlight(['/* a\nb */', 'c'], 'a.js')).toEqual([
      ['<span class="h-comment">/* a</span>', '<span class="h-comment">b */</span>'],
      ['c'],
    ]);
  });

  it('keeps markup in code as text', async () => {
    for (const hint of ['html', 'js', 'php', 'md', 'xml']) {
      const text = '<script>alert("1")</script>\n// <img src=x onerror=alert(1)>';
      const html = (await highlighter.highlight([text], hint))?.flat().join('\n') ?? '';
      const tags = html.match(/<[^<>]*>/g) ?? [];
      expect(tags.filter((tag) => !/^<(?:span class="[\w -]+"|\/span)>$/.test(tag))).toEqual([]);
      expect(html).toContain('&lt;');
    }
  });

  it.each([
    ['unknown languages', ['a'], 'file.unknown'],
    ['names that are properties of objects', ['a'], 'constructor'],
    ['texts without a name', ['a'], ''],
    ['long texts', ['a\n'.repeat(150_000)], 'js'],
    ['long lines', ['a'.repeat(3_000)], 'js'],
  ])('leaves %s plain', async (_, texts, hint) => {
    expect(await highlighter.highlight(texts, hint)).toBeNull();
  });

  it('highlights many texts at a time', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `let a${at}`);
    const all = await Promise.all(texts.map((text) => highlighter.highlight([text], 'js')));
    expect(all.filter((lines) => lines === null)).toEqual([]);
  });
});
