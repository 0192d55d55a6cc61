import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../../test/support/effort.js';
import fc from 'fast-check';
import { SCRUBBING_SOURCE } from '../../../../test/support/sent-events.js';
import { scrubRulesOf } from './scrub-rules.js';
import { scrubText } from './scrub-text.js';

function scrubbed(text: string, rules: Partial<typeof SCRUBBING_SOURCE> = {}): string {
  const compiled = scrubRulesOf({ ...SCRUBBING_SOURCE, ...rules });
  return compiled === null ? text : scrubText(text, compiled);
}

const JWT =
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVm' +
  'NHl0w5N_XgL0n3I9PlFUP0THsR8U';
const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----';

describe('a text for people', () => {
  it.each([
    ['login with password=hunter2 failed', 'login with password=[Filtered] failed'],
    ['token: abc, user: 7', 'token: [Filtered], user: 7'],
    ['api_key = "a b \\" c" is wrong', 'api_key = "[Filtered]" is wrong'],
    ["const secret = 'x y';", "const secret = '[Filtered]';"],
    ['{"password":"hunter2","id":7}', '{"password":"[Filtered]","id":7}'],
    ['"{\\"passwd\\":\\"hunter2\\",\\"id\\":7}"', '"{\\"passwd\\":\\"[Filtered]\\",\\"id\\":7}"'],
    ["{'auth_token' => 'hunter2'}", "{'auth_token' => '[Filtered]'}"],
    ['Authorization: Basic dXNlcjpwYXNz== x', 'Authorization: Basic [Filtered]'],
    ['got 401 for Bearer eyJh.b.c.', 'got 401 for Bearer [Filtered]'],
    ['GET /?access_token=abc&page=2', 'GET /?access_token=[Filtered]&page=2'],
    ['MY_PASSWORD:=hunter2 next', 'MY_PASSWORD:=[Filtered] next'],
    ['connect postgres://app:hunter2@db/shop', 'connect postgres://[Filtered]@db/shop'],
    ['paid with 4111 1111 1111 1111.', 'paid with [Filtered].'],
    ['paid with 378282246310005', 'paid with [Filtered]'],
    ['3 4111-1111-1111-1111 123', '3 [Filtered] 123'],
  ])('%s becomes %s', (text, expected) => {
    expect(scrubbed(text)).toBe(expected);
  });

  it.each([
    'password authentication failed for user "app"',
    'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
    'AuthenticationError: no such user',
    'OAuth2 login is off',
    'Token::new was called twice',
    'see https://example.com/users/@ann and https://example.com/oauth/token',
    'order 4111111111111112 is no card, nor is 1700000000000 or 0.4111111111111111',
    '12345678901234567890123456789012345678901234567890',
  ])('%s stays as it is', (text) => {
    expect(scrubbed(text)).toBe(text);
  });

  it.each([
    ['token: hunter2 is invalid', 'token: [Filtered] is invalid'],
    ['password: letmein', 'password: [Filtered]'],
    ['password: correct horse battery staple', 'password: [Filtered] horse battery staple'],
    ['password:"expired"', 'password:"[Filtered]"'],
    ['invalid token: abcdef', 'invalid token: [Filtered]'],
    ['token=expired', 'token=[Filtered]'],
    ['author_token: abc', 'author_token: [Filtered]'],
    [
      'Authorization: Digest username="a", response="b"',
      'Authorization: Digest [Filtered]"a", response="b"',
    ],
    ['order-4111111111111111 was paid', 'order-[Filtered] was paid'],
  ])('%s becomes %s although it resembles prose or an ID', (text, expected) => {
    expect(scrubbed(text)).toBe(expected);
  });

  it.each([
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [Filtered]'],
    ['no such user: svcpat-abcdefghijklmnopqrstuvwxyz', 'no such user: [Filtered]'],
    ['git clone glpat-abcdefghijklmnopqrst failed', 'git clone [Filtered] failed'],
    [`from ghp_${'aB3'.repeat(12)}.`, 'from [Filtered].'],
    ['key AKIAIOSFODNN7EXAMPLE is off', 'key [Filtered] is off'],
    ['slack: xoxb-123456789012-abcdefghijkl', 'slack: [Filtered]'],
    [`stripe sk_live_${'x1'.repeat(12)}`, 'stripe [Filtered]'],
    [`bad claims in ${JWT}!`, 'bad claims in [Filtered]!'],
    [`read\n${PEM}\nfrom disk`, 'read\n[Filtered]\nfrom disk'],
    [PEM.slice(0, 60), '[Filtered]'],
    ['sent Cookie: sid=abc; theme=dark\nand more', 'sent Cookie: [Filtered]\nand more'],
    ['Set-Cookie: sid=abc', 'Set-Cookie: [Filtered]'],
  ])('%s becomes %s by the form of the secret', (text, expected) => {
    expect(scrubbed(text)).toBe(expected);
  });

  it.each([
    'Cookie: not found',
    'AKIA is no key, nor is eyJhbGciOiJIUzI1NiJ9 alone',
    'Authorization: Basic',
    'glpat-short and xoxb-',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  ])('%s is no secret by its form', (text) => {
    expect(scrubbed(text)).toBe(text);
  });

  it.each(['eyJ-', 'eyJaaaaaaaa.', '-----BEGIN PRIVATE KEY-----', 'cookie: ', 'xoxb-', 'svcpat-'])(
    'takes time in proportion to the length of %s again and again',
    (part) => {
      const text = part.repeat(200_000 / part.length);
      expect(effortOf(() => scrubbed(text))).toBeLessThan(5);
    },
  );

  it('leaves 500 messages of programs and libraries unchanged', () => {
    const messages = readFileSync('test/error-tracking/messages.txt', 'utf8').trim().split('\n');
    expect(messages).toHaveLength(500);
    expect(messages.filter((message) => scrubbed(message) !== message)).toEqual([]);
  });

  it('keeps IDs of any digits', () => {
    const digits = (length: number) =>
      fc.string({
        unit: fc.constantFrom(...'0123456789abcdef'),
        minLength: length,
        maxLength: length,
      });
    const [whole, half] = [digits(32), digits(16)];
    const id = fc.oneof(
      fc.uuid(),
      fc.tuple(whole, half).map((ids) => `00-${ids.join('-')}-01`),
    );
    fc.assert(
      fc.property(id, (one) => expect(scrubbed(`in ${one}.`)).toBe(`in ${one}.`)),
      { numRuns: 2_000 },
    );
  });

  it('obeys the words of the project', () => {
    expect(scrubbed('IBAN: DE12', { sensitiveFields: ['iban'] })).toBe('IBAN: [Filtered]');
    expect(scrubbed('page_token=7', { safeFields: ['Page_Token'] })).toBe('page_token=7');
    expect(scrubbed('a.b=1 axb=2', { sensitiveFields: ['a.b'] })).toBe('a.b=[Filtered] axb=2');
  });
});
