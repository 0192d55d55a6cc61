import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { launchBrowser, NARROW, settle, signIn, WIDE, withDemo } from './demo.js';

const START = ['/acme/web-shop/checkout', '/'];
const VISITOR = ['/users/sign_in', '/users/password/new', '/users/confirmation/new', '/explore'];
/** Pages of one kind: mostly one with much on it and one with little. */
const PER_KIND = 2;
/** The email previews have contact sheets of their own. */
const LEFT_OUT = /^\/admin\/mails\/preview\/./;
const GAP = 12;

/**
 * @typedef {object} Variant
 * @property {{ width: number, height: number }} viewport
 * @property {'light' | 'dark'} colorScheme
 * @property {number} columns of a sheet
 * @property {number} rows of a sheet
 * @property {number} scale of a page on a sheet
 * @property {number} maxHeight of the part of a page that is shown, in CSS pixels
 */

/** @type {Variant[]} */
const VARIANTS = /** @type {const} */ (['light', 'dark']).flatMap((colorScheme) => [
  { viewport: WIDE, colorScheme, columns: 2, rows: 2, scale: 0.5, maxHeight: 1200 },
  { viewport: NARROW, colorScheme, columns: 5, rows: 1, scale: 0.7, maxHeight: 1500 },
]);

/**
 * Photographs the pages of the demo that links lead to, several on a sheet, as the administrator
 * sees them, and some as visitors do; `pages.txt` says what is on each sheet.
 * @param {string} folder
 * @returns {Promise<number>} of sheets
 */
export async function demoSheets(folder) {
  let count = 0;
  await withDemo(async (url) => {
    const browser = await launchBrowser();
    try {
      const paths = await linkedPaths(browser, url);
      /** @type {string[]} */
      const names = [];
      for (const variant of VARIANTS) {
        const page = await browser.newPage({ ...variant, reducedMotion: 'reduce' });
        const prefix = `${variant.viewport.width}-${variant.colorScheme}`;
        /** @type {(name: string, shown: string[]) => Promise<void>} */
        const take = async (name, shown) => {
          const file = `${prefix}-${name}.png`;
          writeFileSync(join(folder, file), await sheetOf(page, { url, variant, shown }));
          names.push(`${file}: ${shown.join(' ')}`);
        };
        await take('visitor', VISITOR);
        await signIn(page, url);
        const size = variant.columns * variant.rows;
        for (let at = 0; at < paths.length; at += size) {
          await take(String(at / size + 1).padStart(2, '0'), paths.slice(at, at + size));
        }
        await page.close();
      }
      writeFileSync(join(folder, 'pages.txt'), `${names.join('\n')}\n`);
      count = names.length;
    } finally {
      await browser.close();
    }
  });
  return count;
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @returns {Promise<string[]>} paths of pages, in the order in which links lead to them
 */
async function linkedPaths(browser, url) {
  const page = await browser.newPage();
  await signIn(page, url);
  /** @type {Map<string, number>} */
  const kinds = new Map();
  const seen = new Set(START);
  const paths = [];
  for (const path of seen) {
    const kind = kindOf(path);
    const count = kinds.get(kind) ?? 0;
    if (count >= PER_KIND || LEFT_OUT.test(path)) continue;
    const response = await page.request.get(url + path, { maxRedirects: 0 });
    kinds.set(kind, count + 1);
    if (!response.headers()['content-type']?.startsWith('text/html')) continue;
    if (response.status() >= 400) console.warn(`${path} answers ${response.status()}`);
    if (response.status() === 200) paths.push(path);
    for (const [, href] of (await response.text()).matchAll(/<a [^>]*href="([^"#?]+)/g)) {
      const { origin, pathname } = new URL(href ?? '', url + path);
      if (origin === new URL(url).origin) seen.add(pathname);
    }
  }
  await page.close();
  return paths;
}

/**
 * @param {string} path
 * @returns {string} the same for pages that differ only in their data
 */
function kindOf(path) {
  return path
    .replace(/[0-9a-f]{32,}/g, ':sha')
    .replace(/\/\d+/g, '/:id')
    .replace(/^\/(?!groups\/).+(?=\/-\/)/, ':project')
    .replace(/^\/groups\/.+(?=\/-\/)/, ':group')
    .replace(/\/(blob|tree|blame|commits|raw)\/(?=.).*/, '/$1/:path')
    .replace(/^\/users\/(?!sign_in|password)[^/]+/, '/users/:name')
    .replace(/^\/-\/docs\/api\/.+/, '/-/docs/api/:resource')
    .replace(/^\/groups\/(?!new)[^-]+$/, '/groups/:path')
    .replace(/^\/(?!admin|dashboard|explore|groups|projects|search|users|-)[^:]+$/, (name) =>
      name.includes('/', 1) ? '/:project' : '/:user',
    );
}

/**
 * @param {import('playwright-core').Page} page
 * @param {{ url: string, variant: Variant, shown: string[] }} sheet
 * @returns {Promise<Buffer>}
 */
async function sheetOf(page, { url, variant: { viewport, columns, scale, maxHeight }, shown }) {
  const pictures = [];
  for (const path of shown) {
    await page.goto(url + path);
    await settle(page);
    const picture = sharp(await page.screenshot({ fullPage: true }));
    const height = Math.min((await picture.metadata()).height, maxHeight);
    pictures.push(
      await picture
        .extract({ left: 0, top: 0, width: viewport.width, height })
        .resize({ width: Math.round(viewport.width * scale) })
        .png()
        .toBuffer({ resolveWithObject: true }),
    );
  }
  const parts = [];
  let bottom = 0;
  for (let at = 0; at < pictures.length; at += columns) {
    const row = pictures.slice(at, at + columns);
    const top = bottom === 0 ? 0 : bottom + GAP;
    parts.push(
      ...row.map(({ data, info }, column) => ({
        input: data,
        top,
        left: column * (info.width + GAP),
      })),
    );
    bottom = top + Math.max(...row.map(({ info }) => info.height));
  }
  const width = columns * (Math.round(viewport.width * scale) + GAP) - GAP;
  return sharp({ create: { width, height: bottom, channels: 3, background: '#888' } })
    .composite(parts)
    .png()
    .toBuffer();
}
