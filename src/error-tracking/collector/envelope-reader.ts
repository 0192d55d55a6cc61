import { tooLarge, unreadable } from './ingest-error.js';
import { readEnvelopeHeader, readItemHeader, type EnvelopeHeader } from './envelope-header.js';
import { ItemPayload } from './item-payload.js';
import { BufferList } from './buffer-list.js';

/** Parts of an envelope that are kept. */
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
 * Parses an envelope while it comes: a line of headers, then items, each a line of headers and a
 * payload of a stated length or up to the end of its line. Only `\n` ends a line. Only events and
 * client reports are kept, whatever else is sent passes through.
 * Throws 400 for what is malformed, 413 for what is too large.
 */
export class EnvelopeReader {
  private readonly line: BufferList;
  private readonly types: string[] = [];
  private readonly reports: Buffer[] = [];
  private header: EnvelopeHeader | null = null;
  private event: Buffer | null = null;
  /** The item whose payload comes; null between items. */
  private item: ItemPayload | null = null;
  /** A payload of stated length has come whole, the end of its line has not. */
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

/** Parses an envelope that has come whole. */
export function readEnvelope(bytes: Buffer, hold?: (size: number) => void): Envelope {
  const reader = new EnvelopeReader(hold);
  reader.push(bytes);
  return reader.end();
}
