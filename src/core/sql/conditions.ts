/**
 * Collects WHERE parts and their values for one hand-written statement.
 *
 * Parts are fixed texts of the code; values of a request enter through `value` only, which
 * returns their placeholder.
 */
export class Conditions {
  private readonly parts: string[] = [];

  /** `values` are those of another part of the same statement, which comes before. */
  constructor(readonly values: unknown[] = []) {}

  /** Registers a value and returns its placeholder, such as `$3`. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /**
   * Registers an id and returns SQL that hides it from the planner, which would otherwise plan each
   * request for an id with few rows. Only where an index serves every id, also to count its rows:
   * the planner expects as many as of an average id, and can prefer to read the whole table.
   */
  id(value: number): string {
    return `(SELECT ${this.value(value)}::bigint)`;
  }

  and(condition: string): this {
    this.parts.push(`(${condition})`);
    return this;
  }

  /** All parts joined by AND, or `true` when there is none. */
  toString(): string {
    return this.parts.length === 0 ? 'true' : this.parts.join(' AND ');
  }
}

/** Text for a LIKE pattern that finds `needle` anywhere, its wildcards taken literally. */
export function containsPattern(needle: string): string {
  return `%${needle.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * SQL to order search results by: 0 for a column equal to the search term, 1 for one that begins
 * with it, 2 for the rest. `pattern` is the placeholder of a `containsPattern`, so that ordering
 * needs no value of its own, which the count of a list would not mention.
 */
export function similaritySql(pattern: string, columns: readonly string[]): string {
  const text = `${pattern}::text`;
  const equal = `substr(${text}, 2, length(${text}) - 2)`;
  const prefix = `substr(${text}, 2)`;
  const any = (form: string): string => columns.map((name) => `${name} ILIKE ${form}`).join(' OR ');
  return `CASE WHEN ${any(equal)} THEN 0 WHEN ${any(prefix)} THEN 1 ELSE 2 END`;
}

/** SQL for AND, with what is known beforehand worked in; parts can be `true` and `false`. */
export function allOf(...parts: readonly string[]): string {
  return joined(parts, { sign: ' AND ', neutral: 'true', decisive: 'false' });
}

/** SQL for OR, with what is known beforehand worked in; parts can be `true` and `false`. */
export function anyOf(...parts: readonly string[]): string {
  return joined(parts, { sign: ' OR ', neutral: 'false', decisive: 'true' });
}

function joined(
  parts: readonly string[],
  { sign, neutral, decisive }: { sign: string; neutral: string; decisive: string },
): string {
  if (parts.includes(decisive)) return decisive;
  const open = parts.filter((part) => part !== neutral);
  if (open.length <= 1) return open[0] ?? neutral;
  return `(${open.map((part) => `(${part})`).join(sign)})`;
}
