import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../core/errors.js';
import { MAX_ALERT_BYTES, parseAlertBody } from './payload.js';

function refusalOf(bytes: Buffer): Pick<ApiError, 'status' | 'body'> {
  try {
    parseAlertBody(bytes);
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body };
    throw error;
  }
  throw new Error('nothing was refused');
}

function nested(depth: number): string {
  return `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
}

/** An object whose text has exactly this many bytes. */
function ofSize(bytes: number): Buffer {
  return Buffer.from(`{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`);
}

describe('parseAlertBody', () => {
  it('reads any JSON object in UTF-8', () => {
    expect(parseAlertBody(Buffer.from('{}'))).toEqual({});
    expect(parseAlertBody(Buffer.from(' {"a":[1,"é𝄞",null]}\n'))).toEqual({ a: [1, 'é𝄞', null] });
    expect(parseAlertBody(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
    expect(parseAlertBody(Buffer.from('{"a":1,"a":2,"b":"\\ud834\\udd1e"}'))).toEqual({
      a: 2,
      b: '𝄞',
    });
  });

  it.each([
    '',
    ' ',
    '{"title":',
    '{"a":1}x',
    '{a:1}',
    '[]',
    '[{}]',
    'null',
    '1',
    '"{}"',
    'a=1&b=2',
    '{"a":"\u0000"}',
    '{"a":"\\ud83"}',
    '{"a":"\\ud8"x"}',
    '{"a":"\u0001"}',
    nested(101),
    '['.repeat(100_000),
  ])('refuses %.40s', (text) => {
    const expected = { status: 400, body: { message: '400 Bad request' } };
    expect(refusalOf(Buffer.from(text))).toEqual(expected);
  });

  it.each([
    [String.raw`{"a":"x\u0000y"}`, { a: 'x\ufffdy' }],
    [String.raw`{"\u0000":[{"b":"\u0000\u0000"}]}`, { '\ufffd': [{ b: '\ufffd\ufffd' }] }],
    [String.raw`{"a":"\ud834"}`, { a: '\ufffd' }],
    [String.raw`{"a":"\uDD1E\uD834"}`, { a: '\ufffd\ufffd' }],
    [String.raw`{"a":"\ud834\ud834\udd1e\udd1e"}`, { a: '\ufffd𝄞\ufffd' }],
    [String.raw`{"a":"\\u0000\\ud834\\\u0000"}`, { a: '\\u0000\\ud834\\\ufffd' }],
  ])('replaces characters that cannot be stored in %s', (text, body) => {
    expect(parseAlertBody(Buffer.from(text))).toEqual(body);
  });

  it('refuses bytes that are no UTF-8', () => {
    const latin1 = Buffer.from('{"a":"é"}', 'latin1');
    const surrogate = Buffer.from([...Buffer.from('{"a":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]);
    expect([latin1, surrogate].map((bytes) => refusalOf(bytes).status)).toEqual([400, 400]);
  });

  it('takes 100 levels and 1 MiB, and nothing above', () => {
    expect(parseAlertBody(Buffer.from(nested(100)))).toHaveProperty('a');
    expect(parseAlertBody(ofSize(MAX_ALERT_BYTES))).toHaveProperty('a');
    expect(refusalOf(ofSize(MAX_ALERT_BYTES + 1)).status).toBe(400);
  });

  it('drops members that would replace the prototype, however they are spelled', () => {
    const text = '{"__proto__":{"x":1},"a":{"\\u005f_proto__":{"x":1}},"constructor":2}';
    const body = parseAlertBody(Buffer.from(text));
    expect(Object.keys(body)).toEqual(['a', 'constructor']);
    expect(body.a).toEqual({});
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
