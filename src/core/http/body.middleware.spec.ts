import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Request } from 'express';
import { readBodyBytes } from './body.middleware.js';

function incoming(headers: Record<string, string> = {}): PassThrough & Request {
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & Request;
}

describe('readBodyBytes', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('gives up on a client that does not finish within 30 seconds', async () => {
    const request = incoming();
    const body = readBodyBytes(request, 100);
    request.write('{');
    jest.advanceTimersByTime(30_000);
    await expect(body).rejects.toMatchObject({
      status: 408,
      body: { message: '408 Request Timeout' },
      headers: { Connection: 'close' },
    });
  });

  it('refuses a body that ends in the middle of its compression', async () => {
    const request = incoming({ 'content-encoding': 'gzip' });
    const body = readBodyBytes(request, 100);
    request.end(Buffer.from([0x1f, 0x8b, 8]));
    await expect(body).rejects.toMatchObject({ status: 400 });
  });

  it('leaves no timer behind', async () => {
    const request = incoming();
    const body = readBodyBytes(request, 100);
    request.end('whole');
    expect((await body).toString()).toBe('whole');
    expect(jest.getTimerCount()).toBe(0);
  });
});
