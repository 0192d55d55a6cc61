import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** JSON body of an error in its final form. */
export type ErrorBody = Record<string, unknown>;

interface ApiErrorOptions {
  cause?: unknown;
  headers?: Record<string, string>;
  /** Sent instead of the body; its type is among the headers. */
  text?: string;
}

/**
 * An error whose status and body are decided where it is thrown.
 * `cause` goes to the log only, never to the client.
 */
export class ApiError extends Error {
  readonly headers: Record<string, string>;
  readonly text: string | undefined;

  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    options: ApiErrorOptions = {},
  ) {
    super(JSON.stringify(body), { cause: options.cause });
    this.headers = options.headers ?? {};
    this.text = options.text;
  }
}

/** 400 with a plain reason (API doc, Errors): `400 Bad request - <reason>`. */
export class BadRequestError extends ApiError {
  constructor(reason: string) {
    super(400, { message: `400 Bad request - ${reason}` });
  }
}

/**
 * 400 for parameters that break their declaration.
 *
 * `problems` are texts such as `title is missing`, in order of declaration. The body has both
 * keys, and each lists all problems; `message` quotes missing attributes (API doc, Errors 1).
 */
export class InvalidParamsError extends ApiError {
  constructor(readonly problems: readonly string[]) {
    const described = problems.map(describeProblem).join(', ');
    super(400, { message: `400 (Bad request) ${described}`, error: problems.join(', ') });
  }
}

function describeProblem(problem: string): string {
  const [, missing] = /^(.*) is missing$/.exec(problem) ?? [];
  return missing === undefined ? problem : `"${missing}" not given`;
}

/** Messages per attribute; an embedded entity nests an object of the same form. */
export type ValidationMessages = { [attribute: string]: string[] | ValidationMessages };

/** 400 of a model check (API doc, Errors 2): `message` maps each property to its messages. */
export class ValidationFailedError extends ApiError {
  constructor(readonly messages: ValidationMessages) {
    super(400, { message: messages });
  }
}

/** 405 for an unsupported method of a known path; RFC 9110 §15.5.6 requires the list of methods. */
export class MethodNotAllowedError extends ApiError {
  constructor(body: ErrorBody) {
    super(405, body, { headers: { Allow: 'OPTIONS, GET, HEAD' } });
  }
}

/** 401 without credentials or with unknown ones (API doc, Errors). */
export class UnauthorizedError extends ApiError {
  constructor() {
    super(401, { message: '401 Unauthorized' });
  }
}

/** 401 for a known credential that is no longer good; RFC 6750 §3.1 `invalid_token`. */
export class InvalidTokenError extends ApiError {
  constructor(description: string) {
    super(
      401,
      { error: 'invalid_token', error_description: description },
      {
        headers: {
          'WWW-Authenticate': `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${description}"`,
        },
      },
    );
  }
}

/** 403; with a reason the message is `403 Forbidden - <reason>`. */
export class ForbiddenError extends ApiError {
  constructor(reason?: string) {
    super(403, { message: reason === undefined ? '403 Forbidden' : `403 Forbidden - ${reason}` });
  }
}

/** 403 for a token whose scopes do not cover the endpoint; RFC 6750 §3.1 `insufficient_scope`. */
export class InsufficientScopeError extends ApiError {
  constructor(scopes: readonly string[]) {
    const scope = scopes.join(' ');
    const description = 'The request requires higher privileges than provided by the access token.';
    super(
      403,
      { error: 'insufficient_scope', error_description: description, scope },
      {
        headers: {
          'WWW-Authenticate': `Bearer realm="Protected by OAuth 2.0", error="insufficient_scope", error_description="${description}", scope="${scope}"`,
        },
      },
    );
  }
}

/** 404 `404 <Noun> Not Found`, also for what the viewer cannot see; without noun `404 Not found`. */
export class NotFoundError extends ApiError {
  constructor(noun?: string) {
    super(404, { message: noun === undefined ? '404 Not found' : `404 ${noun} Not Found` });
  }
}

