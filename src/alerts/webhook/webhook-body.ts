import type { Request } from 'express';
import { ApiError } from '../../core/errors.js';
import { bodyTooLarge, readBodyBytes } from '../../core/http/body-bytes.js';
import { MAX_ALERT_BYTES } from '../parsing/alert-json.js';

/** Nothing that a monitoring tool sends: refused for its size, whatever it is. */
const MAX_ANNOUNCED_BYTES = 16 * 1024 * 1024;

/**
 * Returns the memory to reserve for the body: the announced length, or the maximum when there is
 * none. Throws 400 above 1 MiB, 413 above 16 MiB, before anything is read.
 */
export function announcedBytes({ headers }: Pick<Request, 'headers'>): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (length > MAX_ANNOUNCED_BYTES) throw bodyTooLarge();
  if (length > MAX_ALERT_BYTES) throw tooLarge();
  const isPlain = headers['content-encoding'] === undefined;
  return isPlain && length >= 0 ? length : MAX_ALERT_BYTES;
}

/** The whole body, decompressed; 400 above 1 MiB and whatever else `readBodyBytes` refuses. */
export async function readAlertBody(request: Request): Promise<Buffer> {
  try {
    return await readBodyBytes(request, MAX_ALERT_BYTES);
  } catch (error) {
    throw error instanceof ApiError && error.status === 413 ? tooLarge() : error;
  }
}

function tooLarge(): ApiError {
  return new ApiError(400, { message: '400 Bad request' });
}
