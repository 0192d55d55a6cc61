/** The address if a browser can be led there: http and https only, or null. */
export function httpLink(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const url = URL.parse(text.trim());
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}
