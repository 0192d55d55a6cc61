import type { Page } from 'playwright-core';

/** The texts of the boxes that scripts of the page open from now on; each is closed at once. */
export function dialogsOn(page: Page): string[] {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return dialogs;
}

/** Finds injected content of a page: handlers, foreign addresses and elements. */
export const FOREIGN = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const found = [...element.attributes].filter(({ name }) => /^(on|hx-on|srcdoc)/i.test(name));
  const tags = ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'BASE', 'META', 'VIDEO', 'AUDIO', 'STYLE'];
  const isLink = element.tagName === 'A' && element.hasAttribute('href');
  const isLed = isLink && !['http:', 'https:', 'mailto:'].includes(element.protocol);
  const isPicture = element.tagName === 'IMG' && !element.src.startsWith(location.origin + '/-/');
  const isForeign = tags.includes(element.tagName) || isLed || isPicture || found.length > 0;
  return isForeign ? [element.outerHTML.slice(0, 200)] : [];
})`;

/** Returns the injected content of the page at the path, which must exist. */
export async function foreignAt(
  { page, base }: { page: Page; base: string },
  path: string,
): Promise<string[]> {
  const response = await page.goto(base + path);
  if (response?.status() !== 200) return [`${path} answers ${response?.status()}`];
  return (await page.evaluate(FOREIGN)) as string[];
}

/** Those of the texts that the open page does not show, whatever it made of their spaces. */
export async function missingOn(page: Page, texts: readonly string[]): Promise<string[]> {
  const shown = squeezed((await page.textContent('body')) ?? '');
  return texts.filter((text) => !shown.includes(squeezed(text)));
}

function squeezed(text: string): string {
  return text.replace(/[\s\u0000-\u001f\ufffd]+/g, '');
}
