/** A value before and after a change. */
export interface AuditedChange {
  from: unknown;
  to: unknown;
}

/** Values by name; null stands for none. */
type Values<T> = { readonly [Name in keyof T]?: T[Name] | null };

/** Longer texts are truncated: the audit log records that a description changed, without a copy. */
const MAX_TEXT = 255;

/**
 * Returns the differences by wire name (snake case), for the properties of `after` that are set.
 * The audit log stores values as they are, long texts truncated: leave secrets out.
 */
export function changesBetween<T extends object>(
  before: Values<T>,
  after: Values<T>,
): Record<string, AuditedChange> {
  const changes: Record<string, AuditedChange> = {};
  for (const name of Object.keys(after) as (keyof T & string)[]) {
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    if (after[name] === undefined || JSON.stringify(from) === JSON.stringify(to)) continue;
    changes[wireName(name)] = { from: shortened(from), to: shortened(to) };
  }
  return changes;
}

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT)}…`;
}
