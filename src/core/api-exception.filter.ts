import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { toUnavailableError, ApiError, RouteNotFoundError, UnavailableError } from './errors.js';
import { toOAuthError } from './http/oauth-error.js';
import { pathKindOf } from './http/paths.js';
import { correlation, requestId } from './http/request-log.middleware.js';
import { sendResponse, sendBody } from './http/send-response.js';
import type { ErrorPages } from './ui/error-pages.service.js';

/**
 * The only writer of error responses (API doc, Errors). ApiErrors contain their response; errors of
 * Nest, Express and PostgreSQL are translated; everything else is 500 with a fixed body. The path
 * decides between JSON of the API, JSON of OAuth and a page. Writes nothing once a response has
 * begun: closes the connection, so that the client detects the failure.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly log: Logger,
    private readonly pages: ErrorPages,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const refusal = refusalOf(error);
    this.record(error, refusal, { request, response });
    if (response.headersSent) {
      if (!response.writableEnded) response.destroy();
      return;
    }
    // Set for the success that did not come about.
    for (const name of ['Content-Type', 'Cache-Control', 'ETag']) response.removeHeader(name);
    this.send(refusal, request, response);
  }

  private send(refusal: ApiError, request: Request, response: Response): void {
    const kind = pathKindOf(request.path);
    // Redirects are not errors.
    const isRefused = refusal.status >= 400;
    if (isRefused && kind === 'page') {
      sendResponse(response, this.pages.refusal(refusal, request, requestId(response)));
      return;
    }
    if (isRefused && kind === 'oauth' && !(refusal instanceof RouteNotFoundError)) {
      sendResponse(response, toOAuthError(refusal, request.path));
      return;
    }
    for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
    sendBody(response, refusal.status, refusal.text ?? refusal.body);
  }

  private record(
    error: unknown,
    refusal: ApiError,
    { request, response }: { request: Request; response: Response },
  ): void {
    const line = {
      request_id: requestId(response),
      ...correlation(request),
      method: request.method,
      path: request.path,
      status: refusal.status,
      err: error,
    };
    // Overload is not a bug, and a flood of requests must not flood the log.
    const isBug = refusal.status >= 500 && !(error instanceof UnavailableError);
    if (isBug) this.log.error(line, 'request failed');
    else this.log.debug(line, 'request refused');
  }
}

/** Reason phrases where ours differ from Node's list. */
const REASONS: Record<number, string> = {
  400: 'Bad request',
  404: 'Not found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  503: 'Service Unavailable',
};

function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HttpException && error.getStatus() < 500) {
    // Its own message can name parts of the code: only the status goes out.
    const status = error.getStatus();
    return new ApiError(status, { message: `${status} ${REASONS[status] ?? 'Refused'}` });
  }
  return toUnavailableError(error) ?? internalError();
}

function internalError(): ApiError {
  return new ApiError(500, { message: '500 Internal Server Error' });
}
