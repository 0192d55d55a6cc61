import { describe, expect, it } from '@jest/globals';
import { givenKey, parseDsn } from './sentry-auth.js';

const AUTH = 'Sentry sentry_version=7,sentry_key=K, sentry_client=x/1';

describe('the key of a request', () => {
  it.each([
    ['in the query', { sentry_key: 'K' }, {}, 'K'],
    ['in its own header', {}, { 'x-sentry-auth': AUTH }, 'K'],
    ['in Authorization', {}, { authorization: AUTH }, 'K'],
    [
      'with a word in capitals, blanks and a secret',
      {},
      { 'x-sentry-auth': 'SENTRY  sentry_secret=s ,  sentry_key = K ' },
      'K',
    ],
    ['without the word in its own header', {}, { 'x-sentry-auth': 'sentry_key=K' }, 'K'],
    [
      'in several places that agree',
      { sentry_key: 'K' },
      { 'x-sentry-auth': AUTH, authorization: AUTH },
      'K',
    ],
    [
      'in the header when the query has an empty one',
      { sentry_key: '' },
      { 'x-sentry-auth': AUTH },
      'K',
    ],
    ['nowhere', {}, {}, ''],
    ['not in credentials of another kind', {}, { authorization: 'Bearer sentry_key=K' }, ''],
    ['not where the query is a list', { sentry_key: ['K'] }, {}, ''],
  ])('is found %s', (_, query, headers, key) => {
    expect(givenKey({ query, headers })).toBe(key);
  });

  it('is refused when two of them disagree', () => {
    const given = { query: { sentry_key: 'K2' }, headers: { 'x-sentry-auth': AUTH } };
    expect(() => givenKey(given)).toThrow('conflicting credentials');
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
