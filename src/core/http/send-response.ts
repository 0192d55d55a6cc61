import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { type HttpResponse, JsonText } from './http-response.js';
import { secondsSinceStart } from './request-log.middleware.js';

const MEBIBYTE = 1024 * 1024;
/** Longer responses are not held in memory for slow clients. */
const IN_MEMORY = MEBIBYTE;
const SLICE = 256 * 1024;
/** A client that reads nothing for this long is slow. */
const PATIENCE_MS = 1_000;
/** A client that reads nothing for this long is disconnected. */
const IDLE_MS = 60_000;
const MAX_BYTES_ON_DISK = 1024 * MEBIBYTE;

let bytesOnDisk = 0;

/**
 * Sends the body of a response whose headers are set, and ends it. A slow client holds at most a
 * megabyte of memory: the rest of a long response is read from a temporary file.
 */
function sendPayload(response: Response, payload: string | Buffer): void {
  const isLong = payload.length > IN_MEMORY && response.req.method !== 'HEAD';
  if (isLong) {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    sendLong(response, bytes).catch(() => response.destroy());
  } else {
    response.end(payload);
  }
  const isWaiting = (response.socket?.writableLength ?? 0) > 0;
  if (isLong || isWaiting) response.setTimeout(IDLE_MS, () => response.destroy());
}

async function sendLong(response: Response, payload: Buffer): Promise<void> {
  for (let at = 0; at < payload.length; at += SLICE) {
    // A copy, since a view would keep the whole payload in memory.
    const slice = Buffer.from(payload.subarray(at, at + SLICE));
    if (response.write(slice) || (await isDrained(response))) continue;
    return sendFromDisk(response, payload.subarray(at + SLICE));
  }
  response.end();
}

async function isDrained(response: Response): Promise<boolean> {
  try {
    await once(response, 'drain', { signal: AbortSignal.timeout(PATIENCE_MS) });
    return true;
  } catch {
    return false;
  }
}

async function sendFromDisk(response: Response, rest: Buffer): Promise<void> {
  const { length } = rest;
  if (response.destroyed) return;
  if (bytesOnDisk + length > MAX_BYTES_ON_DISK) throw new Error('Too many slow clients');
  bytesOnDisk += length;
  try {
    const path = join(tmpdir(), `guildhall-answer-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
      await file.writeFile(rest);
      rest = Buffer.alloc(0);
      await pipeline(file.createReadStream({ start: 0, autoClose: false }), response);
    } finally {
      await file.close();
    }
  } finally {
    bytesOnDisk -= length;
  }
}

/** Cache-Control of 200 responses to GET: clients must revalidate each time. */
const REVALIDATE = 'max-age=0, private, must-revalidate';

/**
 * Writes one answer. Objects, lists, numbers and booleans go out as `application/json` without
 * charset; text and bytes go out as they are, as HTML unless their type was set before.
 * A 200 to GET or HEAD carries a weak ETag and becomes 304 when the client has it already
 * (RFC 9110 §13.1.2); everything else must not be cached. `undefined` is an empty body.
 */
export function sendBody(response: Response, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('X-Runtime', secondsSinceStart(response));
  if (body === undefined || status === 204) {
    setUnlessSet(response, 'Cache-Control', 'no-cache');
    response.end();
    return;
  }
  const payload = encode(response, body);
  const isCompressible = hasCompressibleBody(response);
  // A 304 names what the 200 varies by as well (RFC 9110 §15.4.5).
  if (isCompressible) response.vary('Accept-Encoding');
  const request = response.req;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const tag = (): string => (body instanceof JsonText ? body.tag : tagOf(payload));
  if (status === 200 && isRead && isUnchanged(request, response, tag)) {
    sendNotModified(response);
    return;
  }
  setUnlessSet(response, 'Cache-Control', 'no-cache');
  const encoding = isCompressible ? encodingOf(response, payload) : null;
  if (encoding !== null) {
    sendCompressed(response, { payload, encoding });
    return;
  }
  response.setHeader('Content-Length', Buffer.byteLength(payload));
  sendPayload(response, payload);
}

const COMPRESSIBLE = /^text\/(?!event-stream)|[/+](?:json|xml|javascript)\b/;
/** Shorter responses fit into one packet anyway. */
const MIN_COMPRESSED = 1_024;
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};

function hasCompressibleBody(response: Response): boolean {
  const type = String(response.getHeader('Content-Type'));
  return COMPRESSIBLE.test(type) && !response.hasHeader('Content-Encoding');
}

/** The encoding in which to send the payload (RFC 9110 §12.5.3); null = as it is. */
function encodingOf(response: Response, payload: string | Buffer): 'br' | 'gzip' | null {
  const { length } = payload;
  if (length < MIN_COMPRESSED || length > IN_MEMORY || response.req.method === 'HEAD') return null;
  if (response.req.headers['accept-encoding'] === undefined) return null;
  if (response.req.acceptsEncodings('br')) return 'br';
  return response.req.acceptsEncodings('gzip') ? 'gzip' : null;
}

interface Compression {
  payload: string | Buffer;
  encoding: 'br' | 'gzip';
}

/** Compresses outside of the event loop. */
function sendCompressed(response: Response, { payload, encoding }: Compression): void {
  const send = (error: Error | null, compressed: Buffer): void => {
    if (error === null) response.setHeader('Content-Encoding', encoding);
    const body = error === null ? compressed : payload;
    response.setHeader('Content-Length', Buffer.byteLength(body));
    sendPayload(response, body);
  };
  if (encoding === 'br') brotliCompress(payload, BROTLI, send);
  else gzip(payload, send);
}

/** Writes what a handler decided to the last header. */
export function sendResponse(response: Response, { status, body, headers }: HttpResponse): void {
  for (const [name, value] of Object.entries(headers)) {
    // The guard may have set a cookie already.
    if (name === 'Set-Cookie') response.append(name, value);
    else response.setHeader(name, value);
  }
  sendBody(response, status, body);
}

function encode(response: Response, body: unknown): string | Buffer {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    setUnlessSet(response, 'Content-Type', 'text/html; charset=utf-8');
    return body;
  }
  setUnlessSet(response, 'Content-Type', 'application/json');
  return body instanceof JsonText ? body.bytes : JSON.stringify(body);
}

function tagOf(payload: string | Buffer): string {
  return hash('sha256', payload, 'hex').slice(0, 32);
}

/** Adds the validators and returns true if the client's copy is current. */
function isUnchanged(request: Request, response: Response, tag: () => string): boolean {
  if (response.hasHeader('Cache-Control')) return false;
  response.setHeader('Cache-Control', REVALIDATE);
  const quoted = `"${tag()}"`;
  response.setHeader('ETag', `W/${quoted}`);
  return isKnown(request.headers['if-none-match'], quoted);
}

/**
 * Weak comparison with the client's tags (RFC 9110 §8.8.3.2). Not Express' `fresh`: that ignores
 * the tags when `Cache-Control: no-cache` comes with them, as `fetch` sends it by default.
 */
function isKnown(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  const known = condition.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}

function sendNotModified(response: Response): void {
  response.statusCode = 304;
  response.removeHeader('Content-Type');
  response.end();
}

function setUnlessSet(response: Response, name: string, value: string): void {
  if (!response.hasHeader(name)) response.setHeader(name, value);
}
