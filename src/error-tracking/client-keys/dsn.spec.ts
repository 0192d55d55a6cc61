import { describe, expect, it } from '@jest/globals';
import { dsnOf, parseDsn } from './dsn.js';

const KEY = { publicKey: 'glet_0123456789abcdef0123456789abcdef', projectId: 42 };
const REST = '/api/v4/error_tracking/collector/42';

describe('what an SDK is given to report to', () => {
  it.each([
    ['http://guildhall.example', `http://${KEY.publicKey}@guildhall.example${REST}`],
    ['http://guildhall.example:80', `http://${KEY.publicKey}@guildhall.example${REST}`],
    ['https://guildhall.example:8443', `https://${KEY.publicKey}@guildhall.example:8443${REST}`],
    ['https://example.com/hall', `https://${KEY.publicKey}@example.com/hall${REST}`],
    ['http://[::1]:3000', `http://${KEY.publicKey}@[::1]:3000${REST}`],
  ])('below %s is %s', (baseUrl, dsn) => {
    expect(dsnOf(KEY, baseUrl)).toBe(dsn);
  });
});

describe('a DSN', () => {
  it.each([
    ['https://K@host/42', { publicKey: 'K', project: '42' }],
    ['http://K:@[::1]:3000/42/', { publicKey: 'K', project: '42' }],
    ['http://K:S@h/api/v4/error_tracking/collector/42', { publicKey: 'K', project: '42' }],
    ['https://host/42', null],
    ['https://K@host', null],
    ['ftp://K@host/42', null],
    [42, null],
    [undefined, null],
  ])('%p is read as %p', (text, parts) => {
    expect(parseDsn(text)).toEqual(parts);
  });
});
