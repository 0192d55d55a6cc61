import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeIntegration } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makePlace, trailOf, type IntegrationBody, type Place } from './integration-place.js';

const PAGING = {
  type: 'EXTERNAL_PAGING',
  name: 'Pager',
  active: true,
  api_url: 'https://paging.example.com/team',
};
const WHILE_PAGING = {
  status: 400,
  body: {
    message: {
      active: ['cannot be switched on while an external paging integration is active'],
    },
  },
};

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function activity({ integrations }: Place): Promise<Record<string, boolean>> {
  const response = await integrations.get('');
  const rows = response.body as IntegrationBody[];
  return Object.fromEntries(rows.map(({ name, active }) => [name, active]));
}

const outcome = (response: { status: number; body: unknown }) => ({
  status: response.status,
  body: response.body,
});

describe('external paging', () => {
  it('has an address of its own and neither key nor webhook', async () => {
    const { integrations } = await makePlace(app);
    const response = await integrations.post('', PAGING);
    expect(outcome(response)).toEqual({
      status: 201,
      body: {
        ...PAGING,
        id: expect.any(Number),
        token: null,
        url: null,
        payload_attribute_mappings: [],
        resolved_when: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        payload_example: {},
      },
    });
  });

  it('deactivates all others when activated, with an audit event each', async () => {
    const place = await makePlace(app);
    await makeIntegration(app, place.project, { name: 'One' });
    await makeIntegration(app, place.project, { name: 'Two', type: 'prometheus' });
    await makeIntegration(app, place.project, { name: 'Off', active: false });
    await place.integrations.post('', PAGING);

    expect(await activity(place)).toEqual({ One: false, Two: false, Off: false, Pager: true });
    const turnedOff = { active: { from: true, to: false } };
    expect(await trailOf(app, place.project)).toMatchObject([
      { action: 'alert_integration_updated', target_name: 'One', details: turnedOff },
      { action: 'alert_integration_updated', target_name: 'Two', details: turnedOff },
      { action: 'alert_integration_created', target_name: 'Pager' },
    ]);
  });

  it('leaves the others alone while it is not active', async () => {
    const place = await makePlace(app);
    await makeIntegration(app, place.project, { name: 'One' });
    const response = await place.integrations.post('', { ...PAGING, active: false });
    expect(await activity(place)).toEqual({ One: true, Pager: false });

    await place.integrations.put(`/${(response.body as IntegrationBody).id}`, { active: true });
    expect(await activity(place)).toEqual({ One: false, Pager: true });
  });

  it('keeps others from being turned on while it is active', async () => {
    const place = await makePlace(app);
    const one = await makeIntegration(app, place.project, { name: 'One', active: false });
    const response = await place.integrations.post('', PAGING);
    const { id } = response.body as IntegrationBody;
    const turnOn = () => place.integrations.put(`/${one.id}`, { active: true });

    expect(outcome(await turnOn())).toEqual(WHILE_PAGING);
    expect(outcome(await place.integrations.post('', { name: 'x', active: true }))).toEqual(
      WHILE_PAGING,
    );
    expect((await place.integrations.post('', { name: 'x', active: false })).status).toBe(201);

    await place.integrations.put(`/${id}`, { active: false });
    expect((await turnOn()).status).toBe(200);
  });

  it('is there once in a project', async () => {
    const place = await makePlace(app);
    await place.integrations.post('', PAGING);
    const again = await place.integrations.post('', { ...PAGING, name: 'Second', active: false });
    expect(outcome(again)).toEqual({
      status: 400,
      body: {
        message: {
          type: ['Multiple integrations of a single type are not supported for this project'],
        },
      },
    });
  });

  it('takes no alerts', async () => {
    const { project, integrations } = await makePlace(app);
    const { id } = await makeIntegration(app, project, { type: 'external_paging' });
    const response = await integrations.post(`/${id}/test_alert`, { title: 'x' });
    expect(outcome(response)).toEqual({
      status: 400,
      body: { message: '400 Bad request - external paging integrations take no alerts' },
    });
  });

  it('is never active together with others, however much happens at once', async () => {
    for (let round = 0; round < 5; round++) {
      const place = await makePlace(app);
      const { integrations, project } = place;
      const one = await makeIntegration(app, project, { name: 'One', active: false });
      const made = await Promise.all([
        integrations.post('', PAGING),
        integrations.put(`/${one.id}`, { active: true }),
        integrations.post('', { ...PAGING, name: 'Pager 2' }),
        integrations.post('', { name: 'Two', active: true }),
      ]);
      expect(made.filter(({ status }) => status >= 500)).toEqual([]);
      const active = Object.entries(await activity(place)).filter(([, isActive]) => isActive);
      expect(active).toHaveLength(1);
      expect(active[0]?.[0]).toMatch(/^Pager/);
    }
  });
});

describe('the number of integrations', () => {
  const limit = async (value: number) => {
    await app.dataSource.query(
      `INSERT INTO application_settings (name, value) VALUES ('alert_integrations_per_project', $1)
       ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
      [JSON.stringify(value)],
    );
  };

  it('has a bound that two creations at once do not pass', async () => {
    await limit(25);
    const { project, integrations } = await makePlace(app);
    for (let n = 0; n < 24; n++) await makeIntegration(app, project);
    const wish = { name: 'Last', active: true };
    const made = await Promise.all([integrations.post('', wish), integrations.post('', wish)]);

    expect(made.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(made.find(({ status }) => status === 400)?.body).toEqual({
      message: '400 Bad request - the project already has 25 alert integrations',
    });
    expect((await integrations.get('')).headers['x-total']).toBe('25');
  });
});
