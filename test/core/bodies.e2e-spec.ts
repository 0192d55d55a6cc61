import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { effortOfAnswer } from '../support/effort.js';
import { ProbeModule } from './probe.module.js';

const JSON_TYPE = 'application/json';
const MIB = 1024 * 1024;

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ imports: [ProbeModule] });
});
afterAll(() => app.close());

function post(body: string | Buffer, type: string): Test {
  return request(app.url).post('/api/v4/probe/items').set('Content-Type', type).send(body);
}

/** supertest re-encodes buffers of JSON type; fetch sends bytes as they are. */
async function postBytes(body: Buffer, headers: Record<string, string>): Promise<Response> {
  const bytes = new Uint8Array(body);
  return fetch(`${app.url}/api/v4/probe/items`, { method: 'POST', body: bytes, headers });
}

describe('parameters', () => {
  it('are read from JSON, forms and multipart fields alike', async () => {
    const body = { name: 'a', tags: ['x', 'y'], opts: { k: 'v' } };
    const form = 'name=a&tags[]=x&tags%5B%5D=y&opts[k]=v';
    await post(JSON.stringify(body), JSON_TYPE).expect(201, { body });
    await post(form, 'application/x-www-form-urlencoded').expect(201, { body });
    const multipart = request(app.url).post('/api/v4/probe/items');
    for (const [name, value] of new URLSearchParams(form)) void multipart.field(name, value);
    await multipart.expect(201, { body });
  });

  it('are read from the query string with lists, hashes and UTF-8', async () => {
    const query = 'a=1&a=2&b[]=x&b[]=y&c[k]=v&d[0][k]=p&d[1][k]=q&e=%C3%BC+%2B&f';
    await api(app.url)
      .get(`/probe/query?${query}`)
      .expect(200, {
        query: {
          a: '2',
          b: ['x', 'y'],
          c: { k: 'v' },
          d: { 0: { k: 'p' }, 1: { k: 'q' } },
          e: 'ü +',
          f: '',
        },
      });
  });

  it('are absent when the body is empty, for every type', async () => {
    await post('', JSON_TYPE).expect(201, { body: null });
    await post('', 'text/xml').expect(201, { body: null });
  });

  it('may arrive compressed', async () => {
    const body = gzipSync('{"name":"packed"}');
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' };
    const response = await postBytes(body, headers);
    expect(await response.json()).toEqual({ body: { name: 'packed' } });
  });

  it('cannot reach any prototype', async () => {
    const spellings = ['{"__proto__":{"admin":true},"a":1}', '{"\\u005f_proto__":{},"a":1}'];
    for (const text of spellings) await post(text, JSON_TYPE).expect(201, { body: { a: 1 } });
    const form = '__proto__[admin]=1&constructor[prototype][admin]=1&a[__proto__][x]=1';
    await post(form, 'application/x-www-form-urlencoded').expect(201, {
      body: { constructor: { prototype: { admin: '1' } } },
    });
    expect({}).not.toHaveProperty('admin');
  });
});

