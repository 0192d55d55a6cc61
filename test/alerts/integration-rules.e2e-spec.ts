import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makePlace, trailOf, type IntegrationBody, type Place } from './integration-place.js';

const MAPPING_REFUSED = {
  message: { payload_attribute_mapping: ['must be a valid json schema'] },
};
const RULE_REFUSED = {
  message: { resolved_when: ['must have a path and 1 to 20 values'] },
};
const TITLE = { field_name: 'TITLE', path: ['alert', 'name'], type: 'STRING' };

let app: TestApp;
let place: Place;
beforeAll(async () => {
  app = await sharedTestApp();
  await app.dataSource.query(
    `INSERT INTO application_settings (name, value) VALUES ('alert_integrations_per_project', '1000')`,
  );
  place = await makePlace(app);
});

async function create(body: object): Promise<{ status: number; body: unknown }> {
  const response = await place.integrations.post('', { name: 'x', active: false, ...body });
  return { status: response.status, body: response.body as unknown };
}

async function made(body: object): Promise<IntegrationBody> {
  const response = await create(body);
  expect(response).toMatchObject({ status: 201 });
  return response.body as IntegrationBody;
}

async function change(
  { id }: IntegrationBody,
  body: object,
): Promise<{ status: number; body: unknown }> {
  const response = await place.integrations.put(`/${id}`, body);
  return { status: response.status, body: response.body as unknown };
}

describe('the address of a tool', () => {
  const paging = { type: 'EXTERNAL_PAGING' };
  const metrics = { type: 'PROMETHEUS' };

  it('is kept for monitoring, where a placeholder will do', async () => {
    const { api_url } = await made({ ...metrics, api_url: 'http://placeholder.example' });
    expect(api_url).toBe('http://placeholder.example');
  });

  it.each<[string, object, string]>([
    ['nothing for monitoring', metrics, "can't be blank"],
    ['nothing for external paging', paging, "can't be blank"],
    ['an empty text', { ...metrics, api_url: '' }, "can't be blank"],
    ['null', { ...metrics, api_url: null }, "can't be blank"],
    [
      'another protocol',
      { ...metrics, api_url: 'ftp://x.example' },
      'must be a valid http or https URL',
    ],
    [
      'a script',
      { ...paging, api_url: 'javascript:alert(1)' },
      'must be a valid http or https URL',
    ],
    ['no host', { ...metrics, api_url: 'http://' }, 'must be a valid http or https URL'],
    ['white space', { ...metrics, api_url: 'http://a b' }, 'must be a valid http or https URL'],
    [
      'a password',
      { ...metrics, api_url: 'http://a:b@x.example' },
      'must be a valid http or https URL',
    ],
    [
      '1,025 characters',
      { ...metrics, api_url: `http://x.example/${'x'.repeat(1_008)}` },
      'is too long (maximum is 1024 characters)',
    ],
    ['any for HTTP', { api_url: 'http://x.example' }, 'is not for integrations of type HTTP'],
  ])('may not be %s', async (_, body, problem) => {
    expect(await create(body)).toEqual({ status: 400, body: { message: { api_url: [problem] } } });
  });

  it('may have 1,024 characters', async () => {
    const api_url = `http://x.example/${'x'.repeat(1_007)}`;
    expect((await made({ ...metrics, api_url })).api_url).toBe(api_url);
  });

  it('cannot be taken away where it is needed', async () => {
    const integration = await made({ ...metrics, api_url: 'http://x.example' });
    expect(await change(integration, { api_url: null })).toMatchObject({ status: 400 });
    expect(await change(integration, { name: 'y' })).toMatchObject({
      status: 200,
      body: { api_url: 'http://x.example' },
    });
  });
});