/** 404 of a path that matches no endpoint (API doc, Errors 3). */
export class RouteNotFoundError extends ApiError {
  constructor() {
    super(404, { error: '404 Not Found' });
  }
}

/** 409; the message is the reason itself, for example `Member already exists`. */
export class ConflictError extends ApiError {
  constructor(message: string) {
    super(409, { message });
  }
}

/** 412 of a DELETE or PUT whose If-Unmodified-Since is older than the resource (RFC 9110 §13.1.4). */
export class PreconditionFailedError extends ApiError {
  constructor() {
    super(412, { message: '412 Precondition Failed' });
  }
}

/** 503 with `Retry-After` in seconds, for a bound that is full at the moment. */
export class UnavailableError extends ApiError {
  constructor(retryAfterSeconds: number) {
    super(
      503,
      { message: '503 Service Unavailable' },
      { headers: { 'Retry-After': String(retryAfterSeconds) } },
    );
  }
}

/** 503 for a failing storage; `reason` is a sentence that names it. */
export class StorageUnavailableError extends ApiError {
  constructor(
    readonly reason: string,
    cause: unknown,
  ) {
    const message = `503 Service Unavailable - ${reason} Please try again later.`;
    super(503, { message }, { headers: { 'Retry-After': '60' }, cause });
  }
}

const RETRY_SOON_SECONDS = 1;
const RETRY_LATER_SECONDS = 5;
const RETRY_MUCH_LATER_SECONDS = 60;

/** The database has no disk space or memory left, or its disk fails: an operator must act. */
const OUT_OF_RESOURCES = new Set(['53100', '53200', '58030']);

/** Values that PostgreSQL cannot take: numbers out of range, text with NUL or bad encoding. */
const UNUSABLE_VALUE = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05']);

/**
 * Another transaction was in the way, or ours stood still for too long; the same request will do a
 * moment later.
 */
const COLLISION = new Set(['40001', '40P01', '55P03', '25P03']);

/** The server is starting, stopping, full or out of reach. */
const OUT_OF_REACH = new Set([
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/**
 * Messages of pg for connections that broke during a statement, and for statements of a process
 * that is stopping; these errors have no code.
 */
const BROKEN_CONNECTION =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Cannot use a pool after calling end)/;

/** Errors of TypeORM for connections that broke between two statements of a transaction. */
const LOST_TRANSACTION = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

/**
 * The answer for an error of the database that no service has given a meaning, or null when the
 * error is none of those: cancelled by the statement timeout, pool exhausted and disk full are 503.
 */
export function toUnavailableError(error: unknown): ApiError | null {
  if (!(error instanceof Error)) return null;
  const code = (error as { code?: unknown }).code;
  if (code === '57014') return statementTimeout();
  if (error.message.startsWith('timeout exceeded when trying to connect')) {
    return new UnavailableError(RETRY_SOON_SECONDS);
  }
  const isBroken = LOST_TRANSACTION.some((type) => error instanceof type);
  if (isBroken || BROKEN_CONNECTION.test(error.message))
    return new UnavailableError(RETRY_LATER_SECONDS);
  if (typeof code !== 'string') return null;
  if (UNUSABLE_VALUE.has(code)) return new BadRequestError('a value cannot be stored');
  if (COLLISION.has(code)) return new UnavailableError(RETRY_SOON_SECONDS);
  if (OUT_OF_RESOURCES.has(code)) return new UnavailableError(RETRY_MUCH_LATER_SECONDS);
  return OUT_OF_REACH.has(code) || endsSession(error)
    ? new UnavailableError(RETRY_LATER_SECONDS)
    : null;
}

/** PostgreSQL refuses connections (maintenance, changed passwords) or ends the session. */
export function endsSession(error: Error): boolean {
  const { severity } = error as { severity?: unknown };
  return severity === 'FATAL' || severity === 'PANIC';
}

function statementTimeout(): ApiError {
  const message = '503 Service Unavailable - the query took too long, ask for less at once';
  return new ApiError(503, { message });
}
