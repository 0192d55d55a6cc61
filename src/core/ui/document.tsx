import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Metadata of a page for browsers. */
export interface DocumentProps {
  title: string;
  /** Address of the picture that browsers show beside the title. */
  icon: string;
  /** Addresses of its style sheets, in order. */
  styleSheets: string[];
  /** Address of the script for live regions; without it the page has no script. */
  script?: string | undefined;
  children: ComponentChildren;
}

/**
 * No style sheet of its own, which the security policy would refuse; a refusal leaves a live
 * region as it was. What someone opened inside of one stays open.
 */
const SCRIPT_SETTINGS = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
  morphIgnore: ['data-htmx-powered', 'open'],
});

/** The outermost part of every page: its head, light and dark, a way past the navigation. */
export function Document({ title, icon, styleSheets, script, children }: DocumentProps): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" type="image/svg+xml" href={icon} />
        {styleSheets.map((address) => (
          <link key={address} rel="stylesheet" href={address} />
        ))}
        {script !== undefined && <meta name="htmx-config" content={SCRIPT_SETTINGS} />}
        {script !== undefined && <script src={script} defer />}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        {children}
      </body>
    </html>
  );
}

/** A whole HTML document; text and attributes are escaped by the renderer. */
export function renderPage(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}`;
}
