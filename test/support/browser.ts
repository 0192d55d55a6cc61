import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { getState } from 'jest-circus';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { chromiumProgram } from '../../deploy/local/chromium-program.js';
import { SESSION_COOKIE } from '../../src/identity/auth/sessions/session-cookies.js';
import { atProcessEnd } from '../runner/process-end.js';
import type { TestApp } from './app.js';
import { makeSession } from './page-client.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // Fewer processes to start for each page.
  '--in-process-gpu',
  '--renderer-process-limit=1',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const TIMEOUT_MS = 10_000;
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
/** Pages do not scroll sideways down to this width (WCAG 1.4.10). */
const NARROWEST = { width: 320, height: 740 };
const SCHEMES = ['light', 'dark'] as const;
/** Source of axe for evaluation in a page; the minified file loads twice as fast. */
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules of axe that ask for colours; all others find the same in both schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** One test file's view of the browser. */
export interface TestBrowser {
  browser: Browser;
  /** Returns a page of a new browser profile. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Returns the problems of the pages so far: script errors and policy violations. */
  complaints(): string[];
  /** Closes the pages of the file; the browser goes on for the next one. */
  close(): Promise<void>;
}

let shared: Promise<Browser> | undefined;

/** The Chromium of this process; fails with one clear message on machines without any. */
function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch({ executablePath: chromiumProgram(), args: FLAGS }).then((browser) => {
    atProcessEnd(() => browser.close());
    return browser;
  });
  return shared;
}

/** A page with a browser profile of its own, which later tests use again. */
interface ProfilePage {
  page: Page;
  options: string;
  /** Receives script errors and policy violations. */
  complaints: string[];
  /** The test that opened it last; null before and between tests. */
  test: unknown;
}

/** Pages of this process; a new renderer costs more processor time than opening two pages. */
const profilePages = new Set<ProfilePage>();

/**
 * Opens the browser of this process for one test file. A page that a test opened belongs to it
 * until it ends, one that was opened before the tests belongs to the file. With `keepPages`, which
 * is for the shared application, later files use them as well: a closing application would wait
 * for their connections.
 */
export async function startBrowser({ keepPages = false } = {}): Promise<TestBrowser> {
  const browser = await sharedBrowser();
  const complaints: string[] = [];
  const ofFile = new Set<ProfilePage>();
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const profile = (await reusedPage(options)) ?? (await newPage(browser, options));
    Object.assign(profile, { complaints, test: runningTest() });
    profilePages.add(profile);
    ofFile.add(profile);
    return profile.page;
  };
  const close = async (): Promise<void> => {
    const isKept = ({ test }: ProfilePage): boolean => keepPages && test !== null;
    await Promise.all([...ofFile].map((one) => (isKept(one) ? leave(one) : discard(one))));
  };
  return { browser, open, complaints: () => [...complaints], close };
}

function runningTest(): unknown {
  return getState().currentlyRunningTest ?? null;
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<ProfilePage> {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const profile: ProfilePage = {
    page,
    options: JSON.stringify(options),
    complaints: [],
    test: null,
  };
  context.on('weberror', (error) => profile.complaints.push(String(error.error())));
  context.on('console', (message) => {
    // The status of a refused page is an error message, too.
    const isFault = message.type() === 'error' && !/status of 4\d\d/.test(message.text());
    if (isFault) profile.complaints.push(message.text());
  });
  return profile;
}

/** Returns a page of an ended test that was opened with the same options, as if it was new. */
async function reusedPage(options: BrowserContextOptions): Promise<ProfilePage | undefined> {
  const test = runningTest();
  const free = [...profilePages].find(
    (profile) =>
      profile.test !== null &&
      profile.test !== test &&
      profile.options === JSON.stringify(options) &&
      !profile.page.isClosed(),
  );
  if (free === undefined) return undefined;
  profilePages.delete(free);
  free.complaints = [];
  try {
    await resetPage(free.page, options);
    return free;
  } catch {
    // Its test has left it in the middle of a navigation.
    await free.page.context().close();
    return undefined;
  }
}

async function resetPage(page: Page, { viewport }: BrowserContextOptions): Promise<void> {
  const context = page.context();
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  for (const event of ['dialog', 'request', 'requestfinished', 'response'] as const) {
    await page.removeAllListeners(event, { behavior: 'ignoreErrors' });
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await forget(page);
  await context.clearCookies();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.setViewportSize(viewport ?? WIDE);
  await page.emulateMedia({ colorScheme: null });
}

/** Clears the storage of the open site and leaves it. */
async function forget(page: Page): Promise<void> {
  if (page.url().startsWith('http')) {
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  }
  await page.goto('about:blank');
}

/** Ends what a page does for its file. */
async function leave(profile: ProfilePage): Promise<void> {
  // Complaints that arrive from now on belong to no test.
  profile.complaints = [];
  if (profile.page.isClosed()) return;
  await forget(profile.page).catch(() => discard(profile));
}

async function discard(profile: ProfilePage): Promise<void> {
  profilePages.delete(profile);
  await profile.page.context().close();
}

/** Signs in through the form and waits until its page is left. */
export async function signIn(
  page: Page,
  baseUrl: string,
  { login, password }: { login: string; password: string },
): Promise<void> {
  await page.goto(`${baseUrl}/users/sign_in`);
  await page.fill('[name="user[login]"]', login);
  await page.fill('[name="user[password]"]', password);
  await Promise.all([
    page.waitForURL((url) => url.pathname !== '/users/sign_in'),
    page.click('main form button[type="submit"]'),
  ]);
}

/** Makes the page's browser one in which the user is signed in, without the form. */
export async function enterAs(page: Page, app: TestApp, user: { id: number }): Promise<void> {
  const value = await makeSession(app, user);
  await page
    .context()
    .addCookies([{ name: SESSION_COOKIE, value, url: app.url, httpOnly: true, sameSite: 'Lax' }]);
}

/**
 * Returns axe's violations of the page in both color schemes, as `light color-contrast: a.brand`.
 * Scripts of the test are not subject to the page's policy.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.waitForLoadState();
  await page.evaluate(AXE);
  const found: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'light' ? {} : { runOnly: COLOUR_RULES };
    const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
    const run = `axe.run(document, ${options}).then(({ violations }) => violations)`;
    const violations = (await page.evaluate(run)) as AxeResults['violations'];
    const lines = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${colorScheme} ${id}: ${target.join(' ')}`),
    );
    found.push(...lines);
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/** By how many pixels the page is too wide for a small telephone; 0 = it fits. */
export async function overflowWhenNarrow(page: Page): Promise<number> {
  // A click waits for the next page's beginning only: without its styles nothing fits.
  await page.waitForLoadState();
  await page.setViewportSize(NARROWEST);
  const width = await page.evaluate('document.documentElement.scrollWidth');
  await page.setViewportSize(WIDE);
  return Math.max(0, Number(width) - NARROWEST.width);
}

/** Pictures of the page in light, dark, wide and narrow, into the folder SCREENSHOTS if it is set. */
export async function screenshots(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined || folder === '') return;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const viewport of [WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      const file = `${name}-${colorScheme}-${viewport.width}.png`;
      await page.screenshot({ path: join(folder, file), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(WIDE);
}
