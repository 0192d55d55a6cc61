import type { Request } from 'express';
import type { CollectorEndpoint } from './collector-path.js';
import { readEnvelopeBody, type Means } from './envelope-body.js';
import type { Delivery } from './event-intake.service.js';
import { readStoreBody } from './store-body.js';

interface Asked {
  endpoint: CollectorEndpoint | null;
  arrival: Pick<Delivery, 'receivedAt' | 'clientAddress'>;
}

const NO_HEADER = { eventId: null, sentAt: null, dsn: null };
const NOTHING = { header: NO_HEADER, event: null, reports: [], received: null };

/**
 * Reads what a request brings, by the endpoint that it was sent to. Reports of browsers about the
 * security of pages are no errors of a program: they stay unread. Throws what reading bodies throws.
 */
export async function readDelivery(
  { endpoint, arrival }: Asked,
  request: Request,
  means: Means,
): Promise<Delivery> {
  if (endpoint === 'security') return { ...NOTHING, ...arrival, types: ['security'] };
  if (endpoint === 'store') {
    const body = await readStoreBody(request, means);
    return { ...NOTHING, ...arrival, ...body, types: ['event'] };
  }
  const { envelope, received } = await readEnvelopeBody(request, means);
  const { header, event, reports, types } = envelope;
  return { header, event, reports, types, received, ...arrival };
}
