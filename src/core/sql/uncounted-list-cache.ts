/** Time for which a list counts as long without being counted again. */
const REMEMBERED_MS = 30_000;

/** The lists that were found first are forgotten first. */
const MAX_LISTS = 1_000;

/**
 * Caches which lists have more records than are counted, so that their pages are read without
 * counting again. Lists that shrink are counted half a minute later.
 */
export class UncountedListCache {
  /** When each was found to be long. */
  private readonly found = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  has(list: string): boolean {
    const since = this.found.get(list);
    if (since === undefined) return false;
    if (this.now() - since < REMEMBERED_MS) return true;
    this.found.delete(list);
    return false;
  }

  add(list: string): void {
    const [oldest] = this.found.keys();
    if (this.found.size >= MAX_LISTS && oldest !== undefined) this.found.delete(oldest);
    this.found.set(list, this.now());
  }
}
