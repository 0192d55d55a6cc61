import { BlockList, isIP } from 'node:net';
import type { ValidationMessages } from '../../core/errors.js';

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
function isPublicHost(hostname: string): boolean {
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

const MAX_URL = 255;

/** Where the API of the common trackers has its projects. */
const PROJECTS = 'api/0/projects/';
const PROJECT_PATH = /^\/api\/0\/projects\/([^/]+)\/([^/]+)\/?$/;

/**
 * Returns the problems of a project's API URL in an external tracker, by attribute. Pages link to
 * the URL, so it must be safe as a link.
 */
export function trackerUrlProblems(url: string): ValidationMessages {
  if (url.length > MAX_URL) {
    return { api_url: [`is too long (maximum is ${MAX_URL} characters)`] };
  }
  const { pathname } = webAddress(url) ?? {};
  if (!pathname?.startsWith('/api/0/projects')) return { api_url: ['is invalid'] };
  return PROJECT_PATH.test(pathname) ? {} : { project: ['is a required field'] };
}

/** Printable ASCII without what could end an attribute of HTML, and without credentials. */
function webAddress(url: string): URL | null {
  if (!/^https?:\/\/[!#-&(-;=?-[\]-~]+$/i.test(url) || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  const hasUser = parsed.username !== '' || parsed.password !== '';
  return hasUser || !isPublicHost(parsed.hostname) ? null : parsed;
}

/** Web URL of the project in the external tracker. */
export function trackerExternalUrl(apiUrl: string): string {
  return apiUrl.replace(PROJECTS, '');
}

/** Returns the project name from its slug in the external tracker: `my-shop` → `My Shop`. */
export function projectNameFrom(apiUrl: string): string | null {
  const slug = URL.canParse(apiUrl) ? PROJECT_PATH.exec(new URL(apiUrl).pathname)?.[2] : undefined;
  if (slug === undefined) return null;
  const words = slug.split(/[-_]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
