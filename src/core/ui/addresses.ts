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

/** Path of the notification settings page. */
export const NOTIFICATIONS_PATH = '/-/profile/notifications';

/** A group or project that has a setting of its own. */
export interface ContainerKey {
  kind: 'project' | 'group';
  id: number;
}

/** The page of the viewer's setting of one group or project. */
export function notificationSettingPath({ kind, id }: ContainerKey): string {
  return `${NOTIFICATIONS_PATH}/${kind}s/${id}`;
}

/** `label:bug`, `assignee:"Ada Lovelace"`. */
const TERM = /(^|\s)([a-z_]+):(?:"([^"]*)"|(\S+))/giu;

interface TermRules {
  /** Names of the parameters that terms can set; those in `lists` hold several values. */
  names: readonly string[];
  lists?: readonly string[];
  /** Values of `is:`, each with the parameter that it sets. */
  is?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Returns the address in which the terms of a typed search are parameters:
 * `?search=is:closed+label:bug+cart` becomes `?state=closed&label=bug&search=cart`. Null for a
 * search without terms.
 */
export function addressOfTerms(
  path: string,
  query: Readonly<Record<string, unknown>>,
  { names, lists = [], is = {} }: TermRules,
): string | null {
  const { search } = query;
  if (typeof search !== 'string' || !search.includes(':')) return null;
  const texts = Object.entries(query).filter(([, value]) => typeof value === 'string');
  const params = Object.fromEntries(texts) as Record<string, string>;
  const isTerm = (name: string): boolean => names.includes(name);
  const rest = search.replace(TERM, (term: string, ...[, given, quoted, bare]: string[]) => {
    const [name, value] = [given?.toLowerCase() ?? '', quoted ?? bare ?? ''];
    const state = name === 'is' ? is[value.toLowerCase()] : undefined;
    if (state !== undefined) Object.assign(params, state);
    else if (isTerm(name)) params[name] = listed(lists.includes(name), params[name], value);
    else return term;
    return ' ';
  });
  const text = rest.replace(/\s+/g, ' ').trim();
  if (text === search.trim()) return null;
  return filledAddress(path, { ...params, search: text, page: null });
}

function listed(isList: boolean, before: string | undefined, value: string): string {
  return isList && before ? `${before},${value}` : value;
}
