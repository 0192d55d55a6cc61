import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError, StorageUnavailableError, toUnavailableError } from '../../core/errors.js';

/** A refusal of the Git transport: plain text, for that is what Git clients show to people. */
export class GitHttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** 401 for a token that never existed: possibly a guess. */
export class UnknownTokenRefusal extends GitHttpError {}

const ACCESS_DENIED =
  'HTTP Basic: Access denied. Use any user name and an access token with the scope ' +
  'read_repository or write_repository as the password.';

/** 401 that makes a Git client prompt for credentials; the same for every reason. */
export function accessDenied(Refusal = GitHttpError): GitHttpError {
  return new Refusal(401, ACCESS_DENIED, { 'WWW-Authenticate': 'Basic realm="Guildhall"' });
}

/** The same text for missing and invisible projects. */
export function projectNotFound(): GitHttpError {
  return new GitHttpError(
    404,
    "The project you were looking for could not be found or you don't have permission to view it.",
  );
}

/** 503 for a bound that is full or a storage that does not answer. */
export function unavailable(message: string): GitHttpError {
  return new GitHttpError(503, message, { 'Retry-After': '10' });
}

/** Thrown when the client has disconnected. */
export class ClientGoneError extends Error {}

/** The default message of a 503, which explains nothing in a terminal. */
const BARE_503 = '503 Service Unavailable';
const UNAVAILABLE = 'The server is temporarily unavailable. Please try again later.';

/** Writes errors as plain text, unknown ones as 500 without any detail. */
@Catch()
export class GitErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('GitHttp');

  catch(error: unknown, host: ArgumentsHost): void {
    const refusal = asRefusal(error);
    const isExpected = refusal !== null && !(error instanceof StorageUnavailableError);
    if (!isExpected && !isDisconnect(error)) this.logger.error(error);
    send(host.switchToHttp().getResponse<Response>(), refusal);
  }
}

function send(response: Response, refusal: GitHttpError | null): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, message, headers } =
    refusal ?? new GitHttpError(500, '500 Internal Server Error');
  for (const name of ['Content-Encoding', 'Content-Type']) response.removeHeader(name);
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-cache',
  });
  response.end(message);
}

function asRefusal(error: unknown): GitHttpError | null {
  if (error instanceof GitHttpError) return error;
  const refusal = error instanceof ApiError ? error : toUnavailableError(error);
  if (refusal === null) return null;
  const { status, body, headers } = refusal;
  const text = typeof body['message'] === 'string' ? body['message'] : refusal.message;
  const retryAfter = headers['Retry-After'];
  const kept: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
  return new GitHttpError(status, text === BARE_503 ? UNAVAILABLE : text, kept);
}

/** The client left, perhaps while its request was read. */
function isDisconnect(error: unknown): boolean {
  if (error instanceof ClientGoneError) return true;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
