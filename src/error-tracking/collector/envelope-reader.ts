import { parseDsn, type DsnParts } from '../client-keys/dsn.js';
import { tooLarge, unreadable } from './ingest-error.js';
import { instantOf, uuidOf } from '../parsing/event-values.js';
import { parsedObject } from '../parsing/json-values.js';
import { BufferList } from './body-memory.js';

/**
 * Envelope header: the first line of an envelope; null for fields that are missing or unreadable.
 */
export interface EnvelopeHeader {
  /** 32 lowercase hex. */
  eventId: string | null;
  sentAt: Date | null;
  dsn: DsnParts | null;
}

/** Item header: the line before an item. */
interface ItemHeader {
  /** Empty when it is absent. */
  type: string;
  /** Bytes of the payload; null = up to the end of its line. */
  length: number | null;
}

/**
 * Reads the headers of an envelope. Throws 400 for anything but a JSON object; single headers that
 * cannot be read are ignored, since refusing events for them has broken SDKs before.
 */
function readEnvelopeHeader(line: Buffer): EnvelopeHeader {
  const header = parsedObject(line);
  if (header === null) throw unreadable('invalid event envelope');
  return {
    eventId: uuidOf(header.event_id),
    sentAt: instantOf(header.sent_at),
    dsn: parseDsn(header.dsn),
  };
}

