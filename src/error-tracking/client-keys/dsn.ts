import { randomBytes } from 'node:crypto';
import { COLLECTOR_PATH } from '../error-values.js';

/**
 * Returns the DSN: the collector's URL with the key as its user. The project is always its ID, as
 * SDKs accept only digits there.
 */
export function dsnOf(
  { publicKey, projectId }: { publicKey: string; projectId: number },
  baseUrl: string,
): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  const root = pathname === '/' ? '' : pathname;
  return `${protocol}//${publicKey}@${host}${root}${COLLECTOR_PATH}/${projectId}`;
}

const KEY_BYTES = 16;

/** Returns a new public key: `glet_` and 32 lowercase hex. SDKs accept only word characters. */
export function newPublicKey(): string {
  return `glet_${randomBytes(KEY_BYTES).toString('hex')}`;
}

/** Returns true if the text has the format of a key; other texts are not looked up. */
export function looksLikeKey(text: string): boolean {
  return /^\w{1,64}$/.test(text);
}

/** Where a DSN points: the key before the `@`, the project at its end. */
export interface DsnParts {
  publicKey: string;
  project: string;
}

/** Reads `https://key[:secret]@host/[prefix/]project`; null for anything else. */
export function parseDsn(text: unknown): DsnParts | null {
  if (typeof text !== 'string') return null;
  const [, publicKey, project] =
    /^https?:\/\/(\w+)(?::\w*)?@[^/?#\s]+\/(?:[^?#\s]*\/)?([^/?#\s]+)\/?$/i.exec(text) ?? [];
  if (publicKey === undefined || project === undefined) return null;
  return { publicKey, project };
}
