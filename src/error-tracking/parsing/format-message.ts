import { objectOf, textOf } from './json-values.js';

/** Placeholders of Python, C and PHP: `%s`, `%(name)5.2f`, `%%`. */
const PERCENT = /%(?:\((\w+)\))?[-+ #\d]*(?:\.(\d+))?([sdifFgGeExXorcau%])/g;
/** Placeholders of `str.format`: `{}`, `{0}`, `{name}`, `{0:>8}`. */
const BRACES = /\{(\w*)(?:[:,!][^{}]*)?\}/g;
const MAX_LENGTH = 8_192;

/**
 * Formats a message template as Python's `logging` does, without widths; placeholders without a
 * value are kept.
 */
export function formatMessage(template: string, params: unknown): string {
  const next = valuesOf(params);
  const text = template.includes('%')
    ? template.replace(PERCENT, (place, ...found: (string | undefined)[]) => {
        const [name, digits, kind] = found;
        return kind === '%' ? '%' : written(next(name), { digits, kind: kind ?? 's' }, place);
      })
    : template.replace(BRACES, (place, name: string) => shown(next(name)) ?? place);
  return text.slice(0, MAX_LENGTH);
}

/**
 * Returns a lookup by name or index, else of the next value; a single parameter counts as a list of
 * one.
 */
function valuesOf(params: unknown): (name?: string) => unknown {
  const list: unknown[] = Array.isArray(params) ? params : [params];
  // Python's `logging` resolves names only in a single object argument.
  const [only] = list;
  const named = list.length === 1 ? objectOf(only) : null;
  let position = 0;
  return (name) => {
    if (name === undefined || name === '') return list[position++];
    if (/^\d+$/.test(name)) return list[Number(name)];
    return named !== null && Object.hasOwn(named, name) ? named[name] : undefined;
  };
}

interface Conversion {
  digits: string | undefined;
  kind: string;
}

function written(value: unknown, { digits, kind }: Conversion, place: string): string {
  if (typeof value === 'number') {
    if (/[fF]/.test(kind)) return value.toFixed(Math.min(Number(digits ?? 6), 20));
    if (/[di]/.test(kind)) return String(Math.trunc(value));
    if (/[xX]/.test(kind)) return Math.trunc(value).toString(16);
  }
  return shown(value) ?? place;
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value === '' ? '' : (textOf(value) ?? 'None');
}
