import { describe, expect, it } from '@jest/globals';
import { requestAddress, clientAddress } from './request-address.js';

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

describe('the address that requests are counted under', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:0DB8:0000:0007:aaaa:bbbb:cccc:dddd', '2001:db8:0:7::/64'],
    ['[2001:db8:0:7::1]:4711', '2001:db8:0:7::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ])('of %s is %s', (ip, address) => {
    expect(clientAddress(ip)).toBe(address);
  });

  it.each([undefined, null, '', 'localhost', 'a'.repeat(1000), '203.0.113.7, 198.51.100.1'])(
    'is one for everything that is no address, such as %p',
    (ip) => {
      expect(clientAddress(ip)).toBe('unknown');
    },
  );
});
