import { describe, expect, it } from '@jest/globals';
import { readClientReport } from './client-reports.js';

const read = (value: unknown) => readClientReport(Buffer.from(JSON.stringify(value)));

describe('a client report', () => {
  it('lists discarded events, with bounded names and quantities', () => {
    const discarded_events = [
      { reason: 'ratelimit_backoff', category: 'error', quantity: 3 },
      { reason: 'made_up', category: 'brand_new', quantity: 1e300 },
      { reason: 'send_error', category: 'log_item', quantity: 2.9 },
    ];
    expect(read({ timestamp: 1, discarded_events })).toEqual([
      { reason: 'ratelimit_backoff', category: 'error', quantity: 3 },
      { reason: 'other', category: 'default', quantity: 1_000_000_000 },
      { reason: 'send_error', category: 'log_item', quantity: 2 },
    ]);
  });

  it.each([
    [{}],
    [null],
    [[]],
    [{ discarded_events: 7 }],
    [{ discarded_events: [null, 'x', { reason: 'x', category: 'error' }] }],
    [{ discarded_events: [{ quantity: -1 }, { quantity: 0 }, { quantity: '3' }] }],
  ])('that is %j is ignored', (value) => {
    expect(read(value)).toEqual([]);
  });

  it('that is not JSON is ignored', () => {
    expect(readClientReport(Buffer.from('{x'))).toEqual([]);
  });
});
