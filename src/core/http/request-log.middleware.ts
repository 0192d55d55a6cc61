import { randomFillSync } from 'node:crypto';
import type { NextFunction, Request, Response, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { monotonicFactory } from 'ulid';
import { authContext } from '../access/auth-context.js';

/**
 * Logs one line per request when the response is sent or the client is gone. Never logs the query
 * string, as it can contain credentials. Logs health checks at debug level only.
 */
export function requestLogMiddleware(log: Logger) {
  // Every field is chosen here and none is a secret: looking for some costs as much as writing.
  const lines = log.child({}, { redact: [] });
  return (request: Request, response: Response, next: NextFunction): void => {
    const [path = ''] = request.originalUrl.split('?', 1);
    response.once('close', () => {
      const level = path.startsWith('/-/') ? 'debug' : 'info';
      lines[level]({
        request_id: requestId(response),
        ...correlation(request),
        method: request.method,
        path,
        status: response.statusCode,
        ms: Math.round(millisecondsSinceStart(response) * 1000) / 1000,
        user_id: authContext(request).viewer?.id,
        ip: request.ip,
        ...(!response.writableFinished && { aborted: true }),
      });
    });
    next();
  };
}

const CORRELATION_ID = /^[\w.:/+=@-]{1,128}$/;
const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/**
 * Returns the client's X-Request-Id as `correlation_id`, and the trace of the request's span, else that
 * of its `traceparent` (W3C Trace Context), as `trace_id`, for log lines only: clients choose both.
 * Leaves out values of another form.
 */
export function correlation({
  headers,
  res,
}: Pick<Request, 'headers' | 'res'>): Record<string, string> {
  const given = headers['x-request-id'];
  const [, presented] = TRACE_PARENT.exec(String(headers['traceparent'] ?? '')) ?? [];
  const traceId = (res?.locals['traceId'] as string | undefined) ?? presented;
  return {
    ...(typeof given === 'string' && CORRELATION_ID.test(given) && { correlation_id: given }),
    ...(traceId !== undefined && { trace_id: traceId }),
  };
}

/**
 * Warns once about X-Forwarded-For while TRUST_PROXY is off: all clients behind the proxy are then
 * limited and recorded as one address. Never trusts the header.
 */
export function warnOfUntrustedProxy(log: Logger): RequestHandler {
  let hasWarned = false;
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      log.warn(
        { address: request.socket.remoteAddress },
        'X-Forwarded-For received while TRUST_PROXY is off: if this address is your proxy, add it to TRUST_PROXY, or all clients behind it share one rate limit',
      );
    }
    next();
  };
}

const randomBytes = Buffer.alloc(4096);
let usedBytes = randomBytes.length;

// By default the generator would call the system for each of its 16 random characters.
const nextId = monotonicFactory(randomFraction);

function randomFraction(): number {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  return randomBytes.readUInt8(usedBytes++) / 256;
}

interface FixedHeaders {
  /** Sends HSTS (RFC 6797) if clients use https. */
  isHttps: boolean;
}

/**
 * Assigns every request its ID and sets the headers of all responses. IDs sent by clients only appear
 * in the log (see `correlation`), because they could be anything, or someone else's.
 */
export function requestIdMiddleware({ isHttps }: FixedHeaders) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    const id = nextId();
    startRequest(response, id);
    response.setHeader('X-Request-Id', id);
    response.setHeader('X-Svc-Meta', `{"correlation_id":"${id}","version":"1"}`);
    response.setHeader('Vary', 'Origin');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Frame-Options', 'SAMEORIGIN');
    if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    next();
  };
}

/** Data of a request from its start. */
interface RequestState {
  id: string;
  startedAt: number;
}

/** Remembers the request's id and start; called once, before anything else. */
function startRequest(response: Response, id: string): void {
  const state: RequestState = { id, startedAt: performance.now() };
  response.locals['request'] = state;
}

/** The id that the client sees as X-Request-Id and the log as request_id. */
export function requestId(response: Response): string {
  return stateOf(response)?.id ?? '';
}

/** Milliseconds since the request arrived. */
function millisecondsSinceStart(response: Response): number {
  const startedAt = stateOf(response)?.startedAt;
  return startedAt === undefined ? 0 : performance.now() - startedAt;
}

/** Value of X-Runtime: seconds with six digits. */
export function secondsSinceStart(response: Response): string {
  return (millisecondsSinceStart(response) / 1000).toFixed(6);
}

function stateOf(response: Response): RequestState | undefined {
  return response.locals['request'] as RequestState | undefined;
}
