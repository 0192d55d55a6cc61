import type { Page } from '../../core/pagination/page.js';

/** Lists that go further are not counted for the client (API doc, Limits). */
export const COUNTED = 10_000;

/** A page of a list of which the whole length is known. */
export function pageOf<T>(items: T[], offset: number, total: number): Page<T> {
  const hasNext = offset + items.length < total && items.length > 0;
  return { items, hasNext, total: total > COUNTED ? null : total };
}
