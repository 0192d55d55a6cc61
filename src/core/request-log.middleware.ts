import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { authContext } from './access/auth-context.js';
import { millisecondsSinceStart, requestId } from './http/request-state.js';

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
