import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';
import { withoutPort } from '../http/request-address.js';

/** Groups of an IPv6 address that name the network of one subscriber (RFC 6177 §2). */
const NETWORK_GROUPS = 4;

/**
 * Returns the key that requests of a client are counted under: an IPv4 address, or the /64 network
 * of an IPv6 address, in which a client can choose any address. Invalid addresses, which only a
 * broken proxy passes on, count together as `unknown`.
 */
export function clientAddress(ip: string | null | undefined): string {
  const [address = ''] = withoutPort(ip ?? '').split('%');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'unknown';
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped ?? `${groupsOf(address).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** Returns the rate limit key of anonymous requests: the client's address. */
export function countedByAddress({ ip }: Pick<Request, 'ip'>): string {
  return `address:${clientAddress(ip)}`;
}

/** The eight groups without leading zeros; an embedded IPv4 part does not reach the first four. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const length = after.at(-1)?.includes('.') === true ? after.length + 1 : after.length;
  const gap = tail === undefined ? 0 : 8 - before.length - length;
  const groups = [...before, ...Array<string>(Math.max(gap, 0)).fill('0'), ...after];
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}
