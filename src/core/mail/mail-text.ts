/** Control characters, line and paragraph separators: what could end a header or an address. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** They turn the writing round from where they stand on: `evil (@ann)` could look like Ann. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Angle brackets, commas and the like would make it several addresses, or none. */
const ADDRESS = /^[^\s\p{Cc}\p{Zl}\p{Zp}@<>,;:"()[\]\\]+@[^\s\p{Cc}\p{Zl}\p{Zp}@<>,;:"()[\]\\]+$/u;

/** The text on one line, whatever someone wrote into a name or a title (RFC 5322 §2.2). */
export function oneLine(text: string): string {
  return text.replace(DIRECTIONS, '').replace(BREAKS, ' ').trim();
}

/** Returns true for a plain address that emails can be sent to. */
export function isMailAddress(address: string): boolean {
  return address.length <= 254 && ADDRESS.test(address);
}
