import type {
  FieldMapping,
  JsonObject,
  MappableField,
  PayloadPath,
  ResolvedWhen,
} from './incoming-alert.js';

/** Value one step further; undefined also where a scalar is in the way. */
export function valueAfter(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    return typeof step === 'number' ? (value as unknown[])[step] : undefined;
  }
  // `constructor` and its like are inherited, not sent.
  const isMember = typeof step === 'string' && Object.hasOwn(value, step);
  return isMember ? (value as JsonObject)[step] : undefined;
}

/** Value at a path; undefined when any step of it is missing. The empty path leads nowhere. */
export function valueAt(payload: JsonObject, path: PayloadPath): unknown {
  if (path.length === 0) return undefined;
  let value: unknown = payload;
  for (const step of path) {
    value = valueAfter(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

/**
 * Value of a field: at the path that a mapping names, else (missing, null or false there) under
 * the key of the plain format, so that a mapping hides no plain key. Undefined when neither has.
 */
export function readField(
  payload: JsonObject,
  mappings: readonly FieldMapping[],
  field: MappableField,
): unknown {
  if (mappings.length > 0) {
    const mapping = mappings.find((candidate) => candidate.field === field);
    const value = mapping === undefined ? undefined : valueAt(payload, mapping.path);
    if (isGiven(value)) return value;
  }
  const value = payload[field];
  if (isGiven(value)) return value;
  return field === 'svc_environment_name' ? payload.gitlab_environment_name : undefined;
}

/** Returns true if the payload fulfills the recovery condition. */
export function saysResolved(payload: JsonObject, rule: ResolvedWhen | null): boolean {
  if (rule === null) return false;
  const value = valueAt(payload, rule.path);
  if (value === undefined || value === null || typeof value === 'object') return false;
  const word = String(value).toLowerCase();
  return rule.values.some((candidate) => candidate.toLowerCase() === word);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
