import type { Response } from 'express';
import { NotFoundError } from '../../core/errors.js';
import { unpackText } from './event-payload.js';
import type { StoredEvent } from './stored-event.js';

/**
 * Sends the stored JSON of an event as a download: browsers must not display it. Throws 404 if its
 * bytes are unreadable.
 */
export async function sendRawEvent(response: Response, event: StoredEvent): Promise<void> {
  const text = await unpackText(event);
  if (text === null) throw new NotFoundError('Event Payload');
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  response.setHeader('Content-Disposition', `attachment; filename="${event.eventId}.json"`);
  response.setHeader('Content-Length', String(text.length));
  response.end(text);
}