describe('the example of a payload', () => {
  it.each<[string, unknown, object]>([
    ['an object', { alert: { name: 'X' } }, { alert: { name: 'X' } }],
    ['JSON text', '{"alert":{"name":"X"}}', { alert: { name: 'X' } }],
    ['null', null, {}],
    ['an empty text', '', {}],
    ['members that look like positions', { 0: 'a', b: 1 }, { 0: 'a', b: 1 }],
    ['a member named constructor', { constructor: { a: [] } }, { constructor: { a: [] } }],
  ])('may be %s', async (_, payload_example, expected) => {
    expect((await made({ payload_example })).payload_example).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    ['text that is no JSON', '{"a":', 'Invalid JSON string'],
    ['a list', [1], 'must be a JSON object'],
    ['a number', 5, 'must be a JSON object'],
    ['JSON text of a list', '[]', 'must be a JSON object'],
    ['101 levels', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'payloadExample JSON is too big'],
    ['NUL', '{"a":"\\u0000"}', 'Invalid JSON string'],
  ])('may not be %s', async (_, payload_example, problem) => {
    expect(await create({ payload_example })).toEqual({
      status: 400,
      body: { message: { payload_example: [problem] } },
    });
  });

  it('may not be too long even as text', async () => {
    expect((await create({ payload_example: 'x'.repeat(1_048_576) })).status).toBe(413);
  });

  it('stays when it is left out and goes with null', async () => {
    const integration = await made({ payload_example: { a: 'x' } });
    expect(await change(integration, { name: 'y' })).toMatchObject({
      body: { payload_example: { a: 'x' } },
    });
    expect((await change(integration, { payload_example: null })).body).toMatchObject({
      payload_example: {},
    });
  });
});

describe('a custom mapping', () => {
  it('is kept as it was sent, the foreign name of the environment as ours', async () => {
    const { payload_attribute_mappings } = await made({
      payload_attribute_mappings: [
        { ...TITLE, label: 'alert/name' },
        { field_name: 'GITLAB_ENVIRONMENT_NAME', path: ['hosts', 0, 'env'], type: 'STRING' },
        { field_name: 'HOSTS', path: ['hosts'], type: 'ARRAY', label: null },
        { field_name: 'END_TIME', path: ['constructor'], type: 'DATETIME' },
      ],
    });
    expect(payload_attribute_mappings).toEqual([
      { ...TITLE, label: 'alert/name' },
      {
        field_name: 'SVC_ENVIRONMENT_NAME',
        path: ['hosts', 0, 'env'],
        type: 'STRING',
        label: null,
      },
      { field_name: 'HOSTS', path: ['hosts'], type: 'ARRAY', label: null },
      { field_name: 'END_TIME', path: ['constructor'], type: 'DATETIME', label: null },
    ]);
  });

  it('goes back as it was shown', async () => {
    const integration = await made({ payload_attribute_mappings: [TITLE] });
    const { payload_attribute_mappings } = integration;
    expect(await change(integration, { payload_attribute_mappings })).toEqual({
      status: 200,
      body: integration,
    });
  });

  it.each<[string, unknown]>([
    ['no path', [{ field_name: 'TITLE', type: 'STRING' }]],
    ['no field', [{ path: ['a'], type: 'STRING' }]],
    ['no type', [{ field_name: 'TITLE', path: ['a'] }]],
    ['a further key', [{ ...TITLE, fallback: ['b'] }]],
    ['a further key named constructor', [{ ...TITLE, constructor: 1 }]],
    ['another field', [{ ...TITLE, field_name: 'COLOUR' }]],
    ['a field in lower case', [{ ...TITLE, field_name: 'title' }]],
    ['a field that is inherited', [{ ...TITLE, field_name: 'constructor' }]],
    ['another type', [{ ...TITLE, type: 'NUMBER' }]],
    ['a field twice', [TITLE, { ...TITLE, path: ['b'] }]],
    [
      'the environment by both names',
      [
        { ...TITLE, field_name: 'GITLAB_ENVIRONMENT_NAME' },
        { ...TITLE, field_name: 'SVC_ENVIRONMENT_NAME' },
      ],
    ],
    ['an empty path', [{ ...TITLE, path: [] }]],
    ['a path of a fraction', [{ ...TITLE, path: ['a', 0.5] }]],
    ['a path of a negative position', [{ ...TITLE, path: ['a', -1] }]],
    ['a path of a list', [{ ...TITLE, path: [['a']] }]],
    ['a path of null', [{ ...TITLE, path: [null] }]],
    ['a path that is a word', [{ ...TITLE, path: 'alert' }]],
    ['a path of 101 steps', [{ ...TITLE, path: Array.from({ length: 101 }, () => 'a') }]],
    ['a path with NUL in JSON text', [{ ...TITLE, path: '["\\u0000"]' }]],
    ['a path with half a character in JSON text', [{ ...TITLE, path: '["\\ud800"]' }]],
    ['a label that is a number', [{ ...TITLE, label: 5 }]],
    ['no list', { TITLE: ['a'] }],
    ['a text', 'TITLE'],
    ['a list of texts', ['TITLE']],
    ['a list of null', [null]],
  ])('may not have %s', async (_, payload_attribute_mappings) => {
    expect(await create({ payload_attribute_mappings })).toEqual({
      status: 400,
      body: MAPPING_REFUSED,
    });
  });

  it('stays when it is left out and goes with an empty list', async () => {
    const integration = await made({ payload_attribute_mappings: [TITLE] });
    expect((await change(integration, { name: 'y' })).body).toMatchObject({
      payload_attribute_mappings: [TITLE],
    });
    expect((await change(integration, { payload_attribute_mappings: [] })).body).toMatchObject({
      payload_attribute_mappings: [],
    });
  });

  it('is recorded in the audit log with its previous value', async () => {
    const own = await makePlace(app);
    const response = await own.integrations.post('', { name: 'x', active: true });
    const { id } = response.body as IntegrationBody;
    await own.integrations.put(`/${id}`, { payload_attribute_mappings: [TITLE] });
    const mapping = JSON.stringify([{ ...TITLE, label: null }]);
    expect((await trailOf(app, own.project)).at(-1)).toMatchObject({
      details: { payload_attribute_mappings: { from: '[]', to: mapping } },
    });
  });

  it('comes in forms, too', async () => {
    const form =
      'name=Form&active=true' +
      '&payload_attribute_mappings[0][field_name]=TITLE' +
      '&payload_attribute_mappings[0][path][]=alert&payload_attribute_mappings[0][path][]=name' +
      '&payload_attribute_mappings[0][type]=STRING' +
      '&payload_attribute_mappings[1][field_name]=HOSTS' +
      `&payload_attribute_mappings[1][path]=${encodeURIComponent('["nodes",0,"ip"]')}` +
      '&payload_attribute_mappings[1][type]=STRING' +
      '&resolved_when[path][0]=state&resolved_when[values][]=ok' +
      '&payload_example[alert][name]=X';
    const response = await place.integrations.post('').type('form').send(form);

    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      name: 'Form',
      active: true,
      payload_example: { alert: { name: 'X' } },
      payload_attribute_mappings: [TITLE, { field_name: 'HOSTS', path: ['nodes', 0, 'ip'] }],
      resolved_when: { path: ['state'], values: ['ok'] },
    });
    const cleared = await place.integrations
      .put(`/${(response.body as IntegrationBody).id}`)
      .type('form')
      .send('payload_attribute_mappings=&resolved_when=');
    expect(cleared.body).toMatchObject({ payload_attribute_mappings: [], resolved_when: null });
  });

  it.each([
    ['payload_attribute_mapping', { payload_attribute_mappings: [TITLE] }],
    ['payload_example', { payload_example: { a: 'x' } }],
    ['resolved_when', { resolved_when: { path: ['a'], values: ['x'] } }],
  ])('and its like are not for monitoring: %s', async (name, body) => {
    const metrics = { type: 'PROMETHEUS', api_url: 'http://x.example' };
    expect(await create({ ...metrics, ...body })).toEqual({
      status: 400,
      body: { message: { [name]: ['is only for integrations of type HTTP'] } },
    });
    const none = { payload_attribute_mappings: [], payload_example: {}, resolved_when: null };
    expect(await create({ ...metrics, ...none })).toMatchObject({ status: 201 });
  });
});

