import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { effortOfAnswer } from '../support/effort.js';
import { makeActor } from '../support/factories.js';
import { IS_FULL } from '../support/scale.js';

const MIB = 1_048_576;
/** The full run holds the figure; the sample shares its machine with other tests. */
const MOST_EFFORT = IS_FULL ? 1 : 5;
const UTF8_OF_A_SURROGATE = Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]);

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await sharedTestApp();
  ({ token } = await makeActor(app));
});

/** A body that would make a snippet if its other parts were not there. */
const snippet = '"title":"t","file_name":"a.txt","content":"c"';

/** Kind of bomb → the body, and its expected status. */
const BOMBS: [string, string | Buffer, number][] = [
  ['arrays 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000), 400],
  [
    'arrays 100,000 deep inside a parameter',
    `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    400,
  ],
  ['objects 100,000 deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400],
  ['an object that never ends', '{"a":'.repeat(150_000), 400],
  ['a hundred thousand keys', `{${keys(90_000)}}`, 400],
  ['a million keys', `{${keys(1_000_000)}}`, 413],
  ['a number of a million digits', `{${snippet},"visibility":${'9'.repeat(MIB - 100)}}`, 400],
  ['a number of ten million digits', `{"a":${'9'.repeat(10 * MIB)}}`, 413],
  ['an exponent out of this world', `{${snippet},"visibility":1e999999}`, 400],
  ['a lone surrogate', '{"title":"\\ud800"}', 400],
  [
    'bytes of a surrogate',
    Buffer.concat([Buffer.from('{"a":'), UTF8_OF_A_SURROGATE, Buffer.from('}')]),
    400,
  ],
  ['NUL in a text', '{"title":"a\\u0000b","file_name":"a","content":"c"}', 400],
  ['text that is cut off', '{"title":"abc', 400],
  ['a comment', '{"title":"a"/* */}', 400],
  ['NaN', '{"title":NaN}', 400],
];

function keys(count: number): string {
  return Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
}

function post(body: string | Buffer): Promise<Response> {
  return fetch(`${app.url}/api/v4/snippets`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
}

describe('a JSON body', () => {
  it.each(BOMBS)('that is %s is refused at once', async (_, bomb, status) => {
    const effort = await effortOfAnswer(async () => {
      const response = await post(bomb);
      await response.arrayBuffer();
      expect(response.status).toBe(status);
    });
    expect(effort).toBeLessThan(MOST_EFFORT);
  });

  it('cannot change a prototype by its keys', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const response = await post(`{${snippet},"${key}":{"admin":true,"polluted":1}}`);
      expect(response.status).toBeLessThan(500);
      await response.arrayBuffer();
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
    const { status } = await fetch(`${app.url}/api/v4/users`, {
      headers: { 'PRIVATE-TOKEN': token },
    });
    expect(status).toBe(200);
  });

  it('with a key twice means the later one, as in every JSON library', async () => {
    const response = await post(`{"title":"first",${snippet},"title":"second"}`);
    expect(((await response.json()) as { title: string }).title).toBe('second');
  });
});
