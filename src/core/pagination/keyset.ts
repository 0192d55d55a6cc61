import { ApiError } from '../errors.js';

/** 405 for an order that a list has no keyset pagination for (API doc, Limits). */
export function keysetUnsupported(): ApiError {
  const error = 'Keyset pagination is not yet available for this type of request';
  return new ApiError(405, { error });
}
