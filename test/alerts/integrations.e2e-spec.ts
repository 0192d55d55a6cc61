import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeAlert, makeIntegration } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeMemberOf } from '../support/project-factories.js';
import { archive, makePlace, trailOf, type IntegrationBody } from './integration-place.js';

const STALE = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
const NOT_FOUND = { message: '404 Integration Not Found' };

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const bodyOf = (response: { body: unknown }): IntegrationBody => response.body as IntegrationBody;
const identifierOf = ({ url }: IntegrationBody): string =>
  /\/([0-9a-f]{16})\.json$/.exec(url ?? '')?.[1] ?? '';

describe('POST /projects/:id/alert_management/http_integrations', () => {
  it('answers 201 with the whole integration, its key and its address', async () => {
    const { project, integrations } = await makePlace(app);
    const response = await integrations.post('', { name: 'Disk Watch (EU)', active: true });

    expect(response.status).toBe(201);
    const made = bodyOf(response);
    expect(made).toEqual({
      id: expect.any(Number),
      type: 'HTTP',
      name: 'Disk Watch (EU)',
      active: true,
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `${app.url}/${project.fullPath}/alerts/notify/disk-watch--eu/${identifierOf(made)}.json`,
      api_url: null,
      payload_attribute_mappings: [],
      resolved_when: null,
      created_at: expect.any(String),
      updated_at: made.created_at,
      payload_example: {},
    });
  });

  it('keeps the key encrypted and never tells it in the audit log', async () => {
    const { project, maintainer, integrations } = await makePlace(app);
    const made = bodyOf(await integrations.post('', { name: 'Disk', active: false }));
    const [row] = await app.dataSource.query<[{ encrypted_token: string }]>(
      'SELECT encrypted_token FROM alert_integrations WHERE id = $1',
      [made.id],
    );

    expect(row.encrypted_token).not.toContain(made.token);
    expect(await trailOf(app, project)).toEqual([
      {
        author_id: maintainer.user.id,
        action: 'alert_integration_created',
        target_type: 'AlertIntegration',
        target_name: 'Disk',
        details: { type: 'HTTP', active: false, api_url: null },
      },
    ]);
  });

  it.each([
    ['no name', { active: true }, 'name is missing'],
    ['a blank name', { name: ' ', active: true }, 'name is empty'],
    ['a name of 256 characters', { name: 'x'.repeat(256), active: true }, 'name is too long'],
    ['no word whether it is active', { name: 'x' }, 'active is missing'],
    ['null for active', { name: 'x', active: null }, 'active is missing'],
    ['another type', { name: 'x', active: true, type: 'MAIL' }, 'type does not have a valid value'],
    ['a type that is a list', { name: 'x', active: true, type: ['HTTP'] }, 'type is invalid'],
  ])('refuses %s', async (_, body, error) => {
    const { integrations } = await makePlace(app);
    const response = await integrations.post('', body);
    expect({ status: response.status, body: response.body as unknown }).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  it('takes the type in any case', async () => {
    const { integrations } = await makePlace(app);
    const wish = {
      name: 'Metrics',
      active: true,
      type: 'Prometheus',
      api_url: 'http://example.com',
    };
    const response = await integrations.post('', wish);
    expect({ status: response.status, type: bodyOf(response).type }).toEqual({
      status: 201,
      type: 'PROMETHEUS',
    });
  });
});

describe('reading integrations', () => {
  it('lists them by page, the oldest first and without their examples', async () => {
    const { project, integrations } = await makePlace(app);
    const first = await makeIntegration(app, project, { name: 'One' });
    const second = await makeIntegration(app, project, { name: 'Two' });
    const response = await integrations.get('?per_page=1');

    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({ 'x-total': '2', 'x-next-page': '2' });
    expect(response.body).toEqual([
      {
        id: first.id,
        type: 'HTTP',
        name: 'One',
        active: true,
        token: first.token,
        url: first.url,
        api_url: null,
        payload_attribute_mappings: [],
        resolved_when: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const rest = await integrations.get('?per_page=1&page=2');
    expect((rest.body as IntegrationBody[]).map(({ id }) => id)).toEqual([second.id]);
  });

  it('lists those of one type', async () => {
    const { project, integrations } = await makePlace(app);
    await makeIntegration(app, project);
    const metrics = await makeIntegration(app, project, { type: 'prometheus' });
    const response = await integrations.get('?type=prometheus');
    expect((response.body as IntegrationBody[]).map(({ id }) => id)).toEqual([metrics.id]);
    expect((await integrations.get('?type=none')).status).toBe(400);
  });

  it('shows one, and 404 for those of other projects', async () => {
    const { project, integrations } = await makePlace(app);
    const { id } = await makeIntegration(app, project, {
      mappings: [{ field: 'svc_environment_name', path: ['env', 0], type: 'STRING' }],
      resolvedWhen: { path: ['state'], values: ['ok'] },
    });
    const response = await integrations.get(`/${id}`);

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      payload_example: {},
      payload_attribute_mappings: [
        { field_name: 'SVC_ENVIRONMENT_NAME', path: ['env', 0], type: 'STRING', label: null },
      ],
      resolved_when: { path: ['state'], values: ['ok'] },
    });
    const elsewhere = await (await makePlace(app)).integrations.get(`/${id}`);
    expect({ status: elsewhere.status, body: elsewhere.body as unknown }).toEqual({
      status: 404,
      body: NOT_FOUND,
    });
    expect((await integrations.get('/x')).status).toBe(400);
  });

  it('is for maintainers', async () => {
    const { project, path } = await makePlace(app);
    const { id } = await makeIntegration(app, project);
    const developer = await makeMemberOf(app, project, 'developer');
    for (const rest of ['', `/${id}`, `/${id}/deliveries`]) {
      expect((await developer.api.get(path(`/http_integrations${rest}`))).status).toBe(403);
    }
    const wish = { name: 'x', active: true };
    expect((await developer.api.post(path('/http_integrations'), wish)).status).toBe(403);
  });
});

describe('PUT /projects/:id/alert_management/http_integrations/:integration_id', () => {
  it('changes what is given, and the address with the name', async () => {
    const { project, maintainer, integrations } = await makePlace(app);
    const made = await makeIntegration(app, project, { name: 'Old Name' });
    const response = await integrations.put(`/${made.id}`, { name: 'New Name', active: false });

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      name: 'New Name',
      active: false,
      token: made.token,
      url: `${app.url}/${project.fullPath}/alerts/notify/new-name/${made.identifier}.json`,
    });
    expect(await trailOf(app, project)).toEqual([
      {
        author_id: maintainer.user.id,
        action: 'alert_integration_updated',
        target_type: 'AlertIntegration',
        target_name: 'New Name',
        details: {
          name: { from: 'Old Name', to: 'New Name' },
          active: { from: true, to: false },
        },
      },
    ]);
  });

  it('leaves the key as it is, whatever is sent for it', async () => {
    const { project, integrations } = await makePlace(app);
    const made = await makeIntegration(app, project);
    const before = bodyOf(await integrations.get(`/${made.id}`));
    const response = await integrations.put(`/${made.id}`, { token: 'chosen' });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: before,
    });
    expect(await trailOf(app, project)).toEqual([]);
  });

  it('refuses another type, and takes the type that it has', async () => {
    const { project, integrations } = await makePlace(app);
    const { id } = await makeIntegration(app, project);
    const response = await integrations.put(`/${id}`, { type: 'PROMETHEUS' });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 400,
      body: { message: { type: ['cannot be changed'] } },
    });
    expect((await integrations.put(`/${id}`, { type: 'http' })).status).toBe(200);
  });

  it('refuses a change with an outdated precondition', async () => {
    const { project, integrations } = await makePlace(app);
    const { id } = await makeIntegration(app, project, { name: 'Kept' });
    expect((await integrations.put(`/${id}`, { name: 'x' }).set(STALE)).status).toBe(412);
    expect((await integrations.delete(`/${id}`).set(STALE)).status).toBe(412);
    expect(bodyOf(await integrations.get(`/${id}`)).name).toBe('Kept');
  });

  it('is 404 for an integration of another project', async () => {
    const { project } = await makePlace(app);
    const { id } = await makeIntegration(app, project);
    const { integrations } = await makePlace(app);
    for (const response of [
      await integrations.put(`/${id}`, { name: 'x' }),
      await integrations.delete(`/${id}`),
      await integrations.post(`/${id}/reset_token`),
      await integrations.post(`/${id}/test_alert`, {}),
    ]) {
      expect({ status: response.status, body: response.body as unknown }).toEqual({
        status: 404,
        body: NOT_FOUND,
      });
    }
  });
});

