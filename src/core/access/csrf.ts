import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** Name of the hidden form field, the same as in existing clients. */
export const CSRF_FIELD = 'authenticity_token';

const BYTES = 32;

/**
 * Tokens that show that a request comes from a page of ours: derived from the session's cookie,
 * which pages of other origins cannot read, so nothing has to be stored (RFC 6749 §10.12).
 */
export class CsrfTokens {
  private readonly key: Buffer;

  constructor(secretKey: string) {
    this.key = Buffer.from(hkdfSync('sha256', secretKey, '', 'csrf', 32));
  }

  /**
   * A token of the session with this cookie value: 86 characters of base64url, different each time,
   * so that the length of a compressed page says nothing about it (BREACH).
   */
  of(cookie: string): string {
    const mask = randomBytes(BYTES);
    return Buffer.concat([mask, xor(this.secretOf(cookie), mask)]).toString('base64url');
  }

  /**
   * Returns true if the request has the session's CSRF token, as X-CSRF-Token or as a form field.
   */
  isShown(request: Request, cookie: string): boolean {
    const body = request.body as Record<string, unknown> | undefined;
    const shown = request.get('X-CSRF-Token') ?? body?.[CSRF_FIELD];
    if (typeof shown !== 'string') return false;
    const bytes = Buffer.from(shown, 'base64url');
    if (bytes.length !== 2 * BYTES) return false;
    const given = xor(bytes.subarray(BYTES), bytes.subarray(0, BYTES));
    return timingSafeEqual(given, this.secretOf(cookie));
  }

  private secretOf(cookie: string): Buffer {
    return createHmac('sha256', this.key).update(cookie).digest();
  }
}

function xor(bytes: Buffer, mask: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)));
}

const tokens = new WeakMap<Request, string>();

/** Stores the token for forms; called by the guard of pages. */
export function setCsrfToken(request: Request, token: string): void {
  tokens.set(request, token);
}

/** Returns the token for the forms of the page; '' outside of pages. */
export function csrfToken(request: Request): string {
  return tokens.get(request) ?? '';
}
