import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import getRawBody, { type RawBodyError } from 'raw-body';
import { ApiError, BadRequestError } from '../errors.js';

/** A client that needs longer than this to send a small body keeps a connection for nothing. */
const DEADLINE_MS = 30_000;

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/**
 * Reads the whole body, decompressed, of at most `limit` bytes: 413 above, 415 for an unknown
 * Content-Encoding, 400 for damaged data or a closed connection, 408 after the deadline. Discards
 * the rest of an oversized body, so that the client can read the response.
 */
export async function readBodyBytes(request: Request, limit: number): Promise<Buffer> {
  const source = decodedBody(request);
  let interrupt: (error: ApiError) => void = () => undefined;
  const interrupted = new Promise<never>((_, reject) => (interrupt = reject));
  const deadline = setTimeout(() => interrupt(tooSlow()), DEADLINE_MS);
  // raw-body never settles when the connection closes while it reads from a decoder.
  const onAborted = (): void => interrupt(new BadRequestError('body is incomplete'));
  request.once('aborted', onAborted);
  try {
    return await Promise.race([getRawBody(source, { limit }), interrupted]);
  } catch (error) {
    discardRest(request, source);
    throw refusalOf(error);
  } finally {
    clearTimeout(deadline);
    request.off('aborted', onAborted);
  }
}

function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const isTooLarge = (error as Partial<RawBodyError>).type === 'entity.too.large';
  return isTooLarge ? bodyTooLarge() : new BadRequestError('body is damaged');
}

/** 413 with the body that the API promises. */
export function bodyTooLarge(): ApiError {
  return new ApiError(413, { message: '413 Request Entity Too Large' });
}

function tooSlow(): ApiError {
  const headers = { Connection: 'close' };
  return new ApiError(408, { message: '408 Request Timeout' }, { headers });
}

function decodedBody(request: Request): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return request;
  if (!Object.hasOwn(DECODERS, encoding)) {
    throw new ApiError(415, { error: 'The provided content-encoding is not supported.' });
  }
  return request.pipe(DECODERS[encoding as keyof typeof DECODERS]());
}

function discardRest(request: Request, source: Readable): void {
  if (source !== request) {
    request.unpipe();
    source.destroy();
  }
  // raw-body goes on collecting after the deadline.
  request.removeAllListeners('data');
  request.resume();
}
