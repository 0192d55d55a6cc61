import type { IncomingMessage, ServerResponse } from 'node:http';

/** A client that needs longer than this to send a body keeps a connection for nothing. */
const DEADLINE_MS = 30_000;
/** For so long a refused client can go on sending until it reads its response. */
const DRAIN_MS = 2_000;

type Wire = Pick<
  IncomingMessage,
  'headers' | 'complete' | 'destroyed' | 'on' | 'once' | 'off' | 'resume'
>;

/** The maximum size of a body, and refusals in the form that the clients of the endpoint read. */
export interface BodyRules {
  limit: number;
  tooLarge(): Error;
  incomplete(): Error;
  tooSlow(): Error;
}

/**
 * Passes the body on as it arrives, still compressed. Rejects with what `sink` throws and with the
 * refusals of the rules: above the limit, when the client disconnects, and after 30 seconds. The
 * rest of the body is then discarded.
 */
export function readStream(
  request: Wire,
  rules: BodyRules,
  sink: (chunk: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > rules.limit) {
      reject(rules.tooLarge());
      return;
    }
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
        if (size > rules.limit) throw rules.tooLarge();
        sink(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const deadline = setTimeout(() => fail(rules.tooSlow()), DEADLINE_MS);
    const incomplete = (): void => fail(rules.incomplete());
    request.once('end', () => settle(resolve));
    request.once('error', incomplete);
    request.once('close', incomplete);
    if (request.destroyed) incomplete();
    else request.on('data', take);
  });
}

/**
 * Lets a client that was refused while it was sending read its response, and closes the connection
 * if it goes on sending for more than a moment.
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
