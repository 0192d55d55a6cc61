import { describe, expect, it } from '@jest/globals';
import { requestAddress } from './request-address.js';

describe('the address of a request', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['unknown', null],
    ['', null],
    [undefined, null],
  ])('of %j is %j', (ip, expected) => {
    expect(requestAddress({ ip })).toBe(expected);
  });
});
