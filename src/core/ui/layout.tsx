import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What a page says about itself. */
export interface LayoutProps {
  title: string;
  /** Address of the picture that browsers show beside the title. */
  icon: string;
  /** Addresses of its style sheets, in order. */
  styleSheets: string[];
  /** Links beside the name of the installation. */
  header?: ComponentChildren;
  /** What stands beside the content on wide screens and above it on narrow ones. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** For pages without scripts, forms and frames: nothing but our own style sheets and pictures. */
export const PAGE_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The frame of every page: landmarks, a way past the navigation, light and dark. */
export function Layout({ title, icon, styleSheets, header, aside, children }: LayoutProps): VNode {
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
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="bar">{header}</header>
        <div class={aside === undefined ? 'frame' : 'frame with-aside'}>
          {aside}
          <main id="content" tabIndex={-1}>
            {children}
          </main>
        </div>
      </body>
    </html>
  );
}

/** A whole HTML document; text and attributes are escaped by the renderer. */
export function renderPage(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}`;
}
