import type { Request } from 'express';

/**
 * The address under which clients reach us, without trailing slash: the configured BASE_URL.
 * The Host header is never used: a client or a proxy could put anything there.
 */
export function publicBaseUrl(request: Request): string {
  return String(request.app.get('base url'));
}

const known = { baseUrl: '', host: '' };

/** Returns the host name of the base URL, parsed once: lists need it for every row. */
export function publicHost(baseUrl: string): string {
  if (known.baseUrl !== baseUrl) {
    Object.assign(known, { baseUrl, host: new URL(baseUrl).hostname });
  }
  return known.host;
}
