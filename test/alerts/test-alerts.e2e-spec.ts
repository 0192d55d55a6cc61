import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/members/roles.js';
import { makeIntegration, storedAlerts, storedDeliveries } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makePlace } from './integration-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function testing(role: Role, options: Parameters<typeof makeIntegration>[2] = {}) {
  const { project, path } = await makePlace(app);
  const integration = await makeIntegration(app, project, options);
  const { api, token } = await makeMemberOf(app, project, role);
  const address = path(`/http_integrations/${integration.id}/test_alert`);
  const send = async (body?: object) => outcome(await api.post(address, body));
  return {
    project,
    integration,
    api,
    token,
    address,
    send,
    alerts: () => storedAlerts(app, project),
  };
}

const outcome = (response: { status: number; body: unknown }) => ({
  status: response.status,
  body: response.body,
});
const TITLED = { status: 200, body: [{ iid: 1, title: 'T' }] };

describe('a test alert', () => {
  it('of a developer makes a real alert and is noted as a test', async () => {
    const { integration, send, alerts } = await testing('developer');
    expect(await send({ title: 'T' })).toEqual(TITLED);
    expect(await alerts()).toMatchObject([{ iid: 1, title: 'T', integrationId: integration.id }]);
    expect(await storedDeliveries(app, integration)).toMatchObject([
      { source: 'test', status: 200, alertIids: [1] },
    ]);
  });

  it('is counted and resolved like those of the tool', async () => {
    const { send, alerts } = await testing('developer', {
      resolvedWhen: { path: ['state'], values: ['ok'] },
    });
    expect(await send({ title: 'T', state: 'bad' })).toEqual(TITLED);
    expect(await send({ title: 'T', state: 'bad' })).toEqual(TITLED);
    expect(await alerts()).toMatchObject([{ eventCount: 2, status: 0 }]);
    expect(await send({ title: 'T', state: 'OK' })).toEqual(TITLED);
    expect(await alerts()).toMatchObject([{ eventCount: 2, status: 2 }]);
  });

  it('is read by the mapping of its integration', async () => {
    const { send } = await testing('developer', {
      mappings: [{ field: 'title', path: ['alert', 'name'], type: 'STRING' }],
    });
    expect(await send({ alert: { name: 'T' }, title: 'Y' })).toEqual(TITLED);
  });

  it('may be wrapped in a payload of its own, also as text', async () => {
    const object = await testing('developer');
    expect(await object.send({ payload: { title: 'T' } })).toEqual(TITLED);
    const text = await testing('developer');
    expect(await text.send({ payload: '{"title":"T"}' })).toEqual(TITLED);
  });

  it('keeps a member payload that is not alone', async () => {
    const { send } = await testing('developer', {
      mappings: [{ field: 'title', path: ['payload', 'summary'], type: 'STRING' }],
    });
    expect(await send({ payload: { summary: 'T' }, event_action: 'trigger' })).toEqual(TITLED);
  });

  it('does not keep a token among its members', async () => {
    const { integration, token, address } = await testing('developer');
    const response = await fetch(`${app.url}/api/v4${address}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'T', private_token: token }),
    });
    expect({ status: response.status, body: await response.json() }).toEqual(TITLED);
    const [delivery] = await storedDeliveries(app, integration);
    expect(delivery?.payload?.toString()).toBe('{"title":"T"}');
  });

  it('of a reporter is 403', async () => {
    const { send, alerts } = await testing('reporter');
    expect(await send({ title: 'T' })).toEqual({ status: 403, body: { message: '403 Forbidden' } });
    expect(await alerts()).toEqual([]);
  });

  it('of an inactive integration is 403', async () => {
    const { send, alerts } = await testing('maintainer', { active: false });
    expect(await send({ title: 'T' })).toEqual({ status: 403, body: { message: '403 Forbidden' } });
    expect(await alerts()).toEqual([]);
  });

  it.each(['[1]', '"text"', '7', 'null', 'true', '[{"title":"T"}]'])(
    'can be any JSON, such as %s',
    async (text) => {
      const { api, address, alerts } = await testing('developer');
      const post = api.post(address).set('Content-Type', 'application/json').send(text);
      const made = { status: 200, body: [{ iid: 1, title: 'New: Alert' }] };
      expect(outcome(await post)).toEqual(made);
      expect(outcome(await api.post(address, { payload: text }))).toEqual(made);
      expect(await alerts()).toMatchObject([
        { eventCount: 2, payload: { payload: JSON.parse(text) as unknown } },
      ]);
    },
  );

  it('returns 400 for invalid JSON and 422 for other formats than that of monitoring', async () => {
    const { send } = await testing('developer');
    const bad = { status: 400, body: { message: '400 Bad request' } };
    expect(await send()).toEqual(bad);
    expect(await send({ payload: '{' })).toEqual(bad);
    const metrics = await testing('developer', { type: 'prometheus' });
    expect(await metrics.send({ title: 'T' })).toEqual({
      status: 422,
      body: { message: '422 Unprocessable entity' },
    });
  });
});
