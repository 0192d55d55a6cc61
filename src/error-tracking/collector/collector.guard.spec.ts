import { describe, expect, it } from '@jest/globals';
import { givenKey } from './collector.guard.js';

const AUTH = 'Sentry sentry_version=7,sentry_key=K, sentry_client=x/1';

const own = (auth: string) => ({ headers: { 'x-sentry-auth': auth } });

describe('the key of a request', () => {
  it.each<[string, Partial<Parameters<typeof givenKey>[0]>]>([
    ['in the query', { query: { sentry_key: 'K' } }],
    ['in its own header', own(AUTH)],
    ['in Authorization', { headers: { authorization: AUTH } }],
    ['with other parts and blanks', own('SENTRY  sentry_secret=s ,  sentry_key = K ')],
    ['without the word in its own header', own('sentry_key=K')],
    ['in several places that agree', { query: { sentry_key: 'K' }, ...own(AUTH) }],
    ['in the header when the query has an empty one', { query: { sentry_key: '' }, ...own(AUTH) }],
  ])('is found %s', (_, given) => {
    expect(givenKey({ query: {}, headers: {}, ...given })).toBe('K');
  });

  it.each<[string, Partial<Parameters<typeof givenKey>[0]>]>([
    ['nowhere', {}],
    ['in credentials of another kind', { headers: { authorization: 'Bearer sentry_key=K' } }],
    ['where the query is a list', { query: { sentry_key: ['K'] } }],
  ])('is not found %s', (_, given) => {
    expect(givenKey({ query: {}, headers: {}, ...given })).toBe('');
  });

  it('is refused when two of them disagree', () => {
    const given = { query: { sentry_key: 'K2' }, headers: { 'x-sentry-auth': AUTH } };
    expect(() => givenKey(given)).toThrow('conflicting credentials');
  });
});
