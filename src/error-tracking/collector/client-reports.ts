import { objectOf, parsedObject } from '../parsing/json-values.js';
import { knownCategory } from './item-types.js';

/** Events that an SDK discarded. */
export interface LostEvents {
  category: string;
  reason: string;
  quantity: number;
}

const REASONS: ReadonlySet<unknown> = new Set([
  'queue_overflow',
  'cache_overflow',
  'ratelimit_backoff',
  'network_error',
  'sample_rate',
  'before_send',
  'event_processor',
  'send_error',
  'internal_sdk_error',
  'insufficient_data',
  'backpressure',
]);

const MAX_QUANTITY = 1_000_000_000;
const MAX_ENTRIES = 100;

/**
 * Reads the payload of an item `client_report`: its `discarded_events`, with names limited to known
 * ones. Skips unreadable parts, as SDKs do not read the response.
 */
export function readClientReport(payload: Buffer): LostEvents[] {
  const discarded = parsedObject(payload)?.discarded_events;
  if (!Array.isArray(discarded)) return [];
  return discarded.slice(0, MAX_ENTRIES).flatMap((entry: unknown) => {
    const { category, reason, quantity } = objectOf(entry) ?? {};
    if (typeof quantity !== 'number' || !(quantity >= 1)) return [];
    return {
      category: knownCategory(category),
      reason: typeof reason === 'string' && REASONS.has(reason) ? reason : 'other',
      quantity: Math.min(Math.floor(quantity), MAX_QUANTITY),
    };
  });
}
