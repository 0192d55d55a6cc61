import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';

const answers = new AsyncLocalStorage<Response>();

/** Express middleware: what a request sets going can ask whether its client is still there. */
export function followClient(_: Request, response: Response, next: NextFunction): void {
  answers.run(response, next);
}

/**
 * Aborted as soon as the client of the current request leaves; undefined outside of requests. Not
 * for work whose result other requests get as well.
 */
export function clientSignal(): AbortSignal | undefined {
  const response = answers.getStore();
  if (response === undefined) return undefined;
  const leaving = new AbortController();
  if (response.destroyed) leaving.abort();
  else response.once('close', () => leaving.abort());
  return leaving.signal;
}