describe('bodies that are refused', () => {
  it('are answered with 400 when they do not parse', async () => {
    const refusal = (error: string): object => ({ message: `400 (Bad request) ${error}`, error });
    const json = 'body is not valid JSON (line 1, column 17)';
    await post('{"name":"x","a" 7}', JSON_TYPE).expect(400, refusal(json));
    const parts = 'body is not valid multipart/form-data';
    await post('no parts', 'multipart/form-data; boundary=x').expect(400, refusal(parts));
  });

  it('are answered with 415 for another media type, charset or encoding', async () => {
    const refusal = (type: string): object => ({
      error: `The provided content-type '${type}' is not supported.`,
    });
    await post('<a/>', 'text/xml').expect(415, refusal('text/xml'));
    await post('a', 'text/plain; charset=utf-8').expect(415, refusal('text/plain'));
    const latin = 'application/json; charset=latin1';
    await post('{}', latin).expect(415, refusal(latin));
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'zstd' };
    expect((await postBytes(Buffer.from('{}'), headers)).status).toBe(415);
  });

  it('are answered with 413 above one MiB, announced, chunked or unpacked', async () => {
    const message = '413 Request Entity Too Large';
    const large = JSON.stringify({ a: 'x'.repeat(MIB) });
    await post(large, JSON_TYPE).expect(413, { message });
    const stream = new Blob([large]).stream();
    const init = {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'Content-Type': JSON_TYPE },
    };
    const chunked = await fetch(`${app.url}/api/v4/probe/items`, init as RequestInit);
    expect([chunked.status, await chunked.json()]).toEqual([413, { message }]);
    const bomb = gzipSync(Buffer.alloc(100 * MIB));
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' };
    expect((await postBytes(bomb, headers)).status).toBe(413);
  });

  it('are not even read where no route takes them', async () => {
    const send = (method: 'post' | 'put', path: string): Test =>
      request(app.url)[method](`/api/v4${path}`).set('Content-Type', JSON_TYPE).send('{bad');
    await send('post', '/nowhere').expect(404, { error: '404 Not Found' });
    const wrong = await send('put', '/probe/items').expect(405, { error: '405 Not Allowed' });
    expect(wrong.headers['allow']).toBe('OPTIONS, POST');
    await request(app.url).options('/api/v4/probe/items').send('{bad').expect(204);
  });

  it('leave the connection usable', async () => {
    const large = JSON.stringify({ a: 'x'.repeat(MIB) });
    for (let round = 0; round < 5; round++) {
      await post(large, JSON_TYPE).expect(413);
      const lost = await fetch(`${app.url}/api/v4/nowhere`, { method: 'POST', body: large });
      expect([lost.status, await lost.json()]).toEqual([404, { error: '404 Not Found' }]);
      await post('{}', JSON_TYPE).expect(201);
    }
  });

  it('are answered with 400 for NUL, broken UTF-8 and lone surrogates', async () => {
    for (const text of ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":"\\udc00\\ud800"}']) {
      await post(text, JSON_TYPE).expect(400);
    }
    await post('{"a":"\\\\u0000 \\ud83d\\ude00"}', JSON_TYPE).expect(201);
    const broken = Buffer.from([0x22, 0xff, 0x22]);
    expect((await postBytes(broken, { 'Content-Type': JSON_TYPE })).status).toBe(400);
    await post('a=%00', 'application/x-www-form-urlencoded').expect(400);
    await post('a=%ff', 'application/x-www-form-urlencoded').expect(400);
    await api(app.url).get('/probe/query?a=%00').expect(400);
    await api(app.url).get('/probe/query?a=%E0%A4%A').expect(400);
  });

  it('are refused for less than 100 ms of processor time when they are bombs', async () => {
    const bombs = [
      '['.repeat(100_000) + ']'.repeat(100_000),
      `{${Array.from({ length: 80_000 }, (_, i) => `"${i}":1`).join()}}`,
      `{"a":${'{"a":'.repeat(150_000)}`,
    ];
    for (const bomb of bombs) {
      const spent = await effortOfAnswer(async () => {
        await post(bomb, JSON_TYPE).expect(400);
      });
      expect(spent).toBeLessThan(1);
    }
    await post(`[${'1'.repeat(MIB - 10)}]`, JSON_TYPE).expect(201);
    await post(`${'a[]=1&'.repeat(6_000)}`, 'application/x-www-form-urlencoded').expect(400);
    await post(`a${'[b]'.repeat(50)}=1`, 'application/x-www-form-urlencoded').expect(400);
  });
});

describe('query strings', () => {
  it('may have 10 KiB; above that the answer is 414', async () => {
    const atMost = `a=${'x'.repeat(10 * 1024 - 2)}`;
    await api(app.url).get(`/probe/query?${atMost}`).expect(200);
    const message = '414 Request-URI Too Large';
    await api(app.url).get(`/probe/query?${atMost}x`).expect(414, { message });
    await api(app.url)
      .get(`/probe/query?${'x'.repeat(50_000)}`)
      .expect(414, { message });
  });

  it('are refused when a name is used in two forms', async () => {
    await api(app.url).get('/probe/query?a=1&a[b]=2').expect(400);
    await api(app.url).get('/probe/query?a[]=1&a[b]=2').expect(400);
  });
});
