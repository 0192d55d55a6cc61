import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Section } from '../docs/.vitepress/sections.js';

/** A path or the name of a source file between backticks, without placeholders. */
const NAMED =
  /`([\w@./-]+\.(?:tsx?|js|sh|yaml)|(?:src|test|deploy|bench|docs|examples)\/[\w@./-]*)`/g;
/** Named without being ours: what the build makes and what others have on their disks. */
const NOT_OURS = /^(dist|node_modules)\//;

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !name.includes('node_modules')).map((name) => `${folder}/${name}`);
}

const documents = [...readdirSync('.'), ...filesBelow('docs'), ...filesBelow('examples')].filter(
  (name) => name.endsWith('.md'),
);
const sources = ['src', 'test', 'deploy', 'bench', 'examples'].flatMap(filesBelow);
const names = new Set(sources.map((path) => basename(path)));

/** A bare file name stands for any file of that name; a path is taken from the root or from src. */
function exists(named: string): boolean {
  if (!named.includes('/')) return names.has(named) || existsSync(named);
  return existsSync(named) || existsSync(join('src', named));
}

/** The text outside of code. */
function textOf(document: string): string {
  return readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
}

/** The anchors of the headings, as GitHub and the site make them. */
function anchorsOf(document: string): Set<string> {
  const headings = [...textOf(document).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The files of a section of the site. */
function pagesOf({ pages }: Section): string[] {
  return pages.flatMap((page) => (typeof page === 'string' ? [`docs/${page}.md`] : pagesOf(page)));
}

describe('the documents', () => {
  it('name only files that exist', () => {
    const missing = documents.flatMap((document) => {
      const found = [...readFileSync(document, 'utf8').matchAll(NAMED)].map(
        ([, name = '']) => name,
      );
      const wrong = found.filter((name) => !NOT_OURS.test(name) && !exists(name));
      return wrong.map((name) => `${document}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('list the variables that compose.yaml passes to the containers', () => {
    const page = readFileSync('docs/reference/configuration.md', 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const variables = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z_]+/g) ?? []);
    const compose = readFileSync('compose.yaml', 'utf8');
    // Fixed by the image.
    const missing = variables.filter(
      (name) => !['NODE_ENV', 'HOST'].includes(name) && !compose.includes(`${name}`),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['docs/reference/audit-events.md', /(?<!\.)\baction(?::| =) [^;\n]*/g, /'([a-z]+_[a-z_]+)'/g],
    ['docs/reference/configuration.md', /reader\.\w+\(\s*'[A-Z_]+'/g, /'([A-Z_]+?)(?:_FILE)?'/g],
    ['docs/reference/metrics.md', /name: 'guildhall_\w+'/g, /'(\w+)'/g],
    ['docs/reference/command-line.md', /\.command\('[a-z-]+/g, /'([a-z-]+)/g],
  ])('%s names everything that the code has', (page, statement, name) => {
    const code = filesBelow('src').filter((path) => /(?<!spec)\.tsx?$/.test(path));
    const known = code.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(statement)].flatMap(([text]) =>
        [...text.matchAll(name)].map(([, found = '']) => found),
      ),
    );
    const text = readFileSync(page, 'utf8');
    expect(known.length).toBeGreaterThan(10);
    expect(known.filter((found) => !text.includes(found))).toEqual([]);
  });

  it('link only to what exists', () => {
    const broken = documents.flatMap((document) => {
      const links = [...textOf(document).matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]+))?\)/g)];
      return links.flatMap(([, link = '', anchor]) => {
        const target = link === '' ? document : join(document, '..', link);
        if (!existsSync(target)) return [`${document}: ${link}`];
        const isFound = anchor === undefined || anchorsOf(target).has(anchor);
        return isFound ? [] : [`${document}: ${link}#${anchor}`];
      });
    });
    expect(broken).toEqual([]);
  });

  it('are all in the site', async () => {
    const url = pathToFileURL(resolve('docs/.vitepress/sections.js'));
    const { SECTIONS } = (await import(url.href)) as { SECTIONS: Section[] };
    const listed = new Set(SECTIONS.flatMap(pagesOf));
    const pages = documents.filter(
      (path) => path.startsWith('docs/') && !/decisions|licenses/.test(path),
    );
    const missing = pages.filter((path) => !listed.has(path));
    expect([missing, [...listed].filter((path) => !existsSync(path))]).toEqual([[], []]);
  });
});
