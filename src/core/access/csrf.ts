import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** Name of the hidden form field, as existing clients of such pages know it. */
export const CSRF_FIELD = 'authenticity_token';

/**
 * Tokens that show that a request comes from a page of ours: derived from the session's cookie,
 * which pages of other origins cannot read, so nothing has to be stored (RFC 6749 §10.12).
 */
export class CsrfTokens {
  private readonly key: Buffer;

  constructor(secretKey: string) {
    this.key = Buffer.from(hkdfSync('sha256', secretKey, '', 'csrf', 32));
  }

  /** The token of the session with this cookie value: 43 characters of base64url. */
  of(cookie: string): string {
    return createHmac('sha256', this.key).update(cookie).digest('base64url');
  }

  /**
   * Returns true if the request has the session's CSRF token, as X-CSRF-Token or as a form field.
   */
  isShown(request: Request, cookie: string): boolean {
    const body = request.body as Record<string, unknown> | undefined;
    const shown = request.get('X-CSRF-Token') ?? body?.[CSRF_FIELD];
    if (typeof shown !== 'string') return false;
    const [given, wanted] = [Buffer.from(shown), Buffer.from(this.of(cookie))];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

const tokens = new WeakMap<Request, string>();

/** Keeps the token that the forms of the answer need; set by the guard of pages. */
export function setCsrfToken(request: Request, token: string): void {
  tokens.set(request, token);
}

/** The token for the forms of the page that answers the request; '' outside of pages. */
export function csrfToken(request: Request): string {
  return tokens.get(request) ?? '';
}
