import { overloaded } from './ingest-error.js';

/** Requests that hold more than this share half of the room, so that others find some. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Bounds the bytes of bodies that are in the process at once. Each request takes room for what it
 * really sent, as it comes: one that sends slowly keeps no room from others.
 */
export class ByteRoom {
  private taken = 0;

  constructor(private readonly capacity: number) {}

  /** Does the work; what it takes of the room is free again when it ends. */
  async within<T>(work: (reservation: Reservation) => Promise<T>): Promise<T> {
    const reservation = new Reservation((held, size) => this.take(held, size));
    try {
      return await work(reservation);
    } finally {
      this.taken -= reservation.size;
    }
  }

  private take(held: number, size: number): void {
    const bound = held + size > LARGE_BYTES ? this.capacity / 2 : this.capacity;
    if (this.taken + size > bound) throw overloaded();
    this.taken += size;
  }
}

/** The part of the room that one request has. */
export class Reservation {
  size = 0;

  constructor(private readonly take: (held: number, size: number) => void) {}

  /** Takes room for so many bytes more. Throws 429. */
  add(size: number): void {
    this.take(this.size, size);
    this.size += size;
  }
}
