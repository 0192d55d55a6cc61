import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { ROOT } from './local/build.js';
import { chromiumProgram } from './local/chromium-program.js';
import { Refusal, runMain } from './local/refusal.js';

const FOLDER = join(ROOT, 'docs', 'images');
const PASSWORD = 'only for these screenshots';
const READY = 'Guildhall is ready at ';
const COMPLETE = 'The demo data is complete.';
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
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
  const dataDir = mkdtempSync(join(tmpdir(), 'guildhall-screenshots-'));
  // PostgreSQL of a root user runs as another user, who must get in.
  chmodSync(dataDir, 0o711);
  const server = startServer(dataDir);
  const browser = await chromium.launch({
    executablePath: chromiumProgram(),
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });
  try {
    const url = await server.ready;
    mkdirSync(FOLDER, { recursive: true });
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const page = await browser.newPage({ viewport: WIDE, colorScheme, reducedMotion: 'reduce' });
      await signIn(page, url);
      for (const picture of pictures) await take(page, { url, picture, colorScheme });
      await page.close();
    }
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return 0;
}

/**
 * @param {string} dataDir
 * @returns {{ ready: Promise<string>, stop: () => Promise<void> }} `ready` is the URL once all of
 *   the demo data is there
 */
function startServer(dataDir) {
  const child = spawn(process.execPath, [join(ROOT, 'deploy', 'start.js')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      REDIS_URL: '',
      PORT: '0',
      BASE_URL: '',
      HOST: '127.0.0.1',
      DEMO_DATA: 'on',
      INITIAL_ROOT_PASSWORD: PASSWORD,
      LOG_LEVEL: 'error',
    },
  });
  const exited = once(child, 'exit');
  /** @type {Promise<string>} */
  const ready = new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (!output.includes(COMPLETE)) return;
      resolve(output.split(READY)[1]?.split('\n')[0]?.trim() ?? '');
    });
    void exited.then(() =>
      reject(new Refusal('Guildhall ended before its demo data was complete')),
    );
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { ready, stop };
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} url
 */
async function signIn(page, url) {
  await page.goto(`${url}/users/sign_in`);
  await page.fill('[name="user[login]"]', 'root');
  await page.fill('[name="user[password]"]', PASSWORD);
  await page.click('main form button[type="submit"]');
  await page.waitForURL((address) => address.pathname !== '/users/sign_in');
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
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready.then(() => undefined)');
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
