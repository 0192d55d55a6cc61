import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

const MEBIBYTE = 1024 * 1024;
/** Longer responses are not held in memory for slow clients. */
const IN_MEMORY = MEBIBYTE;
const SLICE = 256 * 1024;
/** A client that reads nothing for this long is slow. */
const PATIENCE_MS = 1_000;
/** A client that reads nothing for this long is disconnected. */
const IDLE_MS = 60_000;
const MAX_BYTES_ON_DISK = 1024 * MEBIBYTE;

let bytesOnDisk = 0;

/**
 * Sends the body of a response whose headers are set, and ends it. A slow client holds at most a
 * megabyte of memory: the rest of a long response is read from a temporary file.
 */
export function sendPayload(response: Response, payload: string | Buffer): void {
  const isLong = payload.length > IN_MEMORY && response.req.method !== 'HEAD';
  if (isLong) {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    sendLong(response, bytes).catch(() => response.destroy());
  } else {
    response.end(payload);
  }
  const isWaiting = (response.socket?.writableLength ?? 0) > 0;
  if (isLong || isWaiting) response.setTimeout(IDLE_MS, () => response.destroy());
}

async function sendLong(response: Response, payload: Buffer): Promise<void> {
  for (let at = 0; at < payload.length; at += SLICE) {
    // A copy, since a view would keep the whole payload in memory.
    const slice = Buffer.from(payload.subarray(at, at + SLICE));
    if (response.write(slice) || (await isDrained(response))) continue;
    return sendFromDisk(response, payload.subarray(at + SLICE));
  }
  response.end();
}

async function isDrained(response: Response): Promise<boolean> {
  try {
    await once(response, 'drain', { signal: AbortSignal.timeout(PATIENCE_MS) });
    return true;
  } catch {
    return false;
  }
}

async function sendFromDisk(response: Response, rest: Buffer): Promise<void> {
  const { length } = rest;
  if (response.destroyed) return;
  if (bytesOnDisk + length > MAX_BYTES_ON_DISK) throw new Error('Too many slow clients');
  bytesOnDisk += length;
  try {
    const path = join(tmpdir(), `guildhall-answer-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
      await file.writeFile(rest);
      rest = Buffer.alloc(0);
      await pipeline(file.createReadStream({ start: 0, autoClose: false }), response);
    } finally {
      await file.close();
    }
  } finally {
    bytesOnDisk -= length;
  }
}