describe('resetting the key', () => {
  it('answers 200 with a new key and keeps the address', async () => {
    const { project, maintainer, integrations } = await makePlace(app);
    const made = await makeIntegration(app, project, { name: 'Disk' });
    const response = await integrations.post(`/${made.id}/reset_token`);

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: made.id, url: made.url });
    const { token } = bodyOf(response);
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(token).not.toBe(made.token);
    expect(bodyOf(await integrations.get(`/${made.id}`)).token).toBe(token);
    expect(await trailOf(app, project)).toEqual([
      {
        author_id: maintainer.user.id,
        action: 'alert_integration_token_reset',
        target_type: 'AlertIntegration',
        target_name: 'Disk',
        details: {},
      },
    ]);
  });

  it('is 400 for external paging, which has no key', async () => {
    const { project, integrations } = await makePlace(app);
    const { id } = await makeIntegration(app, project, { type: 'external_paging' });
    expect((await integrations.post(`/${id}/reset_token`)).status).toBe(400);
  });
});

describe('deleting an integration', () => {
  it('returns 204, keeps its alerts and is recorded in the audit log', async () => {
    const { project, maintainer, integrations } = await makePlace(app);
    const { id } = await makeIntegration(app, project, { name: 'Disk' });
    const alert = await makeAlert(app, project, { integrationId: id });
    const response = await integrations.delete(`/${id}`);

    expect({ status: response.status, text: response.text }).toEqual({ status: 204, text: '' });
    expect((await integrations.get(`/${id}`)).status).toBe(404);
    const where = 'SELECT integration_id FROM alerts WHERE id = $1';
    expect(await app.dataSource.query(where, [alert.id])).toEqual([{ integration_id: null }]);
    expect(await trailOf(app, project)).toEqual([
      {
        author_id: maintainer.user.id,
        action: 'alert_integration_deleted',
        target_type: 'AlertIntegration',
        target_name: 'Disk',
        details: { type: 'HTTP', active: true },
      },
    ]);
  });
});

describe('an archived project', () => {
  it('shows its integrations and settings and refuses every change', async () => {
    const { project, maintainer, path, integrations } = await makePlace(app);
    const { id } = await makeIntegration(app, project);
    await archive(app, project);

    expect((await integrations.get(`/${id}`)).status).toBe(200);
    expect((await maintainer.api.get(path('/settings'))).status).toBe(200);
    for (const response of [
      await integrations.post('', { name: 'x', active: false }),
      await integrations.put(`/${id}`, { name: 'x' }),
      await integrations.delete(`/${id}`),
      await integrations.post(`/${id}/reset_token`),
      await integrations.post(`/${id}/test_alert`, { title: 'x' }),
      await maintainer.api.put(path('/settings'), { create_issue: true }),
    ]) {
      expect({ status: response.status, body: response.body as unknown }).toEqual({
        status: 403,
        body: { message: '403 Forbidden' },
      });
    }
    expect(await trailOf(app, project)).toEqual([]);
  });
});
