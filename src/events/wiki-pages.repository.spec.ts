import { describe, expect, it } from '@jest/globals';
import { wikiPageNames } from './wiki-pages.repository.js';

describe('the names of a wiki page', () => {
  it.each([
    ['home.md', 'markdown', 'home', 'home'],
    ['guides/First-steps.markdown', 'markdown', 'guides/First-steps', 'First steps'],
    ['a/b c/v1.2.MD', 'markdown', 'a/b c/v1.2', 'v1.2'],
    ['notes.asciidoc', 'asciidoc', 'notes', 'notes'],
    ['notes.adoc', 'asciidoc', 'notes', 'notes'],
    ['notes.org', 'org', 'notes', 'notes'],
    ['notes.rdoc', 'rdoc', 'notes', 'notes'],
    ['notes.txt', 'plaintext', 'notes', 'notes'],
    ['two\nlines.md', 'markdown', 'two\nlines', 'two\nlines'],
    ['\ufffd.md', 'markdown', '\ufffd', '\ufffd'],
  ])('of %j', (path, ...[format, slug, title]) => {
    expect(wikiPageNames(path)).toEqual({ format, slug, title });
  });

  it.each(['image.png', 'README', '.md', 'uploads/.md', 'a.md/b', 'x.constructor', ''])(
    'are null for %j',
    (path) => {
      expect(wikiPageNames(path)).toBeNull();
    },
  );
});
