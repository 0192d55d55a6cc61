import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makePlace } from './integration-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function find(body: object): Promise<{ status: number; body: unknown }> {
  const { maintainer, path } = await makePlace(app);
  const response = await maintainer.api.post(path('/payload_fields'), body);
  return { status: response.status, body: response.body as unknown };
}

describe('the fields of an example', () => {
  const example = {
    alert: { name: 'X', at: '2026-03-01T10:00:00Z', count: 3 },
    hosts: [{ ip: '10.0.0.1' }],
    constructor: 'odd',
  };
  const fields = [
    { path: ['alert', 'name'], label: 'alert/name', type: 'STRING' },
    { path: ['alert', 'at'], label: 'alert/at', type: 'DATETIME' },
    { path: ['hosts'], label: 'hosts', type: 'ARRAY' },
    { path: ['hosts', 0, 'ip'], label: 'hosts[0]/ip', type: 'STRING' },
    { path: ['constructor'], label: 'constructor', type: 'STRING' },
  ];

  it('are found in an object and in JSON text', async () => {
    const expected = { status: 200, body: fields };
    expect(await find({ payload_example: example })).toEqual(expected);
    expect(await find({ payload_example: JSON.stringify(example) })).toEqual(expected);
    expect(await find({ payload_example: {} })).toEqual({ status: 200, body: [] });
  });

  it.each<[string, object, object]>([
    ['nothing', {}, { error: 'payload_example is missing' }],
    ['null', { payload_example: null }, { error: 'payload_example is missing' }],
    [
      'what is no JSON',
      { payload_example: '{' },
      { message: { payload_example: ['Invalid JSON string'] } },
    ],
    [
      'a list',
      { payload_example: '[]' },
      { message: { payload_example: ['must be a JSON object'] } },
    ],
    [
      'what is too deep',
      { payload_example: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` },
      { message: { payload_example: ['payloadExample JSON is too big'] } },
    ],
  ])('cannot be found in %s', async (_, body, expected) => {
    expect(await find(body)).toMatchObject({ status: 400, body: expected });
  });
});
