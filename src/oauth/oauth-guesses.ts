import type { GuessLimit } from '../core/rate-limits/brute-force-limiter.service.js';
import { ThrottledError } from '../core/rate-limits/limit-errors.js';
import { throttle } from '../core/rate-limits/throttles.js';
import { OAuthError } from './oauth-errors.js';

/**
 * Guesses of secrets, codes and tokens count together with those at the API (RFC 6819 §4.3.5,
 * §4.6.3).
 */
export const OAUTH_GUESSES: GuessLimit = {
  limit: (settings) => throttle(settings, 'unauthenticated_api', 'throttle_failed_authentication'),
  isGuess: (error) => error instanceof OAuthError && error.isGuess,
  refusal: (tally) => new ThrottledError(tally),
};
