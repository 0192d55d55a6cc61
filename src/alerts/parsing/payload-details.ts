import type { JsonObject } from './incoming-alert.js';

/**
 * A payload with one level only, as details of an alert show it: `{"foo":{"bar":1}}` becomes
 * `{"foo.bar":1}`. Lists and empty objects stay as they are; of equal names the last one wins.
 */
export function flattenPayload(payload: JsonObject): JsonObject {
  const entries: [string, unknown][] = [];
  collect(payload, '', entries);
  return Object.fromEntries(entries);
}

function collect(object: JsonObject, prefix: string, entries: [string, unknown][]): void {
  for (const [name, value] of Object.entries(object)) {
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNested && Object.keys(value).length > 0) {
      collect(value as JsonObject, `${prefix}${name}.`, entries);
    } else {
      entries.push([prefix + name, value]);
    }
  }
}
