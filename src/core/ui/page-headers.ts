import type { PageInfo } from './page-context.js';

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
