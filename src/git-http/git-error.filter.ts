import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError, StorageUnavailableError } from '../core/errors.js';
import { toUnavailableError } from '../core/unavailable-error.js';
import { ClientGoneError } from './git-exchange.js';
import { GitHttpError } from './git-http-error.js';

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
