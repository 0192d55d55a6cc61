import type { Response } from 'express';

/** Data of a request from its start. */
interface RequestState {
  id: string;
  startedAt: number;
}

/** Remembers the request's id and start; called once, before anything else. */
export function startRequest(response: Response, id: string): void {
  const state: RequestState = { id, startedAt: performance.now() };
  response.locals['request'] = state;
}

/** The id that the client sees as X-Request-Id and the log as request_id. */
export function requestId(response: Response): string {
  return stateOf(response)?.id ?? '';
}

/** Milliseconds since the request arrived. */
export function millisecondsSinceStart(response: Response): number {
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
