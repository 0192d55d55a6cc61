const MAX_DEPTH = 8;

/**
 * A value of a payload as text, at most `limit` characters long: texts as they are, everything else
 * as JSON. What lies too deep or is too long becomes `…`. null and undefined give an empty text.
 */
export function valueText(value: unknown, limit: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return shorten(value, limit);
  const parts: string[] = [];
  write(value, { parts, left: limit }, 0);
  return shorten(parts.join(''), limit);
}

/** At most `limit` characters; what is cut ends with `…` and never within a character. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

interface Output {
  parts: string[];
  left: number;
}

function put(output: Output, text: string): void {
  output.parts.push(text);
  output.left -= text.length;
}

/** By hand, not by JSON.stringify: that one ends in an exception where values lie deep. */
function write(value: unknown, output: Output, depth: number): void {
  if (output.left < 0) return;
  if (typeof value === 'string')
    return put(output, JSON.stringify(value.slice(0, output.left + 1)));
  if (typeof value !== 'object' || value === null) return put(output, String(value));
  if (depth === MAX_DEPTH) return put(output, '…');
  if (Array.isArray(value)) return writeList(value, output, depth);
  writeFields(value as Record<string, unknown>, output, depth);
}

function writeList(items: readonly unknown[], output: Output, depth: number): void {
  put(output, '[');
  for (const [index, item] of items.entries()) {
    if (output.left < 0) return;
    if (index > 0) put(output, ', ');
    write(item, output, depth + 1);
  }
  put(output, ']');
}

function writeFields(fields: Record<string, unknown>, output: Output, depth: number): void {
  put(output, '{');
  for (const [index, key] of Object.keys(fields).entries()) {
    if (output.left < 0) return;
    put(output, `${index > 0 ? ', ' : ''}${JSON.stringify(key)}: `);
    write(fields[key], output, depth + 1);
  }
  put(output, '}');
}