describe('the word that ends a problem', () => {
  const resolved_when = { path: ['events', 0, 'state'], values: ['ok', 'Recovered'] };

  it('is kept, stays when it is left out and goes with null', async () => {
    const integration = await made({ resolved_when });
    expect(integration.resolved_when).toEqual(resolved_when);
    expect((await change(integration, { name: 'y' })).body).toMatchObject({ resolved_when });
    expect((await change(integration, { resolved_when: null })).body).toMatchObject({
      resolved_when: null,
    });
  });

  it.each<[string, unknown]>([
    ['no path', { values: ['ok'] }],
    ['no values', { path: ['a'] }],
    ['an empty list of values', { path: ['a'], values: [] }],
    ['an empty value', { path: ['a'], values: [''] }],
    ['a value that is a number', { path: ['a'], values: [1] }],
    ['21 values', { path: ['a'], values: Array.from({ length: 21 }, String) }],
    ['a value of 256 characters', { path: ['a'], values: ['x'.repeat(256)] }],
    ['a further key', { ...resolved_when, not: ['x'] }],
    ['a list', [resolved_when]],
    ['a text', 'ok'],
  ])('may not have %s', async (_, rule) => {
    expect(await create({ resolved_when: rule })).toEqual({ status: 400, body: RULE_REFUSED });
  });
});
