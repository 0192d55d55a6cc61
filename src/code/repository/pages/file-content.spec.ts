import { describe, expect, it } from '@jest/globals';
import { markdownHtml } from '../../../core/ui/markdown/markdown-html.js';
import { codeAddresses } from './code-frame.js';
import { relativeLinks } from './file-content.js';

const project = {
  path: 'loom',
  namespace: { fullPath: 'mill' },
} as Parameters<typeof codeAddresses>[0];
const addresses = codeAddresses(project);
const { addressOf } = relativeLinks(addresses, { ref: 'feature/#1', path: 'docs/README.md' });

describe('relativeLinks', () => {
  it.each([
    ['guide.md', '/mill/loom/-/blob/feature/%231/docs/guide.md'],
    ['./a/b.md#L12', '/mill/loom/-/blob/feature/%231/docs/a/b.md#L12'],
    ['guide.md?plain=1#top', '/mill/loom/-/blob/feature/%231/docs/guide.md'],
    ['../LICENSE', '/mill/loom/-/blob/feature/%231/LICENSE'],
    ['/src/warp.ts', '/mill/loom/-/blob/feature/%231/src/warp.ts'],
    ['../-/x%3F%20y', '/mill/loom/-/blob/feature/%231/%2D/x%3F%20y'],
    ['..', '/mill/loom/-/tree/feature/%231'],
    ['../../etc/passwd', null],
    ['#top', null],
    ['%zz', null],
  ])('leads %s to %s', (link, address) => {
    expect(addressOf(link)).toBe(address);
  });

  it('leaves addresses with a host as they are and never lets another scheme through', () => {
    const html = (text: string): string => markdownHtml(text, addressOf);
    expect(html('[a](https://example.com/a)')).toContain('href="https://example.com/a"');
    expect(html('[a](guide.md)')).toContain('href="/mill/loom/-/blob/feature/%231/docs/guide.md"');
    expect(html('![a picture](a.png)')).toContain('docs/a.png" rel=');
    expect(html('![a picture](a.png)')).not.toContain('<img');
    expect(html('[up](../../../x) text')).toBe('<p>up text</p>\n');
    const bad = ['javascript:alert(1)', 'data:text/html,x', '//evil.example', '\\\\evil.example'];
    for (const address of [...bad, 'JaVaScRiPt&colon;alert(1)', ' javascript:alert(1)']) {
      expect(html(`[a](<${address}>) ![b](<${address}>)`)).not.toMatch(/href="(?!\/mill\/loom\/)/);
    }
  });
});
