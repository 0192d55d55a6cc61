import { describe, expect, it } from '@jest/globals';
import { testPayload } from './test-alerts.service.js';

describe('the payload of a test alert', () => {
  it.each<[unknown, string]>([
    [undefined, ''],
    [{}, '{}'],
    [{ title: 'T' }, '{"title":"T"}'],
    [{ payload: { title: 'T' } }, '{"title":"T"}'],
    [{ payload: '{"title":"T"}' }, '{"title":"T"}'],
    [{ payload: { a: 1 }, title: 'T' }, '{"payload":{"a":1},"title":"T"}'],
    [{ payload: null }, '{"payload":null}'],
    [{ payload: 5 }, '{"payload":5}'],
    [{ title: 'T', private_token: 'x', access_token: 'x', job_token: 'x' }, '{"title":"T"}'],
    [{ payload: { title: 'T' }, private_token: 'x' }, '{"title":"T"}'],
    [{ payload: [1] }, '{"payload":[1]}'],
    [{ payload: ' [1] ' }, '{"payload":[1]}'],
    [{ payload: '"x"' }, '{"payload":"x"}'],
    [{ payload: 'null' }, '{"payload":null}'],
    [{ payload: 'x' }, 'x'],
    [{ payload: '1,"a":2' }, '1,"a":2'],
    [[1], '{"payload":[1]}'],
    ['text', '{"payload":"text"}'],
    [null, '{"payload":null}'],
  ])('of %j is %j', (body, payload) => {
    expect(testPayload(body).toString()).toBe(payload);
  });
});
