import { COLLECTOR_PATH } from '../error-values.js';

/**
 * What an SDK is given to report to: address of the collector with the key as its user. The project
 * is always its id: SDKs refuse anything but digits there.
 */
export function dsnOf(
  { publicKey, projectId }: { publicKey: string; projectId: number },
  baseUrl: string,
): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  const root = pathname === '/' ? '' : pathname;
  return `${protocol}//${publicKey}@${host}${root}${COLLECTOR_PATH}/${projectId}`;
}
