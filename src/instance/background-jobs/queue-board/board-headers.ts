import type { Response } from 'express';
import { pageHeaders } from '../../../core/ui/page-headers.js';

/**
 * The board needs scripts, a base element and style attributes; everything else is as strict as on
 * our own pages. Its external fonts stay blocked.
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
