import type { IncomingMessage, ServerResponse } from 'node:http';
import { IngestError, tooLarge, unreadable } from './ingest-error.js';

/** A client that needs longer than this to send a report keeps a connection for nothing. */
const DEADLINE_MS = 30_000;
/** For so long a refused client can go on sending until it reads its answer. */
const DRAIN_MS = 2_000;

type Wire = Pick<
  IncomingMessage,
  'headers' | 'complete' | 'destroyed' | 'on' | 'once' | 'off' | 'resume'
>;

/**
 * Hands the body on as it comes, still packed: at most `limit` bytes, 413 above. Rejects with what
 * `sink` throws, with 400 when the client goes away and 408 past the deadline; what still comes then
 * is thrown away.
 */
export function readWire(
  request: Wire,
  limit: number,
  sink: (chunk: Buffer) => void,
): Promise<void> {
  const tooMuch = 'the body is larger than is taken';
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(tooMuch);
  return new Promise((resolve, reject) => {
    let size = 0;
    const settle = (finish: () => void): void => {
      clearTimeout(deadline);
      request.off('data', take);
      request.off('close', incomplete);
      finish();
    };
    const fail = (error: unknown): void => {
      settle(() => {
        request.resume();
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      try {
        if (size > limit) throw tooLarge(tooMuch);
        sink(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const deadline = setTimeout(() => fail(tooSlow()), DEADLINE_MS);
    const incomplete = (): void => fail(unreadable('body is incomplete'));
    request.once('end', () => settle(resolve));
    request.once('error', incomplete);
    request.once('close', incomplete);
    if (request.destroyed) incomplete();
    else request.on('data', take);
  });
}

/**
 * Lets a client that was refused while it was sending read its answer, but not send for ever: past
 * a short while the connection is cut.
 */
export function drainBriefly(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  request.resume();
  const cut = setTimeout(() => request.destroy(), DRAIN_MS).unref();
  const keep = (): void => clearTimeout(cut);
  request.once('end', keep);
  response.once('close', () => {
    if (request.complete) keep();
  });
}

function tooSlow(): IngestError {
  return new IngestError(408, '408 Request Timeout', { headers: { Connection: 'close' } });
}
