import type { Page } from 'playwright-core';
import { axeViolations, overflowWhenNarrow, screenshots } from '../support/browser.js';

/**
 * Returns the problems of the open page: accessibility violations in both color schemes, and
 * overflow on a small phone. Takes screenshots if requested.
 */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  await screenshots(page, name);
  const overflow = await overflowWhenNarrow(page);
  const tooWide = overflow > 0 ? [`too wide for a telephone by ${overflow}px`] : [];
  return [...(await axeViolations(page)), ...tooWide];
}

/** The same for a page that is opened first and must be there. */
export async function faultsAt(
  page: Page,
  { name, address }: { name: string; address: string },
): Promise<string[]> {
  const response = await page.goto(address);
  if (response?.status() !== 200) return [`${address} answers ${response?.status()}`];
  return faultsOf(page, name);
}
