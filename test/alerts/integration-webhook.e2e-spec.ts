import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeIntegration, postAlert, storedAlerts } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makePlace, type IntegrationBody } from './integration-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** An integration made over the API, and what its webhook answers. */
async function webhook(body: object = {}) {
  const { project, integrations } = await makePlace(app);
  const response = await integrations.post('', { name: 'Datadog', active: true, ...body });
  const { id, token, url } = response.body as IntegrationBody;
  const post = async (payload: unknown, { at = url, key = token } = {}) => {
    const answer = await postAlert(String(at), String(key), payload);
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  const change = async (changes: object) =>
    (await integrations.put(`/${id}`, changes)).body as IntegrationBody;
  return { project, integrations, id, url, token, post, change };
}

const TITLED = { status: 200, body: [{ iid: 1, title: 'T' }] };
const NOT_FOUND = { status: 404, body: { error: '404 Not Found' } };
const FORBIDDEN = { status: 403, body: { message: '403 Forbidden' } };

describe('what is done to an integration', () => {
  it('makes its webhook take alerts at the address and with the key that it was shown with', async () => {
    const { post } = await webhook();
    expect(await post({ title: 'T' })).toEqual(TITLED);
  });

  it('leaves the old address good when the name changes, and any other slug', async () => {
    const { url, post, change } = await webhook();
    const renamed = await change({ name: 'New Name' });
    expect(renamed.url).toBe(url?.replace('/datadog/', '/new-name/'));
    expect(await post({ title: 'T' })).toEqual(TITLED);
    expect(await post({ title: 'T' }, { at: renamed.url })).toEqual(TITLED);
    expect(await post({ title: 'T' }, { at: url?.replace('/datadog/', '/x/') })).toEqual(TITLED);
  });

  it('ends the old key at once when it is reset', async () => {
    const { integrations, id, post } = await webhook();
    expect(await post({ title: 'T' })).toEqual(TITLED);
    const reset = await integrations.post(`/${id}/reset_token`);
    const { token } = reset.body as IntegrationBody;
    expect((await post({ title: 'T' })).status).toBe(401);
    expect(await post({ title: 'T' }, { key: token })).toEqual(TITLED);
  });

  it('closes the webhook at once when it is turned off or deleted', async () => {
    const { integrations, id, post, change } = await webhook();
    expect(await post({ title: 'T' })).toEqual(TITLED);
    await change({ active: false });
    expect(await post({ title: 'T' })).toEqual(FORBIDDEN);
    await change({ active: true });
    expect(await post({ title: 'T' })).toEqual(TITLED);
    await integrations.delete(`/${id}`);
    // The project is private: who knows no integration of it does not learn that it is there.
    expect(await post({ title: 'T' })).toEqual(NOT_FOUND);
  });

  it('closes the webhook at once when external paging takes over', async () => {
    const { integrations, post } = await webhook();
    expect(await post({ title: 'T' })).toEqual(TITLED);
    const api_url = 'https://paging.example.com';
    await integrations.post('', { name: 'P', type: 'EXTERNAL_PAGING', active: true, api_url });
    expect(await post({ title: 'T' })).toEqual(FORBIDDEN);
  });

  it('may be its deletion while its alerts come in', async () => {
    for (let round = 0; round < 5; round++) {
      const { integrations, id, post } = await webhook();
      await post({ title: 'T' });
      const calls = Array.from({ length: 20 }, () => post({ title: 'T' }));
      await Promise.race(calls);
      const deleted = await integrations.delete(`/${id}`);
      expect(deleted.status).toBe(204);
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      // Stored, refused while it is deleted, or not found afterwards.
      expect(statuses.filter((status) => ![200, 403, 404].includes(status))).toEqual([]);
    }
  });

  it('leaves the key as it is when one is sent', async () => {
    const { token, post, change } = await webhook();
    expect((await change({ token: 'chosen' })).token).toBe(token);
    expect(await post({ title: 'T' })).toEqual(TITLED);
    expect((await post({ title: 'T' }, { key: 'chosen' })).status).toBe(401);
  });
});

describe('a mapping that was set over the API', () => {
  const mapped = (field_name: string, path: unknown[], type = 'STRING') => ({
    payload_attribute_mappings: [{ field_name, path, type }],
  });

  it.each<[object, string]>([
    [{ alert: { name: 'X' }, title: 'Y' }, 'X'],
    [{ title: 'Y' }, 'Y'],
    [{ alert: 'str' }, 'New: Alert'],
  ])('finds the title of %j', async (payload, title) => {
    const { post } = await webhook(mapped('TITLE', ['alert', 'name']));
    expect(await post(payload)).toEqual({ status: 200, body: [{ iid: 1, title }] });
  });

  it('finds hosts in lists', async () => {
    const { project, post } = await webhook(mapped('HOSTS', ['nodes', 0, 'ip']));
    await post({ nodes: [{ ip: '10.0.0.1' }] });
    expect(await storedAlerts(app, project)).toMatchObject([{ hosts: ['10.0.0.1'] }]);
  });

  it('finds the time that ends a problem', async () => {
    const { project, post } = await webhook(mapped('END_TIME', ['recovered_at'], 'DATETIME'));
    expect(await post({ title: 'T' })).toEqual(TITLED);
    expect(await post({ title: 'T', recovered_at: '2026-03-01T11:00:00Z' })).toEqual(TITLED);
    expect(await storedAlerts(app, project)).toMatchObject([
      { status: 2, endedAt: new Date('2026-03-01T11:00:00Z') },
    ]);
  });

  it('is used from the next alert on when it changes', async () => {
    const { post, change } = await webhook();
    expect(await post({ name: 'X', title: 'T' })).toEqual(TITLED);
    await change(mapped('TITLE', ['name']));
    expect(await post({ name: 'X', title: 'Z' })).toEqual({
      status: 200,
      body: [{ iid: 2, title: 'X' }],
    });
  });

  it('holds for the test alert as well', async () => {
    const { project, integrations } = await makePlace(app);
    const { id } = await makeIntegration(app, project);
    await integrations.put(`/${id}`, mapped('TITLE', ['name']));
    const response = await integrations.post(`/${id}/test_alert`, { name: 'X' });
    expect(response.body).toEqual([{ iid: 1, title: 'X' }]);
  });
});
