import { ApiError } from '../errors.js';
import { tallyHeaders, type Tally } from './tally.js';

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
  }
}

/** 429 of an endpoint's rate limit (API doc, Errors). */
export class EndpointLimitError extends ApiError {
  constructor(tally: Tally) {
    const error = 'This endpoint has been requested too many times. Try again later.';
    const headers = { ...tallyHeaders(tally), 'Retry-After': String(tally.secondsLeft) };
    super(429, { message: { error } }, { headers });
  }
}
