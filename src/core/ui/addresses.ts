import type { Request } from 'express';

/** Returns the path with the parameters that are not '', null or undefined. */
export function filledAddress(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value != null && value !== '') params.set(name, String(value));
  }
  return params.size === 0 ? path : `${path}?${params.toString()}`;
}

/** The address if a browser can be led there: http and https only, or null. */
export function httpLink(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const url = URL.parse(text.trim());
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

/** Path and query of the page of ours that the form was sent from; `/` when it is not named. */
export function refererPath(request: Request, baseUrl: string): string {
  const from = URL.parse(request.get('Referer') ?? '');
  if (from === null || from.origin !== new URL(baseUrl).origin) return '/';
  // Two slashes would begin the name of another host.
  return from.pathname.startsWith('//') ? '/' : from.pathname + from.search;
}

/** Encodes a path for an address, but for its slashes: of a file, or the name of a branch. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Path of the notification settings page. */
export const NOTIFICATIONS_PATH = '/-/profile/notifications';

/** A group or project with its own notification setting. */
export interface ContainerKey {
  kind: 'project' | 'group';
  id: number;
}

/** The page of the viewer's setting of one group or project. */
export function notificationSettingPath({ kind, id }: ContainerKey): string {
  return `${NOTIFICATIONS_PATH}/${kind}s/${id}`;
}
