import type { BrowserContextOptions, Page } from 'playwright-core';
import { startTestApp, type TestApp, type TestAppOptions } from './app.js';
import { enterAs, startBrowser, type TestBrowser } from './browser.js';

/** The web process of one test file and the browser that looks at it. */
export interface BrowserApp extends TestApp {
  chrome: TestBrowser;
  /** A page of a new browser in which the user is signed in; nothing is open yet. */
  pageAs(user: { id: number }, options?: BrowserContextOptions): Promise<Page>;
  /** The same with a page open: at a path, which begins with a slash, or at a whole address. */
  openAs(user: { id: number }, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Closes the browser, then the app. */
  close(): Promise<void>;
}

/** Starts the application and Chromium; neither is left running when one of them fails. */
export async function startBrowserApp(options: TestAppOptions = {}): Promise<BrowserApp> {
  const app = await startTestApp(options);
  const chrome = await startBrowser().catch(async (error: unknown) => {
    await app.close();
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
    await app.close();
  };
  return { ...app, chrome, pageAs, openAs, close };
}
