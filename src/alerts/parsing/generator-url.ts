import { unescape } from 'node:querystring';
import { isBlankText } from './alert-texts.js';

const PARAMETER = 'g0.expr=';

/**
 * The query of the metric: parameter `g0.expr` of the address of the graph, decoded. Null when
 * there is none, or no address. NUL, which PostgreSQL does not store, is left out.
 */
export function queryOf(generatorUrl: unknown): string | null {
  if (typeof generatorUrl !== 'string' || generatorUrl.includes(' ')) return null;
  const encoded = parameterOf(generatorUrl);
  if (encoded === null) return null;
  // Unlike decodeURIComponent, this takes a percent sign that encodes nothing for itself.
  const query = unescape(encoded.replaceAll('+', ' ')).replaceAll('\0', '');
  return isBlankText(query) ? null : query;
}

function parameterOf(url: string): string | null {
  const hash = url.indexOf('#');
  const end = hash === -1 ? url.length : hash;
  let start = url.indexOf('?');
  while (start !== -1 && start < end) {
    if (url.startsWith(PARAMETER, start + 1)) {
      const next = url.indexOf('&', start + 1);
      return url.slice(start + 1 + PARAMETER.length, next === -1 || next > end ? end : next);
    }
    start = url.indexOf('&', start + 1);
  }
  return null;
}
