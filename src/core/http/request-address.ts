import { isIP } from 'node:net';
import type { Request } from 'express';

/**
 * The client's address as PostgreSQL's inet takes it, IPv4 in its own form. null when the client
 * is gone already, and for what a broken proxy hands on in place of an address.
 */
export function requestAddress({ ip = '' }: Pick<Request, 'ip'>): string | null {
  // A zone (RFC 4007 §11) means something on this machine only.
  const address = withoutPort(ip)
    .replace(/%.*/s, '')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}

/** Returns the address without the client's port, which some proxies add to X-Forwarded-For. */
export function withoutPort(text: string): string {
  if (isIP(text) !== 0) return text;
  const [, bracketed, plain] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}
