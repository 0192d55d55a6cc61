import { Injectable } from '@nestjs/common';
import { ErrorIngest } from '../ingest/error-ingest.service.js';
import { ErrorOutcomes } from '../ingest/error-outcomes.service.js';
import type { ErrorSource } from '../ingest/error-source.js';
import type { StoredPayload } from '../ingest/incoming-event.js';
import { readEvent } from '../parsing/read-event.js';
import { readClientReport } from './client-reports.js';
import { CollectorLimits } from './collector-limits.service.js';
import { IngestError } from './ingest-error.js';
import type { EnvelopeHeader } from './envelope-header.js';
import { parseEventJson } from './event-json.js';
import { categoryOf } from './item-types.js';

/** Data of a request, independent of its framing and encoding. */
export interface Delivery {
  header: EnvelopeHeader;
  event: Buffer | null;
  reports: readonly Buffer[];
  /** Types of all items, the event's among them. */
  types: readonly string[];
  received: StoredPayload | null;
  receivedAt: Date;
  clientAddress: string;
}

/** Response for SDKs; without an ID if nothing had one. */
export interface DeliveryAnswer {
  id?: string;
}

/** Takes what was delivered to a project: stores its event, counts the rest. */
@Injectable()
export class EventIntake {
  constructor(
    private readonly ingest: ErrorIngest,
    private readonly outcomes: ErrorOutcomes,
    private readonly limits: CollectorLimits,
  ) {}

  /**
   * Resolves when the event is stored and committed; only then the rest counts, as an envelope that
   * is refused may be sent again. Throws 429 above the project's quota or while too much waits, and
   * 400 for an event that cannot be read.
   */
  async take(source: ErrorSource, delivery: Delivery): Promise<DeliveryAnswer> {
    const { event, header } = delivery;
    const id = event === null ? header.eventId : await this.store(source, event, delivery);
    this.countOthers(source.projectId, delivery);
    return id === null ? {} : { id };
  }

  /** Counts a request whose data was refused for lack of capacity or for its format. */
  refused(projectId: number, { status, headers }: IngestError): void {
    const limits = headers['X-Sentry-Rate-Limits'] ?? '';
    const reason = limits.endsWith(':backpressure') ? 'overloaded' : (REASONS[status] ?? 'invalid');
    this.outcomes.count(projectId, 'refused', { category: 'error', reason });
  }

  private async store(
    source: ErrorSource,
    event: Buffer,
    { header, received, receivedAt, clientAddress }: Delivery,
  ): Promise<string> {
    await this.limits.countEvent(source.projectId);
    const text = event.toString('utf8');
    const incoming = readEvent(parseEventJson(text), {
      source,
      headerEventId: header.eventId,
      sentAt: header.sentAt,
      receivedAt,
      clientAddress,
      received,
      json: text,
    });
    await this.ingest.receive(source, incoming);
    return incoming.eventId;
  }

  private countOthers(projectId: number, { types, reports, event }: Delivery): void {
    const stored = event === null ? -1 : types.indexOf('event');
    for (const [index, type] of types.entries()) {
      if (index === stored || type === 'client_report') continue;
      const reason = type === 'event' ? 'more_than_one' : 'not_supported';
      this.outcomes.count(projectId, 'dropped', { category: categoryOf(type), reason });
    }
    for (const lost of reports.flatMap(readClientReport)) {
      this.outcomes.count(projectId, 'lost_by_client', lost);
    }
  }
}

/** Why data was refused, in one word. */
const REASONS: Record<number, string> = {
  408: 'too_slow',
  413: 'too_large',
  415: 'encoding',
  429: 'quota',
};
