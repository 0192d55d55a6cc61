/** Kind of data of each known type of item, as limits of SDKs name it. */
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

/** A category that a client names, or `default`: what is counted has a bounded number of names. */
export function knownCategory(name: unknown): string {
  return typeof name === 'string' && NAMES.has(name) ? name : 'default';
}
