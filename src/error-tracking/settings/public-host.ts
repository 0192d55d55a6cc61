import { BlockList, isIP } from 'node:net';

const LOCAL_IPV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Addresses that stand for IPv4 ones are among them: those have a form of their own. */
const LOCAL_IPV6: readonly [string, number][] = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

/** Addresses that are not of the public internet (RFC 6890); in one list IPv4 would be `::ffff:…`. */
const LOCAL = { ipv4: listOf(LOCAL_IPV4, 'ipv4'), ipv6: listOf(LOCAL_IPV6, 'ipv6') };

/**
 * Returns true if a host, in the spelling of `URL.hostname`, can be on the public internet: neither
 * a local name nor an address of a local network. Does not resolve names.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const version = isIP(host);
  if (version === 4) return !LOCAL.ipv4.check(host, 'ipv4');
  if (version === 6) return !LOCAL.ipv6.check(host, 'ipv6');
  return host !== '' && !/(^|\.)(localhost|local|internal)$/.test(host);
}

function listOf(nets: readonly [string, number][], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family);
  return list;
}
