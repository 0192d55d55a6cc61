/** One page of a listing. `total` is null when it is over the bound that is still counted. */
export interface Page<T> {
  items: T[];
  hasNext: boolean;
  total: number | null;
}

/** The same page with every item presented. */
export function mapPage<T, U>(page: Page<T>, present: (item: T) => U): Page<U> {
  return { ...page, items: page.items.map(present) };
}

/** Some items of a list in its order, and whether more follow: a page that is not counted. */
export interface Slice<T> {
  items: T[];
  hasNext: boolean;
}

/** Splits off the row that was read beyond `limit` to detect further ones. */
export function sliceOf<T>(rows: readonly T[], limit: number): Slice<T> {
  return { items: rows.slice(0, limit), hasNext: rows.length > limit };
}
