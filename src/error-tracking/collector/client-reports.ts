import { objectOf, parsedObject } from '../parsing/json-values.js';

/** Data category of each known item type, as named by the rate limits of SDKs. */
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['event', 'error'],
  ['transaction', 'transaction'],
  ['session', 'session'],
  ['sessions', 'session'],
  ['attachment', 'attachment'],
  ['client_report', 'internal'],
  ['user_report', 'default'],
  ['feedback', 'feedback'],
  ['check_in', 'monitor'],
  ['profile', 'profile'],
  ['profile_chunk', 'profile_chunk'],
  ['replay_event', 'replay'],
  ['replay_recording', 'replay'],
  ['replay_video', 'replay'],
  ['span', 'span'],
  ['log', 'log_item'],
  ['metric', 'trace_metric'],
  ['trace_metric', 'trace_metric'],
  ['statsd', 'metric_bucket'],
  ['metric_buckets', 'metric_bucket'],
  ['security', 'security'],
]);

const NAMES: ReadonlySet<string> = new Set([...CATEGORIES.values(), 'log_byte']);

/** Returns the category of an item type; `default` for unknown types. */
export function categoryOf(type: string): string {
  return CATEGORIES.get(type) ?? 'default';
}

/** Returns a known category, or `default`: the number of counted names is bounded. */
function knownCategory(name: unknown): string {
  return typeof name === 'string' && NAMES.has(name) ? name : 'default';
}

/** Events that an SDK discarded. */
interface LostEvents {
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
