import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from './local/build.js';
import { launchBrowser, NARROW, settle, signIn, WIDE, withDemo } from './local/demo.js';
import { Refusal, runMain } from './local/refusal.js';

const FOLDER = join(ROOT, 'docs', 'images');
const MAX_BYTES = 120_000;
const CHECKOUT = '/acme/web-shop/checkout';

/**
 * @typedef {object} Picture
 * @property {string} name
 * @property {string} path
 * @property {string} [link] selector of the link on that page that leads to the one in the picture
 * @property {boolean} [narrow] also as on a telephone
 */

/** @type {Picture[]} */
const PICTURES = [
  { name: 'home', path: '/', narrow: true },
  { name: 'merge-request', path: `${CHECKOUT}/-/merge_requests/5` },
  { name: 'alerts', path: `${CHECKOUT}/-/alert_management`, narrow: true },
  { name: 'error', path: `${CHECKOUT}/-/error_tracking`, link: 'main a:has-text("TypeError")' },
  { name: 'activity', path: `${CHECKOUT}/-/activity` },
  { name: 'storage-moves', path: '/admin/storage_moves' },
  { name: 'notifications', path: '/-/profile/notifications' },
  { name: 'applications', path: '/admin/applications' },
];

/**
 * `npm run screenshots`: starts the product with demo data on a free port and writes pictures of
 * each module to docs/images, in light (`<name>.webp`) and dark (`<name>-dark.webp`). Names of
 * pictures as arguments limit it to those.
 */
async function main() {
  const names = process.argv.slice(2);
  const pictures = PICTURES.filter(({ name }) => names.length === 0 || names.includes(name));
  mkdirSync(FOLDER, { recursive: true });
  await withDemo(async (url) => {
    const browser = await launchBrowser();
    try {
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        const page = await browser.newPage({
          viewport: WIDE,
          colorScheme,
          reducedMotion: 'reduce',
        });
        await signIn(page, url);
        for (const picture of pictures) await take(page, { url, picture, colorScheme });
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
  return 0;
}

/**
 * @param {import('playwright-core').Page} page
 * @param {{ url: string, picture: Picture, colorScheme: 'light' | 'dark' }} options
 */
async function take(page, { url, picture: { name, path, link, narrow }, colorScheme }) {
  const response = await page.goto(url + path);
  if (response?.status() !== 200) throw new Refusal(`${path} answers ${response?.status()}`);
  if (link) {
    await page.locator(link).first().click();
    await page.waitForLoadState();
  }
  const suffix = colorScheme === 'dark' ? '-dark' : '';
  await write(page, `${name}${suffix}`);
  if (!narrow || colorScheme === 'dark') return;
  await page.setViewportSize(NARROW);
  await write(page, `${name}-narrow`);
  await page.setViewportSize(WIDE);
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function write(page, name) {
  await settle(page);
  const picture = sharp(await page.screenshot());
  for (const quality of [90, 80, 60]) {
    const content = await picture.webp({ quality, effort: 6, smartSubsample: true }).toBuffer();
    if (content.length > MAX_BYTES) continue;
    const file = join(FOLDER, `${name}.webp`);
    writeFileSync(file, content);
    console.log(`${file} ${Math.ceil(content.length / 1000)} KB`);
    return;
  }
  throw new Refusal(`the picture ${name} is larger than ${MAX_BYTES} bytes`);
}

await runMain(main);
