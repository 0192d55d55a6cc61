/** Formats that wikis have, by the endings of their files (reference, Events, `wiki_page`). */
const FORMATS: Readonly<Record<string, string>> = {
  md: 'markdown',
  mkd: 'markdown',
  mkdn: 'markdown',
  markdown: 'markdown',
  rdoc: 'rdoc',
  org: 'org',
  adoc: 'asciidoc',
  ad: 'asciidoc',
  asciidoc: 'asciidoc',
  txt: 'plaintext',
  textile: 'textile',
  creole: 'creole',
  wiki: 'mediawiki',
  mediawiki: 'mediawiki',
  rst: 'rst',
};

/** What a wiki page is called. */
export interface WikiPageNames {
  format: string;
  /** Path of its file, without the ending. */
  slug: string;
  /** Last part of the slug, with spaces for dashes. */
  title: string;
}

/** What the path of a file in a wiki's repository says of its page; null for what is no page. */
export function wikiPageNames(path: string): WikiPageNames | null {
  const match = /^(?<slug>(?:.*\/)?(?<name>[^/]+))\.(?<ending>[^./]+)$/su.exec(path);
  const { slug = '', name = '', ending = '' } = match?.groups ?? {};
  const format = Object.entries(FORMATS).find(([known]) => known === ending.toLowerCase())?.[1];
  if (format === undefined) return null;
  return { format, slug, title: name.replaceAll('-', ' ') };
}
