import type { JsonObject } from './incoming-alert.js';

/**
 * Characters that repeated names can add; a hostile payload would become thousands of times as
 * long.
 */
const MAX_REPEATED = 1_048_576;

const DOCUMENTED = ['annotations', 'endsAt', 'generatorURL', 'startsAt', 'status'];
const DOCUMENTED_LABELS = [
  'alertname',
  'severity',
  'svc_environment_name',
  'gitlab_environment_name',
];

/**
 * Returns the details of a Prometheus item: its documented attributes and all annotations. Others
 * are only in the payload.
 */
export function prometheusDetails(item: JsonObject): JsonObject {
  const { labels } = item;
  const isObject = typeof labels === 'object' && labels !== null;
  const shown = isObject ? { labels: only(labels as JsonObject, DOCUMENTED_LABELS) } : {};
  return flattenPayload({ ...only(item, DOCUMENTED), ...shown });
}

function only(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/**
 * A payload with one level only, as details of an alert show it: `{"foo":{"bar":1}}` becomes
 * `{"foo.bar":1}`. Lists and empty objects stay as they are, and so do objects whose names would
 * repeat more than 1 MiB of others; of equal names the last one wins.
 */
export function flattenPayload(payload: JsonObject): JsonObject {
  const found: Found = { entries: [], left: MAX_REPEATED };
  collect(payload, '', found);
  return Object.fromEntries(found.entries);
}

interface Found {
  entries: [string, unknown][];
  /** Characters that names can still repeat. */
  left: number;
}

function collect(object: JsonObject, prefix: string, found: Found): void {
  for (const [name, value] of Object.entries(object)) {
    const inner = `${prefix}${name}.`;
    const repeated = inner.length * memberCount(value);
    if (repeated > 0 && repeated <= found.left) {
      found.left -= repeated;
      collect(value as JsonObject, inner, found);
    } else {
      found.entries.push([prefix + name, value]);
    }
  }
}

/** 0 for what is no object. */
function memberCount(value: unknown): number {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.keys(value).length : 0;
}
