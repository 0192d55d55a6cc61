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
