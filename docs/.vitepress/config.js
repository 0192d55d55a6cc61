import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { SECTIONS } from './sections.js';

const DOCS = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(DOCS, '..');

/** Beginnings of titles that the group in the sidebar says already. */
const GROUP_NAMES = /^(?:Sign users in to|Receive alerts from|Report errors from|Migrate from) /;

const DECISIONS = readdirSync(join(DOCS, 'decisions')).map((name) =>
  itemOf(`decisions/${name.slice(0, -'.md'.length)}`),
);
const DECISIONS_LINK = { text: 'Decisions', link: DECISIONS[0]?.link };

/** `npm run docs` builds the site, `npm run docs:dev` serves it. */
export default defineConfig({
  title: 'Guildhall',
  description: 'Self-hosted code, alerts, errors and sign-in',
  lang: 'en-US',
  outDir: join(ROOT, 'dist-docs'),
  cacheDir: join(ROOT, 'node_modules/.cache/vitepress'),
  // The addresses of a local instance are links, too.
  ignoreDeadLinks: 'localhostLinks',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  themeConfig: {
    logo: '/icon.svg',
    nav: SECTIONS.map(({ text, pages }) => ({ text, link: linkOf(pages[0]) })),
    // A list of all decisions on every page would be most of its HTML.
    sidebar: { '/decisions/': DECISIONS, '/': [...SECTIONS.map(sectionOf), DECISIONS_LINK] },
    outline: [2, 3],
    search: { provider: 'local' },
  },
  buildEnd: ({ outDir }) => copyFileSync(join(DOCS, 'openapi.json'), join(outDir, 'openapi.json')),
});

/** @param {import('./sections.js').Section} section */
function sectionOf(section) {
  return { ...groupOf(section), collapsed: false };
}

/** @param {import('./sections.js').Section} section */
function groupOf({ text, pages }) {
  const items = pages.map((page) => (typeof page === 'string' ? itemOf(page) : groupOf(page)));
  return { text, items, collapsed: true };
}

/** @param {string} page */
function itemOf(page) {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(DOCS, `${page}.md`), 'utf8')) ?? [];
  const short = title.replace(GROUP_NAMES, '').replaceAll('`', '');
  return { text: short.charAt(0).toUpperCase() + short.slice(1), link: linkOf(page) };
}

/** @param {import('./sections.js').Section['pages'][number]} page */
function linkOf(page) {
  if (typeof page !== 'string') return linkOf(page.pages[0]);
  return page === 'index' ? '/' : `/${page}`;
}
