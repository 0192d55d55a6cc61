import { unreadable } from './ingest-error.js';

/** Where a DSN points: the key before the `@`, the project at its end. */
export interface DsnParts {
  publicKey: string;
  project: string;
}

interface GivenKeys {
  /** The parsed query of the request. */
  query: Record<string, unknown>;
  headers: { 'x-sentry-auth'?: string | string[]; authorization?: string };
}

const SCHEME = /^\s*Sentry\s+/i;

/**
 * The client key that a request names in its query, in `X-Sentry-Auth` or in `Authorization: Sentry`;
 * empty when it names none. Throws 400 when they disagree.
 */
export function givenKey({ query, headers }: GivenKeys): string {
  const inQuery = query['sentry_key'];
  const named = [
    typeof inQuery === 'string' ? inQuery : '',
    keyOf(String(headers['x-sentry-auth'] ?? ''), true),
    keyOf(headers.authorization ?? '', false),
  ];
  return oneOf(named);
}

/** The only key among them, or an empty text; throws 400 for two different ones. */
export function oneOf(keys: readonly string[]): string {
  const [key = '', ...others] = new Set(keys.filter((one) => one !== ''));
  if (others.length > 0) throw unreadable('conflicting credentials');
  return key;
}

/** Reads `https://key[:secret]@host/[prefix/]project`; null for anything else. */
export function parseDsn(text: unknown): DsnParts | null {
  if (typeof text !== 'string') return null;
  const [, publicKey, project] =
    /^https?:\/\/(\w+)(?::\w*)?@[^/?#\s]+\/(?:[^?#\s]*\/)?([^/?#\s]+)\/?$/i.exec(text) ?? [];
  if (publicKey === undefined || project === undefined) return null;
  return { publicKey, project };
}

/** `Sentry sentry_version=7, sentry_key=K`: pairs in any order, the scheme word in any case. */
function keyOf(header: string, mayLackScheme: boolean): string {
  if (!mayLackScheme && !SCHEME.test(header)) return '';
  for (const pair of header.replace(SCHEME, '').split(',')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name.trim() === 'sentry_key') return value.trim();
  }
  return '';
}
