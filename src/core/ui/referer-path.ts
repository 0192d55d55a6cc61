import type { Request } from 'express';

/** Path and query of the page of ours that the form was sent from; `/` when it is not named. */
export function refererPath(request: Request, baseUrl: string): string {
  const from = URL.parse(request.get('Referer') ?? '');
  if (from === null || from.origin !== new URL(baseUrl).origin) return '/';
  // Two slashes would begin the name of another host.
  return from.pathname.startsWith('//') ? '/' : from.pathname + from.search;
}
