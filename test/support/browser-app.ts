import type { BrowserContextOptions, Page } from 'playwright-core';
import { sharedTestApp, startTestApp, type TestApp, type TestAppOptions } from './app.js';
import { enterAs, startBrowser, type TestBrowser } from './browser.js';

/** A web process and the browser that looks at it. */
export interface BrowserApp extends TestApp {
  chrome: TestBrowser;
  /** A page of a new browser in which the user is signed in; nothing is open yet. */
  pageAs(user: { id: number }, options?: BrowserContextOptions): Promise<Page>;
  /** The same with a page open: at a path, which begins with a slash, or at a whole address. */
  openAs(user: { id: number }, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Closes the file's pages, and the app if it is the file's own. */
  close(): Promise<void>;
}

/** Opens a browser on the application that all test files of this process share. */
export async function sharedBrowserApp(): Promise<BrowserApp> {
  const app = await sharedTestApp();
  const chrome = await startBrowser({ keepPages: true });
  return withBrowser(app, chrome, chrome.close);
}

/** Opens a browser on an application of the file's own. */
export async function startBrowserApp(options?: TestAppOptions): Promise<BrowserApp> {
  const app = await startTestApp(options);
  const chrome = await startBrowser().catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  return withBrowser(app, chrome, async () => {
    await chrome.close();
    await app.close();
  });
}

function withBrowser(app: TestApp, chrome: TestBrowser, close: () => Promise<void>): BrowserApp {
  const pageAs: BrowserApp['pageAs'] = async (user, context) => {
    const page = await chrome.open(context);
    await enterAs(page, app, user);
    return page;
  };
  const openAs: BrowserApp['openAs'] = async (user, path, context) => {
    const page = await pageAs(user, context);
    await page.goto(new URL(path, app.url).href);
    return page;
  };
  const { url, app: nest, config, dataSource } = app;
  return { url, app: nest, config, dataSource, chrome, pageAs, openAs, close };
}