/** Reads the headers of an item. Throws 400 unless they are an object, and for a length that is none. */
function readItemHeader(line: Buffer): ItemHeader {
  const header = parsedObject(line);
  if (header === null) throw unreadable('invalid item header');
  const { type, length = null } = header;
  if (length !== null && !isLength(length)) throw unreadable('invalid item length');
  return { type: typeof type === 'string' ? type : '', length };
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Of the JSON of an event, unpacked. */
export const MAX_EVENT_BYTES = 1024 * 1024;
/** A report has a line per reason and category; larger ones are ignored. */
const MAX_REPORT_BYTES = 64 * 1024;
const EVENT_LIMIT = 'an event is larger than 1 MiB';

/** Payload of one item while it is received: kept, or only measured. */
class ItemPayload {
  readonly type: string;
  /** Bytes not yet received; null when the end of the line ends the payload. */
  missing: number | null;
  private readonly chunks: BufferList | null;
  private readonly limit: number;
  private size = 0;

  /** Throws 413 when the stated length is more than an event can have. */
  constructor(
    { type, length, isKept }: ItemHeader & { isKept: boolean },
    hold: (size: number) => void,
  ) {
    const isEvent = type === 'event' || type === 'transaction';
    const isReport = type === 'client_report' && (length ?? 0) <= MAX_REPORT_BYTES;
    this.type = type;
    this.missing = length;
    this.limit = isEvent ? MAX_EVENT_BYTES : Infinity;
    this.check(length ?? 0);
    const isWanted = isKept && (type === 'event' || isReport);
    this.chunks = isWanted ? new BufferList(MAX_EVENT_BYTES, EVENT_LIMIT, hold) : null;
  }

  /** Takes the next bytes. Throws 413 above 1 MiB for what has this limit. */
  add(bytes: Buffer): void {
    this.size += bytes.length;
    this.check(this.size);
    if (this.missing !== null) this.missing -= bytes.length;
    this.chunks?.add(bytes);
  }

  /** Returns the whole payload; null if it was not kept. */
  take(): Buffer | null {
    return this.chunks?.take() ?? null;
  }

  private check(size: number): void {
    if (size > this.limit) throw tooLarge(EVENT_LIMIT);
  }
}

/** Relevant parts of an envelope. */
export interface Envelope {
  header: EnvelopeHeader;
  /** Payload of the first event; the others are only counted. */
  event: Buffer | null;
  /** Payloads of client reports. */
  reports: Buffer[];
  /** Types of the items, in their order. */
  types: string[];
  /** True if no optional bytes stand between header and items. */
  isTight: boolean;
}

const MAX_ENVELOPE_BYTES = 100 * 1024 * 1024;
const MAX_LINE_BYTES = 8 * 1024;
const MAX_ITEMS = 100;
const LINE_FEED = 0x0a;

/**
 * Parses an envelope while it is received: a line of headers, then items, each a line of headers and a
 * payload of a stated length or up to the end of its line. Only `\n` ends a line. Only events and
 * client reports are kept, other items pass through.
 * Throws 400 for malformed envelopes, 413 for large ones.
 */
export class EnvelopeReader {
  private readonly line: BufferList;
  private readonly types: string[] = [];
  private readonly reports: Buffer[] = [];
  private header: EnvelopeHeader | null = null;
  private event: Buffer | null = null;
  /** The item whose payload is being received; null between items. */
  private item: ItemPayload | null = null;
  /** True between a complete payload of stated length and the end of its line. */
  private isAfterPayload = false;
  private isTight = true;
  private total = 0;

  /** `hold` is called with the size of every chunk that is kept. */
  constructor(private readonly hold: (size: number) => void = () => undefined) {
    this.line = new BufferList(MAX_LINE_BYTES, 'a header is longer than 8 KiB');
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    this.total += chunk.length;
    if (this.total > MAX_ENVELOPE_BYTES) throw tooLarge('the envelope is larger than 100 MiB');
    let at = 0;
    while (at < chunk.length) at = this.step(chunk, at);
  }

  /** Returns the envelope after its last byte. */
  end(): Envelope {
    if (this.total === 0) throw unreadable('empty request body');
    const header = this.header ?? readEnvelopeHeader(this.line.take());
    if (this.line.size > 0) throw unreadable('malformed envelope: an item has no payload');
    if (this.item !== null) {
      if (this.item.missing !== null) throw unreadable('malformed envelope: an item is cut off');
      this.finishItem(this.item);
    }
    const { event, reports, types, isTight } = this;
    return { header, event, reports, types, isTight };
  }

  private step(chunk: Buffer, at: number): number {
    if (this.item !== null) return this.takePayload(this.item, chunk, at);
    if (!this.isAfterPayload) return this.takeLine(chunk, at);
    if (chunk[at] !== LINE_FEED) {
      throw unreadable('malformed envelope: an item is longer than its length');
    }
    this.isAfterPayload = false;
    return at + 1;
  }

  private takeLine(chunk: Buffer, at: number): number {
    const mayBeBlank = this.header !== null && this.line.size === 0;
    if (mayBeBlank && chunk[at] === LINE_FEED) return this.skipBlankLines(chunk, at);
    const end = chunk.indexOf(LINE_FEED, at);
    const stop = end === -1 ? chunk.length : end;
    this.line.add(chunk.subarray(at, stop));
    if (end === -1) return stop;
    if (this.header === null) this.header = readEnvelopeHeader(this.line.take());
    else this.beginItem(this.line.take());
    return end + 1;
  }

  private skipBlankLines(chunk: Buffer, start: number): number {
    this.isTight = false;
    let at = start;
    while (chunk[at] === LINE_FEED) at += 1;
    return at;
  }

  private beginItem(line: Buffer): void {
    const { type, length } = readItemHeader(line);
    if (this.types.length === MAX_ITEMS) throw tooLarge('the envelope has more than 100 items');
    const isFurther = type === 'event' && this.types.includes('event');
    this.types.push(type);
    this.item = new ItemPayload({ type, length, isKept: !isFurther }, this.hold);
    if (length === 0) this.finishItem(this.item);
  }

  private takePayload(item: ItemPayload, chunk: Buffer, at: number): number {
    if (item.missing !== null) {
      const stop = Math.min(chunk.length, at + item.missing);
      item.add(chunk.subarray(at, stop));
      if (item.missing === 0) this.finishItem(item);
      return stop;
    }
    const end = chunk.indexOf(LINE_FEED, at);
    item.add(chunk.subarray(at, end === -1 ? chunk.length : end));
    if (end === -1) return chunk.length;
    this.finishItem(item);
    return end + 1;
  }

  private finishItem(item: ItemPayload): void {
    this.item = null;
    this.isAfterPayload = item.missing !== null;
    const payload = item.take();
    if (payload === null) return;
    if (item.type === 'event') this.event = payload;
    else this.reports.push(payload);
  }
}

/** Parses a complete envelope. */
export function readEnvelope(bytes: Buffer, hold?: (size: number) => void): Envelope {
  const reader = new EnvelopeReader(hold);
  reader.push(bytes);
  return reader.end();
}
