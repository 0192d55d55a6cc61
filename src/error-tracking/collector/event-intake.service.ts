import { Injectable } from '@nestjs/common';
import { ErrorIngest } from '../ingest/error-ingest.service.js';
import { ErrorOutcomes } from '../ingest/error-outcomes.service.js';
import type { ErrorSource, StoredPayload } from '../ingest/grouped-events.js';
import { readEvent } from '../parsing/read-event.js';
import { readClientReport, categoryOf } from './client-reports.js';
import { CollectorLimits } from './collector-limits.service.js';
import { IngestError, unreadable } from './ingest-error.js';
import type { EnvelopeHeader } from './envelope-reader.js';

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
    const { projectId } = source;
    const { event, header, received, receivedAt, clientAddress } = delivery;
    let id = header.eventId;
    if (event !== null) {
      if (this.limits.enabled) await this.limits.countEvent(projectId);
      const incoming = readEvent(parseEventJson(event.toString('utf8')), {
        source,
        headerEventId: header.eventId,
        sentAt: header.sentAt,
        receivedAt,
        clientAddress,
        received,
        json: event,
      });
      await this.ingest.receive(source, incoming);
      id = incoming.eventId;
    }
    this.countOthers(projectId, delivery);
    return id === null ? {} : { id };
  }

  /** Counts a request whose data was refused for lack of capacity or for its format. */
  refused(projectId: number, { status, headers }: IngestError): void {
    const limits = headers['X-Sentry-Rate-Limits'] ?? '';
    const reason = limits.endsWith(':backpressure') ? 'overloaded' : (REASONS[status] ?? 'invalid');
    this.outcomes.count(projectId, 'refused', { category: 'error', reason });
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

/** Reasons of rejected data, by status. */
const REASONS: Record<number, string> = {
  408: 'too_slow',
  413: 'too_large',
  415: 'encoding',
  429: 'quota',
};

const MAX_DEPTH = 500;
const MAX_MEMBERS = 60_000;
/** JSON below this length always parses fast, regardless of its structure. */
const HARMLESS_LENGTH = 128 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Parses the JSON of an event. Throws 400 for invalid JSON, and for texts whose depth or number of
 * members would block the process: no SDK sends such events.
 */
export function parseEventJson(text: string): unknown {
  if (text.length > HARMLESS_LENGTH) checkBounds(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The message quotes the text.
    throw unreadable('invalid JSON data', [error instanceof SyntaxError ? 'not JSON' : 'unknown']);
  }
}

function checkBounds(text: string): void {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code === COMMA) members += 1;
    // Bit 5 aside, brackets and braces are the same: 0x5b, 0x7b open and 0x5d, 0x7d close.
    else if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
    if (depth > MAX_DEPTH) throw unreadable('invalid JSON data', ['nested too deeply']);
    if (members > MAX_MEMBERS) throw unreadable('invalid JSON data', ['too many members']);
  }
}

/** Position of the quote that ends the string; of the last character where none does. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}
