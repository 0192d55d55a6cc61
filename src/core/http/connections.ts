import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import { clientAddress } from './request-address.js';

/** A parser error of Node; timeouts and broken connections have no packet. */
interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

/** Time before the connection is cut, so that a client still sending can read the response. */
const LINGER_MS = 1_000;

/** A packet that ends within the request line, before any header. */
const REQUEST_LINE = /^(?:[A-Z]+ )?[^\s]*$/;

const REASONS: Record<number, string> = {
  400: 'Bad request',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
  431: 'Request Header Fields Too Large',
};

/**
 * Responds to requests that Node cannot parse, in the common error format, and closes the
 * connection. Never writes into the middle of another response.
 */
export class UnparsedRequests {
  private readonly latest = new WeakMap<Duplex, ServerResponse>();

  /** Records the current response of a connection. */
  note({ socket }: IncomingMessage, response: ServerResponse): void {
    this.latest.set(socket, response);
  }

  readonly answer = (error: ParseError, socket: Duplex): void => {
    // Bytes that arrive after the error response, or after the last request of a closing
    // connection.
    if (socket.writableEnded || error.code === 'HPE_CLOSED_CONNECTION') return;
    const response = this.latest.get(socket);
    const isWorking = response !== undefined && !response.writableFinished;
    const isAnswerable = socket.writable && !(isWorking && response.headersSent);
    if (isAnswerable && !isWorking) {
      socket.end(answerOf(statusOf(error)));
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
      return;
    }
    if (isAnswerable) socket.write(answerOf(statusOf(error)));
    socket.destroy(error);
  };
}

function statusOf({ code, rawPacket }: ParseError): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  if (code !== 'HPE_HEADER_OVERFLOW') return 400;
  return REQUEST_LINE.test(rawPacket?.toString('latin1') ?? '') ? 414 : 431;
}

function answerOf(status: number): string {
  const phrase = `${status} ${REASONS[status]}`;
  const body = JSON.stringify({ message: phrase });
  return [
    `HTTP/1.1 ${phrase}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-cache',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Maximum pipelined requests per connection. */
const MOST_WAITING = 20;

const waiting = new WeakMap<Socket, number>();

/**
 * Closes connections that pipeline too many requests: each takes a few bytes to send, but holds a
 * whole response in memory until the earlier ones are read.
 */
export function boundPipelining(request: Request, response: Response, next: NextFunction): void {
  const { socket } = request;
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  if (count <= MOST_WAITING) next();
  else socket.destroy();
}

const responses = new AsyncLocalStorage<Response>();

/** Express middleware that makes the client available to `clientSignal` and `currentClient`. */
export function followClient(_: Request, response: Response, next: NextFunction): void {
  responses.run(response, next);
}

/**
 * Returns a signal that aborts when the client of the current request disconnects; undefined
 * outside of requests. Not for work whose result other requests share.
 */
export function clientSignal(): AbortSignal | undefined {
  const response = responses.getStore();
  if (response === undefined) return undefined;
  const disconnect = new AbortController();
  if (response.destroyed) disconnect.abort();
  else response.once('close', () => disconnect.abort());
  return disconnect.signal;
}

/** Returns the key of the current request's client (see `clientAddress`); undefined outside of requests. */
export function currentClient(): string | undefined {
  const response = responses.getStore();
  return response === undefined ? undefined : clientAddress(response.req.ip);
}
