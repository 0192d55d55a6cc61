import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import getRawBody, { type RawBodyError } from 'raw-body';
import type { NextFunction, Request, Response } from 'express';
import { ApiError, BadRequestError, InvalidParamsError } from '../errors.js';
import { nestParams, parseForm } from './form-params.js';
import { parseJsonBody } from './json-body.js';

const MAX_BODY_BYTES = 1024 * 1024;
const METHODS_WITH_PARAMS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Puts the parsed body into `request.body`: JSON, URL-encoded form or multipart fields, up to
 * 1 MiB. An empty body of any type counts as no parameters. Throws 413, 415, and 400
 * for a body that does not parse.
 */
export function readBody(request: Request, _response: Response, next: NextFunction): void {
  if (!isBodyRead(request)) {
    next();
    return;
  }
  parseBody(request).then((body) => {
    request.body = body;
    next();
  }, next);
}

/** Returns true if `readBody` reads the request's body. */
export function isBodyRead(request: Pick<Request, 'method' | 'headers'>): boolean {
  return METHODS_WITH_PARAMS.has(request.method) && hasBody(request);
}

/** Returns true if the headers announce a body (RFC 9112 §6). */
export function hasBody({ headers }: Pick<Request, 'headers'>): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer } = headers;
  return transfer !== undefined || Number(length ?? 0) > 0;
}

async function parseBody(request: Request): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge();
  const contentType = request.headers['content-type'] ?? '';
  const mediaType = mediaTypeOf(contentType);
  const bytes = await readBodyBytes(request, MAX_BODY_BYTES);
  if (bytes.length === 0) return undefined;
  if (mediaType === 'multipart/form-data') return parseMultipart(bytes, contentType);
  const text = decodeText(bytes);
  return mediaType === 'application/json' ? parseJsonBody(text) : parseForm(text);
}

/** The supported media type; none at all counts as JSON. Only UTF-8 is read. */
function mediaTypeOf(contentType: string): string {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const mediaType = type.trim() || 'application/json';
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?(utf-?8|us-ascii)"?$/.test(charset);
  const supported = [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ];
  if (isUtf8 && supported.includes(mediaType)) return mediaType;
  throw new ApiError(415, {
    error: `The provided content-type '${isUtf8 ? mediaType : contentType}' is not supported.`,
  });
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequestError('body is not valid UTF-8');
  }
}

/**
 * The fields: text nested by its names, files as buffers. A form's file input that was left empty
 * counts as absent.
 */
async function parseMultipart(bytes: Buffer, contentType: string): Promise<unknown> {
  const headers = { 'content-type': contentType };
  const fields: [string, string][] = [];
  const files = new Map<string, Buffer>();
  try {
    const form = await new globalThis.Response(new Uint8Array(bytes), { headers }).formData();
    for (const [name, value] of form.entries()) {
      if (typeof value === 'string') fields.push([name, value]);
      else if (/^[a-z]\w*$/.test(name) && (value.name !== '' || value.size > 0)) {
        files.set(name, Buffer.from(await value.arrayBuffer()));
      }
    }
  } catch {
    throw new InvalidParamsError(['body is not valid multipart/form-data']);
  }
  return Object.assign(nestParams(fields), Object.fromEntries(files));
}

/** Time limit for sending a body. */
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
  const deadline = setTimeout(() => interrupt(bodyTooSlow()), DEADLINE_MS);
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

/** 408 that closes the connection. */
export function bodyTooSlow(): ApiError {
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
