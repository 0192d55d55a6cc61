import type { TagCount } from '../error-statistics.repository.js';

const MAX_KEYS = 100;
const MAX_VALUES = 100;

/** How much room errors have for further tags. */
export class TagRoom {
  private readonly errors = new Map<number, Map<string, number>>();

  constructor(counts: readonly TagCount[]) {
    for (const { errorId, key, values } of counts) this.keysOf(errorId).set(key, values);
  }

  /** Whether there is room for one more value of the key; it is taken then. */
  takes({ errorId, key }: Omit<TagCount, 'values'>): boolean {
    const keys = this.keysOf(errorId);
    const values = keys.get(key);
    if (values === undefined ? keys.size >= MAX_KEYS : values >= MAX_VALUES) return false;
    keys.set(key, (values ?? 0) + 1);
    return true;
  }

  private keysOf(errorId: number): Map<string, number> {
    const known = this.errors.get(errorId);
    if (known !== undefined) return known;
    const keys = new Map<string, number>();
    this.errors.set(errorId, keys);
    return keys;
  }
}
