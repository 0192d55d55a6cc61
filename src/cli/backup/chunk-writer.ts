import type { Part } from './manifest.js';

const CHUNK_BYTES = 8 * 1024 * 1024;

/** Fills chunks with the contents of one table or repository, so that equal ones make equal chunks. */
export class ChunkWriter {
  private pieces: Buffer[] = [];
  private size = 0;
  /** Parts that learn the name of the current chunk when it is full. */
  private open: Part[] = [];

  constructor(private readonly put: (content: Buffer) => Promise<string>) {}

  /** Appends a content to `parts`, which are complete after `flush`. */
  async append(content: Buffer, parts: Part[]): Promise<void> {
    let rest = content;
    while (rest.length > 0) {
      const taken = rest.subarray(0, CHUNK_BYTES - this.size);
      this.take(taken, parts);
      rest = rest.subarray(taken.length);
      if (this.size === CHUNK_BYTES) await this.flush();
    }
  }

  /** Writes the chunk that is not full yet. */
  async flush(): Promise<void> {
    if (this.size === 0) return;
    const [content, parts] = [Buffer.concat(this.pieces), this.open];
    this.pieces = [];
    this.open = [];
    this.size = 0;
    const name = await this.put(content);
    for (const part of parts) part[0] = name;
  }

  private take(bytes: Buffer, parts: Part[]): void {
    const last = parts.at(-1);
    if (last !== undefined && this.open.at(-1) === last) {
      last[2] += bytes.length;
    } else {
      const part: Part = ['', this.size, bytes.length];
      parts.push(part);
      this.open.push(part);
    }
    this.pieces.push(bytes);
    this.size += bytes.length;
  }
}
