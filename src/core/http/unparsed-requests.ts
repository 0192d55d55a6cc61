import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** An error of Node's parser; of timeouts and broken connections it has no packet. */
export interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

/** How long a client may go on sending before its connection is cut, so that it reads the answer. */
const LINGER_MS = 1_000;

/** A packet from the middle of a request line, or its beginning: no header has begun yet. */
const REQUEST_LINE = /^(?:[A-Z]+ )?[^\s]*$/;

const REASONS: Record<number, string> = {
  400: 'Bad request',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
  431: 'Request Header Fields Too Large',
};

/**
 * Answers what cannot be parsed and so never becomes a request, in the form of all errors, and
 * closes the connection. Nothing is written into the middle of another answer.
 */
export class UnparsedRequests {
  private readonly latest = new WeakMap<Duplex, ServerResponse>();

  /** Takes note of the answer that a connection is at. */
  note({ socket }: IncomingMessage, response: ServerResponse): void {
    this.latest.set(socket, response);
  }

  readonly answer = (error: ParseError, socket: Duplex): void => {
    // What comes while the client is still sending, or behind the last request that it announced.
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
