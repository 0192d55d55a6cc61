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

/** Title and slug of a wiki page. */
interface WikiPageNames {
  format: string;
  /** Path of its file, without the ending. */
  slug: string;
  /** Last part of the slug, with spaces for dashes. */
  title: string;
}

/** Returns the names of the wiki page at a repository path; null if the file is no page. */
export function wikiPageNames(path: string): WikiPageNames | null {
  const match = /^(?<slug>(?:.*\/)?(?<name>[^/]+))\.(?<ending>[^./]+)$/su.exec(path);
  const { slug = '', name = '', ending = '' } = match?.groups ?? {};
  const format = Object.entries(FORMATS).find(([known]) => known === ending.toLowerCase())?.[1];
  if (format === undefined) return null;
  return { format, slug, title: name.replaceAll('-', ' ') };
}
