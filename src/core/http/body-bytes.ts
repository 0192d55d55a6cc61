import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
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
export function readBodyBytes(request: Request, limit: number): Promise<Buffer> {
  const source = decodedBody(request);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void): void => {
      clearTimeout(deadline);
      source.off('data', collect);
      finish();
    };
    const refuse = (error: ApiError): void => {
      settle(() => {
        discardRest(request, source);
        reject(error);
      });
    };
    const collect = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) refuse(bodyTooLarge());
      else chunks.push(chunk);
    };
    const deadline = setTimeout(() => refuse(tooSlow()), DEADLINE_MS);
    source.on('data', collect);
    source.once('end', () => settle(() => resolve(Buffer.concat(chunks, size))));
    source.once('error', () => refuse(new BadRequestError('body is damaged')));
    request.once('aborted', () => refuse(new BadRequestError('body is incomplete')));
  });
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
  request.resume();
}
