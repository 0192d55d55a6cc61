import type { EnvReader } from './env-reader.js';

/** Which proxies' X-Forwarded-* headers count: none, a number of hops, or a list of addresses. */
export type TrustProxy = false | number | readonly string[];

/**
 * `TRUST_PROXY`. A plain "true" is refused: it would let any client choose the address it is
 * limited and logged by (RFC 7239 §8.1).
 */
export function readTrustProxy(reader: EnvReader): TrustProxy {
  const value = reader.text('TRUST_PROXY');
  if (value === undefined || ['false', 'off', 'no', '0'].includes(value)) return false;
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  const addresses = value.split(',').map((address) => address.trim());
  const pattern = /^(loopback|linklocal|uniquelocal|(?=[0-9a-f]*[.:])[0-9a-f.:]+(\/\d{1,3})?)$/i;
  if (addresses.every((address) => pattern.test(address))) return addresses;
  reader.refuse(
    'TRUST_PROXY',
    'must be off, the number of proxies, or their addresses separated by commas',
  );
  return false;
}
