import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SCRUBBING_SOURCE } from '../../../../test/support/sent-events.js';
import type { JsonObject } from '../json-values.js';
import { scrubAddresses } from './scrub-data.js';
import { scrubEvent } from './scrub-event.js';
import { scrubRulesOf, type ScrubRules } from './scrub-rules.js';

const F = '[Filtered]';
const SECRET = 'hunter2';

function rulesOf(more: Partial<typeof SCRUBBING_SOURCE> = {}): ScrubRules {
  const rules = scrubRulesOf({ ...SCRUBBING_SOURCE, ...more });
  if (rules === null) throw new Error('nothing is scrubbed');
  return rules;
}

function scrubbed(event: JsonObject, more: Partial<typeof SCRUBBING_SOURCE> = {}): unknown {
  return scrubEvent(event, rulesOf(more));
}

describe('data of a program', () => {
  it.each<[string, unknown, unknown]>([
    ['a named value', { password: SECRET }, { password: F }],
    ['a name in any case', { 'X-Api-Key': SECRET, DB_PASSWD: 7 }, { 'X-Api-Key': F, DB_PASSWD: F }],
    ['all below a name', { credentials: { user: 'a', list: [1] } }, { credentials: F }],
    ['a value that holds a word', { note: `my password ${SECRET}` }, { note: F }],
    ['that nothing was given', { token: '', secret: null, auth: false }, undefined],
    ['a pair', { list: ['token', SECRET] }, { list: ['token', F] }],
    ['arguments', { argv: ['run', '--password', SECRET] }, { argv: ['run', F, F] }],
    ['a named pair', { a: { name: 'token', value: SECRET } }, { a: { name: F, value: F } }],
    ['a name with a secret', { [`token=${SECRET}`]: 1 }, { [`token=${F}`]: F }],
    ['card numbers', { a: 4111111111111111, b: '4111 1111 1111 1111' }, { a: F, b: F }],
    ['URLs', { db: `redis://x:${SECRET}@h:1/` }, { db: `redis://${F}@h:1/` }],
    ['what is deep inside', { a: [{ b: { c: [{ pwd: { secret: 1 } }] } }] }, undefined],
  ])('%s', (_, extra, expected) => {
    const event = { extra, contexts: { a: extra } };
    if (expected !== undefined) {
      expect(scrubbed({ extra, contexts: { a: extra } })).toEqual({
        extra: expected,
        contexts: { a: expected },
      });
    }
    expect(JSON.stringify(scrubbed(event))).not.toContain(SECRET);
  });

  it('is kept in ID fields that resemble card numbers', () => {
    const event = {
      contexts: { trace: { trace_id: '4111111111111111', span_id: 4111111111111111 } },
      extra: { orderId: '4111111111111111', sha256: '4111111111111111', paid: F },
    };
    expect(scrubbed({ ...event, extra: { ...event.extra, paid: '4111111111111111' } })).toEqual(
      event,
    );
  });

  it('may be safe or secret by the words of the project', () => {
    const event = { extra: { author: 'Ann', pin: 1234, straße: SECRET } };
    const words = { sensitiveFields: ['pin', 'Straße'], safeFields: ['AUTHOR'] };
    expect(scrubbed(event, words)).toEqual({ extra: { author: 'Ann', pin: F, straße: F } });
  });

  it('is the same object when nothing is secret', () => {
    const event = { message: 'm', extra: { a: [1, { b: 'c' }] }, tags: [['a', 'b']] };
    expect(scrubbed(event)).toBe(event);
  });

  it.each([
    ['a word', '{"extra":{"password":1}}'],
    ['a word with letters that JSON escapes', '{"extra":{"p\\u0061ssword":1}}'],
    ['cookies', '{"request":{"headers":{"Cookie":"sid=1"}}}'],
    ['a card number', '{"message":"4111 1111 1111 1111"}'],
    ['a URL with a password', '{"message":"redis:\\/\\/x:y@h"}'],
  ])('may be secret when its text holds %s', (_, json) => {
    expect(rulesOf().mayChange(Buffer.from(json))).toBe(true);
    expect(scrubbed(JSON.parse(json) as JsonObject)).not.toEqual(JSON.parse(json));
  });

  it('may have names that objects have by themselves', () => {
    const event = JSON.parse('{"__proto__":{"token":"hunter2"},"constructor":{"token":"hunter2"}}');
    const text = JSON.stringify(scrubbed(event as JsonObject));
    expect(text).toBe('{"__proto__":{"token":"[Filtered]"},"constructor":{"token":"[Filtered]"}}');
    expect(({} as JsonObject).token).toBeUndefined();
  });
});

