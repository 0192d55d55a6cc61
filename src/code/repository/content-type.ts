const SNIFFED = 8_000;
const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';

/** Beginnings of pictures that browsers show and never run; SVG is none of them. */
const PICTURES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** Everything that `safeContentType` answers, without parameters. */
export const SAFE_TYPES = ['text/plain', BYTES, ...PICTURES.map(([type]) => type)];

/**
 * Returns the content type for a file, detected by its first bytes: an image, else text, else a
 * download. Never a type that can run or be styled.
 */
export function safeContentType(beginning: Buffer): string {
  const start = beginning.toString('latin1', 0, 16);
  const picture = PICTURES.find(([, pattern]) => pattern.test(start));
  if (picture !== undefined) return picture[0];
  return beginning.subarray(0, SNIFFED).includes(0) ? BYTES : TEXT;
}
