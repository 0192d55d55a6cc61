/**
 * Collects WHERE parts and their values for one hand-written statement.
 *
 * Parts are fixed texts of the code; values of a request only ever enter through `value`, which
 * answers their placeholder.
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
