const BYTEA_OID = 17;
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;

/**
 * A `bytea[]` in PostgreSQL's binary form (`array_recv`): an array that is sent as text costs two
 * characters for each byte, and reading them again.
 */
export function byteArrays(items: readonly Buffer[]): Buffer {
  const size = items.reduce((sum, { length }) => sum + LENGTH_BYTES + length, HEAD_BYTES);
  const array = Buffer.allocUnsafe(size);
  const isFilled = items.length > 0;
  // Dimensions, flag of nulls, type, then length and first number of the only dimension.
  const head = isFilled ? [1, 0, BYTEA_OID, items.length, 1] : [0, 0, BYTEA_OID];
  let at = 0;
  for (const number of head) at = array.writeInt32BE(number, at);
  for (const item of items) {
    at = array.writeInt32BE(item.length, at);
    at += item.copy(array, at);
  }
  return array.subarray(0, at);
}
