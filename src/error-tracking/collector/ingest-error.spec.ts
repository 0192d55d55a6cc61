import { describe, expect, it } from '@jest/globals';
import { BadRequestError, NotFoundError, UnavailableError } from '../../core/errors.js';
import { UnreadableEvent } from '../parsing/read-event.js';
import { IngestError, refusalOf, tooLarge } from './ingest-error.js';

const BACK_OFF = {
  'Retry-After': '30',
  'X-Sentry-Rate-Limits': '30:error;default;transaction:project:backpressure',
};

describe('a refusal of the collector', () => {
  it.each([
    ['too much waits', new UnavailableError(2)],
    ['the database is away', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    ['the database starts', Object.assign(new Error('starting'), { code: '57P03' })],
    ['a statement took too long', Object.assign(new Error('cancelled'), { code: '57014' })],
    ['the connection broke', new Error('Connection terminated unexpectedly')],
  ])('slows SDKs down while %s', (_, error) => {
    const refusal = refusalOf(error);
    expect(refusal?.status).toBe(429);
    expect(refusal?.headers).toMatchObject(BACK_OFF);
  });

  it('has the same text in its message, its detail and its header', () => {
    const refusal = refusalOf(new BadRequestError('path is “odd”\n'));
    expect(refusal?.body).toEqual({
      message: '400 Bad request - path is “odd”\n',
      detail: '400 Bad request - path is “odd”\n',
      causes: [],
    });
    expect(refusal?.headers).toEqual({ 'X-Sentry-Error': '400 Bad request - path is ?odd??' });
  });

  it('keeps the status of other refusals', () => {
    expect(refusalOf(new NotFoundError('Project'))).toMatchObject({ status: 404 });
    expect(refusalOf(new UnreadableEvent('no object'))).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - no object' },
    });
    const refusal = tooLarge('x');
    expect(refusalOf(refusal)).toBe(refusal);
  });

  it('is not made of internal errors', () => {
    expect(refusalOf(new TypeError('x is undefined'))).toBeNull();
    expect(refusalOf('text')).toBeNull();
    expect(new IngestError(404, '404 Not Found').body).toHaveProperty('causes', []);
  });
});
