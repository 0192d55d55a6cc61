import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import 'reflect-metadata';
import { buildWhenStale, ROOT } from './local/build.js';
import { launchBrowser } from './local/demo.js';
import { demoSheets } from './local/demo-sheets.js';
import { runMain } from './local/refusal.js';
import { ASSETS_FOLDER } from './styles.js';

const ORIGIN = 'https://guildhall.example.com';
const ASSETS = '/-/assets/';
const WIDE = { width: 1024, height: 640 };
const NARROW = { width: 390, height: 640 };
const GAP = 16;
const SCHEMES = /** @type {const} */ (['light', 'dark']);

/** Pages of these statuses, for visitors and for signed-in users. */
const STATUSES = [400, 401, 403, 404, 413, 422, 429, 500, 503];

/** @typedef {{ name: string, html: string }} Subject */

/**
 * `npm run contact-sheets [folder]`: pictures of all error pages and of all emails with sample
 * data, each in light and dark, wide and narrow. They need no server.
 * `npm run contact-sheets -- --demo [folder]`: the same of the pages of the demo.
 */
async function main() {
  const { values, positionals } = parseArgs({
    options: { demo: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  await buildWhenStale();
  const folder = resolve(positionals[0] ?? join(tmpdir(), 'guildhall-contact-sheets'));
  mkdirSync(folder, { recursive: true });
  if (values.demo) {
    console.log(`${await demoSheets(folder)} contact sheets in ${folder}`);
    return 0;
  }
  const subjects = [...(await errorPages()), ...(await emails())];
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    for (const { name, html } of subjects) {
      await page.unrouteAll();
      await page.route(`${ORIGIN}/**`, (route) => route.fulfill(answerTo(route, html)));
      writeFileSync(join(folder, `${name}.png`), await sheetOf(page));
    }
  } finally {
    await browser.close();
  }
  console.log(`${subjects.length} contact sheets in ${folder}`);
  return 0;
}

/** @param {string} name of a module below src */
function compiled(name) {
  return import(pathToFileURL(join(ROOT, 'dist', 'src', `${name}.js`)).href);
}

/** @returns {Promise<Subject[]>} */
async function errorPages() {
  const { ErrorPage } = await compiled('core/ui/error-pages.service');
  const { renderPage } = await compiled('core/ui/document');
  const files = {
    icon: `${ASSETS}icon.svg`,
    styleSheets: [`${ASSETS}app.css`],
    font: `${ASSETS}inter.woff2`,
  };
  return STATUSES.flatMap((status) =>
    ['visitor', 'user'].map((viewer) => {
      const signInHref = viewer === 'visitor' ? '/users/sign_in' : null;
      const requestId = '01JEXAMPLE0REQUEST0ID00000';
      const props = { status, signInHref, requestId, reason: undefined, retryAfter: undefined };
      return {
        name: `error-${status}-${viewer}`,
        html: renderPage(ErrorPage({ ...props, files })),
      };
    }),
  );
}

/** @returns {Promise<Subject[]>} */
async function emails() {
  const { emailSamples } = await compiled('instance/admin/email-samples');
  /** @type {[string, () => { html: string }][]} */
  const samples = Object.entries(emailSamples(ORIGIN));
  return samples.map(([kind, render]) => ({ name: `email-${kind}`, html: render().html }));
}

/**
 * @param {import('playwright-core').Route} route
 * @param {string} html of the page
 */
function answerTo(route, html) {
  const { pathname } = new URL(route.request().url());
  return pathname.startsWith(ASSETS)
    ? { path: join(ASSETS_FOLDER, basename(pathname)) }
    : { contentType: 'text/html; charset=utf-8', body: html };
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<Buffer>} its four variants side by side
 */
async function sheetOf(page) {
  const pictures = [];
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.goto(ORIGIN, { waitUntil: 'load' });
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      pictures.push({ width: viewport.width, input: await page.screenshot({ fullPage: true }) });
    }
  }
  let left = 0;
  const parts = [];
  for (const { width, input } of pictures) {
    parts.push({ input, left, top: 0 });
    left += width + GAP;
  }
  const heights = await Promise.all(
    pictures.map(async ({ input }) => (await sharp(input).metadata()).height),
  );
  const size = { width: left - GAP, height: Math.max(...heights) };
  const sheet = sharp({ create: { ...size, channels: 3, background: '#888' } });
  return sheet.composite(parts).png().toBuffer();
}

await runMain(main);
