import type { Response } from 'express';
import { pageHeaders } from '../../core/ui/page-headers.js';

/**
 * The board is a page of scripts with a base element and styles in attributes; everything else is
 * as strict as on our own pages. The fonts of another site that it asks for stay out.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sets the headers of all answers of the board; only its own files may be kept. */
export function setBoardHeaders(response: Response, isAsset: boolean): void {
  for (const [name, value] of Object.entries(pageHeaders({}, !isAsset))) {
    if (name !== 'Content-Type') response.setHeader(name, value);
  }
  response.setHeader('Content-Security-Policy', POLICY);
}
