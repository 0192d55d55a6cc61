import type { ErrorOutcomeKind } from '../../error-values.js';

/** Labels of the outcomes. */
export const OUTCOME_TEXTS: Record<ErrorOutcomeKind, string> = {
  accepted: 'Accepted',
  dropped: 'Dropped',
  refused: 'Refused',
  lost_by_client: 'Lost by the program',
};

/** `log_item` → `Log item`. */
export function kindText(category: string): string {
  return sentenceCase(category);
}

/** Reasons of ours and of the SDKs' protocol that do not speak for themselves. */
const REASON_TEXTS: Record<string, string> = {
  before_send: 'A filter of the program',
  event_processor: 'A filter of the program',
  sample_rate: 'Sampling in the program',
  ratelimit_backoff: 'Held back after a refusal',
  network_error: 'The network',
  send_error: 'An error answer of this site',
  queue_overflow: 'Too much at once in the program',
  cache_overflow: 'Too much at once in the program',
  backpressure: 'Too much at once in the program',
  internal_sdk_error: 'A fault of the SDK',
  insufficient_data: 'Nothing to send in it',
  not_supported: 'Not kept here',
  more_than_one: 'One event per request is taken',
  overloaded: 'Too much at once for this site',
};

/** `quota` → `Quota`; empty where there is nothing to explain. */
export function reasonText(reason: string): string {
  return REASON_TEXTS[reason] ?? sentenceCase(reason);
}

function sentenceCase(word: string): string {
  const text = word.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
