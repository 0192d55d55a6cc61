import { tooLarge } from './ingest-error.js';

/** Bytes that come in pieces, up to a limit. */
export class BufferList {
  size = 0;
  private pieces: Buffer[] = [];

  /**
   * `what` names the bytes in errors; `hold` is called with the size of every chunk that is kept.
   */
  constructor(
    private readonly limit: number,
    private readonly what: string,
    private readonly hold: (size: number) => void = () => undefined,
  ) {}

  /** Keeps one more. Throws 413 above the limit. */
  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.size += piece.length;
    if (this.size > this.limit) throw tooLarge(this.what);
    this.hold(piece.length);
    this.pieces.push(piece);
  }

  /** All of them as one; afterwards there are none. */
  take(): Buffer {
    const [only] = this.pieces;
    const all =
      this.pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.pieces, this.size);
    this.pieces = [];
    this.size = 0;
    return all;
  }
}
