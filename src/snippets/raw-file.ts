import type { Response } from 'express';
import { sendContent } from '../core/http/send-content.js';
import type { OpenFile } from './snippet-content.service.js';

/** Sends a file as plain text, whatever it holds. */
export function sendRawFile(response: Response, file: OpenFile): Promise<void> {
  return sendContent(response, { ...file, type: 'text/plain; charset=utf-8' });
}
