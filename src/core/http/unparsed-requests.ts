import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A parser error of Node; timeouts and broken connections have no packet. */
export interface ParseError extends NodeJS.ErrnoException {
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
