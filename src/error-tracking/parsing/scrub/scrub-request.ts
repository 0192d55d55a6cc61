import { objectOf } from '../json-values.js';
import { FILTERED } from './card-numbers.js';
import { filtered, mapElements, scrubData, scrubMembers, scrubNamed } from './scrub-data.js';
import { type ScrubRules, SESSION_COOKIE } from './scrub-rules.js';
import { scrubText, withoutMarkedSecrets } from './scrub-text.js';

/** Limit of parts; longer query strings and cookies are removed as a whole. */
const MAX_PARTS = 5_000;

const COOKIE_HEADER = /^(?:set-)?cookie2?$/i;

/** A request as a program received it, without what looks secret in any part of it. */
export function scrubRequest(value: unknown, rules: ScrubRules): unknown {
  const request = objectOf(value);
  if (request === null) return scrubData(value, rules);
  return scrubMembers(request, rules, (name, part) => scrubPart(name, part, rules));
}

function scrubPart(name: string, part: unknown, rules: ScrubRules): unknown {
  if (rules.isSecretName(name)) return filtered(part);
  if (name === 'method' && typeof part === 'string') return part;
  if (name === 'cookies') return scrubCookies(part, rules);
  if (name === 'headers') return scrubHeaders(part, rules);
  if (typeof part === 'string') {
    if (name === 'url') return scrubUrl(part, rules);
    if (name === 'query_string' || (name === 'data' && isForm(part))) {
      return scrubPairs(part, '&', rules);
    }
  }
  return scrubNamed([name, part], rules);
}

/**
 * A URL without secret parameters. Its path stays readable: in `/oauth/token` is no secret, in
 * `/reset-password/x7fa` is one.
 */
export function scrubUrl(url: string, rules: ScrubRules): string {
  if (!rules.signs.test(url)) return url;
  const [address = '', ...rest] = url.split(/(?=[?#])/, MAX_PARTS);
  if (rest.length === MAX_PARTS - 1) return FILTERED;
  const [origin = ''] = /^[\w+.-]{1,20}:\/\/[^/]*/.exec(address) ?? [];
  const segments = address.slice(origin.length).split('/');
  const path = segments.map((segment, at) => {
    const before = segments[at - 1] ?? '';
    return !isRouteName(segment) && rules.words.test(before) ? FILTERED : segment;
  });
  const parts = rest.map((part) => part.charAt(0) + scrubPairs(part.slice(1), '&', rules));
  return scrubText(origin + path.join('/'), rules) + parts.join('');
}

function isRouteName(segment: string): boolean {
  return /^[a-z_-]{0,24}$/i.test(segment);
}

function isForm(text: string): boolean {
  return /^[\w.%+[\]-]{1,100}=/.test(text);
}

/** Scrubs `a=b&token=x` or `a=b; token=x`: names stay, and so do harmless values. */
function scrubPairs(text: string, separator: '&' | ';', rules: ScrubRules): string {
  const pairs = text.split(separator, MAX_PARTS);
  if (pairs.length === MAX_PARTS) return FILTERED;
  return pairs.map((pair) => scrubPair(pair, separator, rules)).join(separator);
}

function scrubPair(pair: string, separator: '&' | ';', rules: ScrubRules): string {
  const sign = pair.indexOf('=');
  if (sign === -1) return rules.words.test(pair) ? FILTERED : withoutMarkedSecrets(pair);
  const value = pair.slice(sign + 1);
  const name = pair.slice(0, sign).trim();
  const scrubbed =
    separator === ';' ? cookieValue(name, value, rules) : pairValue(name, value, rules);
  return scrubbed === value ? pair : pair.slice(0, sign + 1) + scrubbed;
}

function pairValue(name: string, value: string, rules: ScrubRules): string {
  if (rules.isSafeName(name)) return value;
  if (value === '') return '';
  return rules.isSecretName(name) || rules.words.test(value)
    ? FILTERED
    : withoutMarkedSecrets(value);
}

function cookieValue(name: string, value: string, rules: ScrubRules): string {
  const isSession = SESSION_COOKIE.test(name) && !rules.isSafeName(name);
  return isSession && value !== '' ? FILTERED : pairValue(name, value, rules);
}

function scrubCookies(value: unknown, rules: ScrubRules): unknown {
  if (typeof value === 'string') return scrubPairs(value, ';', rules);
  return mapPairs(value, rules, (name, cookie) =>
    SESSION_COOKIE.test(name) && !rules.isSafeName(name)
      ? filtered(cookie)
      : scrubNamed([name, cookie], rules),
  );
}

function scrubHeaders(value: unknown, rules: ScrubRules): unknown {
  return mapPairs(value, rules, (name, header) => {
    if (!COOKIE_HEADER.test(name) || rules.isSecretName(name)) {
      return scrubNamed([name, header], rules);
    }
    if (rules.isSafeName(name)) return header;
    return Array.isArray(header)
      ? mapElements(header, (one) => scrubCookies(one, rules))
      : scrubCookies(header, rules);
  });
}

/** Members of an object or of a list of pairs, replaced; anything else is scrubbed as data. */
function mapPairs(
  value: unknown,
  rules: ScrubRules,
  replace: (name: string, value: unknown) => unknown,
): unknown {
  const object = objectOf(value);
  if (object !== null) return scrubMembers(object, rules, replace);
  if (!Array.isArray(value) || !value.every(isPair)) return scrubData(value, rules);
  return mapElements(value, (pair) => {
    const [name, one] = pair;
    const replaced = replace(name, one);
    return replaced === one ? pair : [name, replaced];
  });
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}
