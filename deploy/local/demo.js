import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ROOT } from './build.js';
import { chromiumProgram } from './chromium-program.js';
import { Refusal } from './refusal.js';

const PASSWORD = 'only for pictures of the demo';
const READY = 'Guildhall is ready at ';
const COMPLETE = 'The demo data is complete.';

/** Viewports of a desktop and of a telephone. */
export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** A browser whose pictures are the same on every machine. */
export function launchBrowser() {
  return chromium.launch({
    executablePath: chromiumProgram(),
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });
}

/**
 * Starts the product with demo data on a free port, calls `use` with its URL once all of the data
 * is there, and removes everything afterwards.
 * @param {(url: string) => Promise<void>} use
 */
export async function withDemo(use) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guildhall-demo-'));
  // PostgreSQL of a root user runs as another user, who must get in.
  chmodSync(dataDir, 0o711);
  const server = startServer(dataDir);
  try {
    await use(await server.ready);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
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
 * Signs the administrator of the demo in.
 * @param {import('playwright-core').Page} page
 * @param {string} url
 */
export async function signIn(page, url) {
  await page.goto(`${url}/users/sign_in`);
  await page.fill('[name="user[login]"]', 'root');
  await page.fill('[name="user[password]"]', PASSWORD);
  await page.click('main form button[type="submit"]');
  await page.waitForURL((address) => address.pathname !== '/users/sign_in');
}

/**
 * Waits until the page and its fonts are there.
 * @param {import('playwright-core').Page} page
 */
export async function settle(page) {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}
