import { type ApiError, InvalidParamsError, MethodNotAllowedError } from '../errors.js';

type Sort = 'asc' | 'desc';

/** Request parameters of keyset pagination. */
export interface KeysetParams {
  pagination?: string | null;
  order_by?: string | null;
  sort?: Sort | null;
}

/** The one order in which a list has keyset pagination (API doc, Limits). */
export interface KeysetSupport {
  orderBy: string;
  /** Directions, the list's own first: it holds when a client leaves `sort` out. */
  sorts: readonly [Sort, ...Sort[]];
  /**
   * True if the list offers keyset pagination to this viewer; the table knows lists for one
   * audience only.
   */
  isOffered: boolean;
}

/**
 * Returns true if the request asks for keyset pagination. It then requires an order: throws 400
 * without `order_by`, 405 for an order or a viewer that the list does not support.
 */
export function wantsKeyset(params: KeysetParams, support: KeysetSupport): boolean {
  if (params.pagination !== 'keyset') return false;
  const { order_by: orderBy, sort } = params;
  if (!orderBy) throw new InvalidParamsError(['order_by is missing']);
  const isSorted = support.sorts.includes(sort ?? support.sorts[0]);
  if (orderBy !== support.orderBy || !isSorted || !support.isOffered) throw keysetUnsupported();
  return true;
}

function keysetUnsupported(): ApiError {
  const error = 'Keyset pagination is not yet available for this type of request';
  return new MethodNotAllowedError({ error });
}
