import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageInfo } from './page-context.js';
import type { Preferences } from './preferences.js';

/** Metadata of a page for browsers. */
export interface DocumentProps {
  title: string;
  /** Address of the picture that browsers show beside the title. */
  icon: string;
  /** Addresses of its style sheets, in order. */
  styleSheets: string[];
  /** Address of the font that the style sheets name; loaded with them, not after them. */
  font?: string;
  /** Appearance preferences; follows the system by default. */
  preferences?: Preferences;
  /** Addresses of its scripts, in order. */
  scripts?: (string | undefined)[];
  /** Address of the Atom feed with the content of the page. */
  feed?: string | undefined;
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
export function Document(props: DocumentProps): VNode {
  const { title, icon, styleSheets, font, preferences, scripts = [], feed, children } = props;
  const { theme = 'system', density, sidebar, time_zone: zone } = preferences ?? {};
  return (
    <html
      lang="en"
      data-theme={theme}
      data-density={density}
      data-sidebar={sidebar}
      time-zone={zone || undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
        <title>{title}</title>
        <link rel="icon" type="image/svg+xml" href={icon} />
        {font !== undefined && (
          <link rel="preload" as="font" type="font/woff2" href={font} crossorigin="anonymous" />
        )}
        {styleSheets.map((address) => (
          <link key={address} rel="stylesheet" href={address} />
        ))}
        {feed !== undefined && <link rel="alternate" type="application/atom+xml" href={feed} />}
        {scripts.length > 0 && <meta name="htmx-config" content={SCRIPT_SETTINGS} />}
        {scripts.map((src) => src !== undefined && <script key={src} src={src} defer />)}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        {children}
      </body>
    </html>
  );
}

/** Precedes the HTML of a page. */
export const DOCTYPE = '<!doctype html>\n';

/** A whole HTML document; text and attributes are escaped by the renderer. */
export function renderPage(page: VNode): string {
  return DOCTYPE + renderToString(page);
}

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * Headers of every HTML answer: nothing but our own files, no code in the page, no frames around
 * it, no window of another origin with a handle on it (RFC 9700 §4.16, HTML "COOP").
 */
export function pageHeaders(
  { formTargets = [], noReferrer = false }: Pick<PageInfo, 'formTargets' | 'noReferrer'> = {},
  isPrivate = false,
): Record<string, string> {
  const targets = ["'self'", ...formTargets.map(sourceOf)].join(' ');
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [...POLICY, `form-action ${targets}`].join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': noReferrer ? 'no-referrer' : 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(isPrivate ? { 'Cache-Control': 'no-store' } : {}),
  };
}

/** Hosts that a source of the policy can name (CSP3 `host-source`). */
const HOST = /^[a-z0-9.-]+$/;

/**
 * The URL as a source of the policy, never as it was given: `;` or `,` in it would begin a
 * directive or a policy, and a host can contain both. Schemes of apps, IPv6 addresses and hosts
 * that the policy cannot name have no other form than their scheme.
 */
function sourceOf(url: string): string {
  const { protocol, origin, hostname } = new URL(url);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && HOST.test(hostname) ? origin : protocol;
}
