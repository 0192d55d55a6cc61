import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Request } from 'express';
import { endAfter, endWhenSlow, openBody, readStart } from './request-body.js';

/** Returns a request whose body the test writes. */
function request(): PassThrough & Request {
  const socket = { bytesRead: 0 };
  return Object.assign(new PassThrough(), {
    complete: false,
    get: () => undefined,
    socket,
  }) as never;
}

describe('a request body', () => {
  it('fails when it does not arrive in time', async () => {
    const sent = request();
    const body = openBody(sent, 1_000);
    endAfter(body, sent, 10);
    sent.write('the beginning');
    await expect(readStart(body, () => false)).rejects.toMatchObject({ status: 408 });
  });
});

describe('a slow request body', () => {
  const pace = { milliseconds: 1_000, minBytes: 10 };

  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  /** Lets `bytes` arrive, and an interval pass. */
  async function send(sent: PassThrough & Request, bytes: number): Promise<void> {
    if (bytes > 0) sent.write(Buffer.alloc(bytes));
    Object.assign(sent.socket, { bytesRead: sent.socket.bytesRead + bytes });
    await new Promise(setImmediate);
    jest.advanceTimersByTime(1_000);
  }

  it('fails when an interval brings too few bytes', async () => {
    const sent = request();
    const body = openBody(sent, Infinity);
    endWhenSlow(body, sent, pace);
    const read = readStart(body, () => false);
    await send(sent, 10);
    expect(body.destroyed).toBe(false);
    await send(sent, 9);
    await expect(read).rejects.toMatchObject({ status: 408 });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is not at fault while its reader is what is slow', async () => {
    const sent = request();
    const body = openBody(sent, Infinity);
    endWhenSlow(body, sent, pace);
    for (const bytes of [20, 0, 0]) await send(sent, bytes);
    expect(body.destroyed).toBe(false);
  });

  it('is not watched any longer once it is complete', async () => {
    const sent = request();
    const body = openBody(sent, Infinity);
    endWhenSlow(body, sent, pace);
    sent.end('whole');
    expect(String(await readStart(body, () => false))).toBe('whole');
    await new Promise(setImmediate);
    expect(jest.getTimerCount()).toBe(0);
  });
});
