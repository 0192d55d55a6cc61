import type { Readable } from 'node:stream';

/** Returns the beginning of a stream: at least `bytes` of it, or all there is. Ends the stream. */
export async function readBeginning(stream: Readable, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks);
}
