import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * The client's address as PostgreSQL's inet takes it, IPv4 in its own form. null when the client
 * has disconnected, and for invalid addresses from a broken proxy.
 */
export function requestAddress({ ip = '' }: Pick<Request, 'ip'>): string | null {
  // A zone (RFC 4007 §11) means something on this machine only.
  const address = withoutPort(ip)
    .replace(/%.*/s, '')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}

/** Returns the address without the client's port, which some proxies add to X-Forwarded-For. */
function withoutPort(text: string): string {
  if (isIP(text) !== 0) return text;
  const [, bracketed, plain] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

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
