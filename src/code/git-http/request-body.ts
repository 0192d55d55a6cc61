import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Request } from 'express';
import { GitHttpError } from './git-http-error.js';

/**
 * The request's body as the client meant it: unpacked, and an error (400, 413) when it cannot be
 * or is larger than `maxBytes`. Only the body breaks then, not the connection: the refusal still
 * has to get through.
 */
export function openBody(request: Request, maxBytes: number): Readable {
  const encoding = request.get('Content-Encoding')?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return through(request, limit(maxBytes));
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new GitHttpError(415, 'The content encoding is not supported.');
  }
  const gunzip = through(request, createGunzip());
  const body = limit(maxBytes);
  gunzip.once('error', () => {
    body.destroy(request.errored ?? new GitHttpError(400, 'The body is not valid gzip.'));
  });
  gunzip.pipe(body);
  return body;
}

/**
 * Reads a body until `isEnough` has seen what it needs, or to the end; what follows stays in the
 * stream. Throws the body's error, also for a client that left.
 */
export async function readStart(
  body: Readable,
  isEnough: (chunk: Buffer) => boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    if (isEnough(chunk as Buffer)) break;
  }
  return Buffer.concat(chunks);
}

/** Destroys the body with 408 when the request has not arrived completely in time. */
export function endAfter(body: Readable, request: Request, milliseconds: number): void {
  const timer = setTimeout(() => {
    if (!request.complete) body.destroy(tooSlow());
  }, milliseconds);
  body.once('close', () => clearTimeout(timer));
}

/**
 * Destroys the body with 408 when less than `minBytes` arrive within an interval. An interval does
 * not count while bytes wait for their reader: then the client is not what is slow.
 */
export function endWhenSlow(
  body: Readable,
  request: Request,
  { milliseconds, minBytes }: { milliseconds: number; minBytes: number },
): void {
  let before = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const isWaited = body.readableLength === 0 && request.readableLength === 0;
    if (isWaited && bytesRead - before < minBytes && !request.complete) body.destroy(tooSlow());
    before = bytesRead;
  }, milliseconds);
  const stop = (): void => clearInterval(timer);
  request.once('close', stop);
  body.once('close', stop);
}

function tooSlow(): GitHttpError {
  return new GitHttpError(408, 'The request did not arrive in time.', { Connection: 'close' });
}

function through<T extends Transform>(request: Request, stream: T): T {
  request.once('error', (error) => stream.destroy(error));
  return request.pipe(stream);
}

function limit(maxBytes: number): Transform {
  let size = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) return done(new GitHttpError(413, 'The request is too large.'));
      done(null, chunk);
    },
  });
  // The stream can fail while it is not read; the next reader gets the error.
  stream.on('error', () => undefined);
  return stream;
}
