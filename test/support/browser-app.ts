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
  return withBrowser(await sharedTestApp(), async () => undefined);
}

/** Opens a browser on an application of the file's own. */
export async function startBrowserApp(options?: TestAppOptions): Promise<BrowserApp> {
  const app = await startTestApp(options);
  return withBrowser(app, app.close);
}

async function withBrowser(app: TestApp, closeApp: () => Promise<void>): Promise<BrowserApp> {
  const chrome = await startBrowser().catch(async (error: unknown) => {
    await closeApp();
    throw error;
  });
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
  const close = async (): Promise<void> => {
    await chrome.close();
    await closeApp();
  };
  const { url, app: nest, config, dataSource } = app;
  return { url, app: nest, config, dataSource, chrome, pageAs, openAs, close };
}
