import { tooLarge } from './ingest-error.js';
import type { ItemHeader } from './envelope-header.js';
import { BufferList } from './buffer-list.js';

/** Of the JSON of an event, unpacked. */
export const MAX_EVENT_BYTES = 1024 * 1024;
/** A report has a line for each reason and category; what is larger is not worth reading. */
const MAX_REPORT_BYTES = 64 * 1024;
const EVENT_LIMIT = 'an event is larger than 1 MiB';

/** Payload of one item while it comes: kept, or only measured. */
export class ItemPayload {
  readonly type: string;
  /** Bytes that have not come yet; null when the end of the line ends the payload. */
  missing: number | null;
  private readonly pieces: BufferList | null;
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
    this.pieces = isWanted ? new BufferList(MAX_EVENT_BYTES, EVENT_LIMIT, hold) : null;
  }

  /** Takes the next bytes. Throws 413 above 1 MiB for what has this limit. */
  add(bytes: Buffer): void {
    this.size += bytes.length;
    this.check(this.size);
    if (this.missing !== null) this.missing -= bytes.length;
    this.pieces?.add(bytes);
  }

  /** The whole payload; null for what was not kept. */
  take(): Buffer | null {
    return this.pieces?.take() ?? null;
  }

  private check(size: number): void {
    if (size > this.limit) throw tooLarge(EVENT_LIMIT);
  }
}
