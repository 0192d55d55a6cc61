import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { endAfter, openBody, readStart } from './request-body.js';

/** Returns a request whose body the test writes. */
function request(): PassThrough & Request {
  return Object.assign(new PassThrough(), { complete: false, get: () => undefined }) as never;
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
