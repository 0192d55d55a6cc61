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
