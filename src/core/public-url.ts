import type { Request } from 'express';

/**
 * The address under which clients reach us, without trailing slash: the configured BASE_URL.
 * The Host header is never used: a client or a proxy could put anything there.
 */
export function publicBaseUrl(request: Request): string {
  return String(request.app.get('base url'));
}
