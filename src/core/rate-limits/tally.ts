import type { Response } from 'express';
import { ApiError } from '../errors.js';
import { processCounter } from '../metrics/metrics-registry.js';

/** Maximum number of requests per window of the clock. */
export interface Limit {
  /** Shown to clients as RateLimit-Name. */
  name: string;
  requests: number;
  seconds: number;
}

/** Requests counted under a limit in the current window. */
export interface Tally {
  limit: Limit;
  observed: number;
  /** Unix time in seconds at which the window ends. */
  resetsAt: number;
  /** Whole seconds until then. */
  secondsLeft: number;
}

/**
 * Returns the current window of the clock (`now - now % period`), the same for all processes: the
 * key of its counter and an empty tally.
 */
export function windowOf(limit: Limit, who: string, now: Date): { key: string; tally: Tally } {
  const seconds = Math.floor(now.getTime() / 1000);
  const number = Math.floor(seconds / limit.seconds);
  const resetsAt = (number + 1) * limit.seconds;
  return {
    key: `${limit.name}:${limit.seconds}:${number}:${who}`,
    tally: { limit, observed: 0, resetsAt, secondsLeft: resetsAt - seconds },
  };
}

/** Returns true if the count exceeds the limit. */
export function isOver({ limit, observed }: Tally): boolean {
  return observed > limit.requests;
}

/**
 * Returns the headers of every counted response. RateLimit-Limit is per minute for any
 * window; the others concern the window itself, as clients of API v4 expect.
 */
function tallyHeaders({ limit, observed, resetsAt }: Tally): Record<string, string> {
  return {
    'RateLimit-Name': limit.name,
    'RateLimit-Limit': String(Math.ceil((limit.requests * 60) / limit.seconds)),
    'RateLimit-Observed': String(observed),
    'RateLimit-Remaining': String(Math.max(0, limit.requests - observed)),
    'RateLimit-Reset': String(resetsAt),
  };
}

/** Puts them on an answer. */
export function showTally(response: Response, tally: Tally): void {
  for (const [name, value] of Object.entries(tallyHeaders(tally))) response.setHeader(name, value);
}

const refusals = processCounter({
  name: 'guildhall_rate_limited_requests_total',
  help: 'Requests refused with 429 by limit',
  labelNames: ['limit'],
});

/** 429 of a limit on requests as such: plain text (API doc, Errors). */
export class ThrottledError extends ApiError {
  constructor(tally: Tally) {
    const headers = {
      ...tallyHeaders(tally),
      'RateLimit-ResetTime': new Date(tally.resetsAt * 1000).toUTCString(),
      'Retry-After': String(tally.secondsLeft),
      'Content-Type': 'text/plain',
    };
    super(429, { message: '429 Too Many Requests' }, { headers, text: 'Retry later\n' });
    refusals.inc({ limit: tally.limit.name });
  }
}

/** 429 of an endpoint's rate limit (API doc, Errors). */
export class EndpointLimitError extends ApiError {
  constructor(tally: Tally) {
    const error = 'This endpoint has been requested too many times. Try again later.';
    const headers = { ...tallyHeaders(tally), 'Retry-After': String(tally.secondsLeft) };
    super(429, { message: { error } }, { headers });
    refusals.inc({ limit: tally.limit.name });
  }
}
