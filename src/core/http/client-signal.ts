import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';

const answers = new AsyncLocalStorage<Response>();

/** Express middleware that makes the response available to `clientSignal`. */
export function followClient(_: Request, response: Response, next: NextFunction): void {
  answers.run(response, next);
}

/**
 * Returns a signal that aborts when the client of the current request disconnects; undefined
 * outside of requests. Not for work whose result other requests share.
 */
export function clientSignal(): AbortSignal | undefined {
  const response = answers.getStore();
  if (response === undefined) return undefined;
  const leaving = new AbortController();
  if (response.destroyed) leaving.abort();
  else response.once('close', () => leaving.abort());
  return leaving.signal;
}