describe('parts of an event', () => {
  it('keep names of code, and what can be read in texts and source', () => {
    const frame = {
      function: 'checkToken',
      filename: 'auth/token.js',
      abs_path: '/srv/auth/token.js',
      module: 'auth.token',
      pre_context: ['// The password of the user', `const password = '${SECRET}';`],
      context_line: `login({ password: "${SECRET}" });`,
      vars: { user: 'ann', password: SECRET },
    };
    const event = {
      logger: 'auth',
      release: 'auth-service@1.0',
      transaction: 'POST /oauth/token',
      sdk: { name: 'auth' },
      modules: { 'js-tokens': '4.0.0', 'token-value': SECRET },
      exception: { values: [{ type: 'AuthError', stacktrace: { frames: [frame] } }] },
      breadcrumbs: [{ category: 'auth', message: `token=${SECRET}`, data: { url: 'a?token=b' } }],
    };
    const clean = {
      ...frame,
      pre_context: ['// The password of the user', `const password = '${F}';`],
      context_line: `login({ password: "${F}" });`,
      vars: { user: 'ann', password: F },
    };
    expect(scrubbed(event)).toEqual({
      ...event,
      modules: { 'js-tokens': '4.0.0', 'token-value': F },
      exception: { values: [{ type: 'AuthError', stacktrace: { frames: [clean] } }] },
      breadcrumbs: [{ category: 'auth', message: `token=${F}`, data: { url: F } }],
    });
  });

  it('of a formatted message are removed from its parameters', () => {
    const logentry = { message: 'login with token=%s', params: [SECRET] };
    expect(scrubbed({ logentry })).toEqual({
      logentry: { message: 'login with token=%s', formatted: `login with token=${F}`, params: F },
    });
    const harmless = { logentry: { message: 'token: %s of %d', params: ['expired', 1] } };
    expect(scrubbed(harmless)).toBe(harmless);
  });

  it('of an address in a breadcrumb are its parameters', () => {
    const data = {
      url: `https://shop.example/oauth/orders?page=2&token=${SECRET}`,
      from: `/password/${SECRET}1`,
      to: `the token ${SECRET}`,
      method: 'GET',
    };
    expect(scrubbed({ breadcrumbs: { values: [{ category: 'fetch', data }] } })).toEqual({
      breadcrumbs: {
        values: [
          {
            category: 'fetch',
            data: {
              url: `https://shop.example/oauth/orders?page=2&token=${F}`,
              from: `/password/${F}`,
              to: F,
              method: 'GET',
            },
          },
        ],
      },
    });
  });

  it('of a request are parameters, cookies and headers', () => {
    const request = {
      method: 'POST',
      url: `https://shop.example/oauth/token/reset-password/x7fa?token=${SECRET}&page=2`,
      query_string: `page=2&access_token=${SECRET}`,
      cookies: `theme=dark; sessionid=${SECRET}; auth=${SECRET}`,
      data: `user=ann&password=${SECRET}`,
      headers: [
        ['Accept', '*/*'],
        ['Cookie', `theme=dark; connect.sid=${SECRET}`],
        ['Authorization', `Bearer ${SECRET}`],
      ],
      env: { REMOTE_ADDR: '192.0.2.1', HTTP_X_AUTH: SECRET },
    };
    expect(scrubbed({ request })).toEqual({
      request: {
        method: 'POST',
        url: `https://shop.example/oauth/token/reset-password/${F}?token=${F}&page=2`,
        query_string: `page=2&access_token=${F}`,
        cookies: `theme=dark; sessionid=${F}; auth=${F}`,
        data: `user=ann&password=${F}`,
        headers: [
          ['Accept', '*/*'],
          ['Cookie', `theme=dark; connect.sid=${F}`],
          ['Authorization', F],
        ],
        env: { REMOTE_ADDR: '192.0.2.1', HTTP_X_AUTH: F },
      },
    });
  });

  it('of any shape hold no planted secret, and tell by their text that they did', () => {
    const secret = fc.constantFrom<unknown>(
      { password: 'PLANTED' },
      ['token', 'PLANTED'],
      'my secret is PLANTED',
      { deep: [{ api_key: { x: 'PLANTED' } }] },
      'redis://user:PLANTED@host/0',
      { value: 'PLANTED', name: 'bearer' },
    );
    const place = fc.constantFrom(
      ...['extra', 'contexts', 'tags', 'user', 'request', 'breadcrumbs', 'unknown', 'threads'],
      ...['message', 'exception', 'modules', 'environment', 'logentry', 'spans'],
    );
    const path = fc.array(fc.oneof(fc.string(), fc.constantFrom('data', 'values', 'headers')), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(secret, place, path, (planted, name, names) => {
        fc.pre(!(typeof planted === 'string' && planted.startsWith('my')) || name === 'extra');
        let value = planted;
        for (const key of names) value = key.length % 2 === 0 ? { [key]: value } : [1, value];
        const event = { [name]: value };
        expect(rulesOf().mayChange(Buffer.from(JSON.stringify(event)))).toBe(true);
        expect(JSON.stringify(scrubbed(event))).not.toContain('PLANTED');
      }),
      { numRuns: 500 },
    );
  });
});

describe('addresses of users', () => {
  it('go where the project wants none', () => {
    const event = {
      user: { id: 7, ip_address: '192.0.2.1' },
      request: {
        env: { REMOTE_ADDR: '192.0.2.1', SERVER_NAME: 'shop' },
        headers: {
          'X-Forwarded-For': '192.0.2.1, [2001:db8::7]:80',
          Forwarded: 'for=192.0.2.1:80;proto=https',
          'User-Agent': 'Mozilla/5.0 Chrome/120.0.0.0',
          Referer: 'http://192.0.2.1/a',
        },
      },
    };
    expect(scrubAddresses(event)).toEqual({
      user: { id: 7, ip_address: null },
      request: {
        env: { REMOTE_ADDR: F, SERVER_NAME: 'shop' },
        headers: {
          'X-Forwarded-For': `${F}, [${F}]:80`,
          Forwarded: `for=${F};proto=https`,
          'User-Agent': 'Mozilla/5.0 Chrome/120.0.0.0',
          Referer: `http://${F}/a`,
        },
      },
    });
  });
});
