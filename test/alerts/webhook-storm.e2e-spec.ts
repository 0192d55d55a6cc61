import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { integrationCipher } from '../../src/alerts/alert-integrations.repository.js';
import {
  makeIntegration,
  makeWebhook,
  monitoringBody,
  monitoringItem,
  postAlert,
  setAlertSettings,
  storedAlerts,
  storedDeliveries,
  type MadeIntegration,
} from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeGroup, makeProject } from '../support/project-factories.js';
import { startSecondProcess } from '../support/second-process.js';

/** Within this time another process knows of a change; a busy computer may hold one up. */
const LATENCY_MS = 50;

let app: OwnTestApp;
let second: NestExpressApplication;
let secondUrl: string;
beforeAll(async () => {
  app = await startTestApp();
  second = await startSecondProcess(app);
  secondUrl = await second.getUrl();
});
afterAll(async () => {
  await second.close();
  await app.close();
});

const atSecond = (url: string): string => url.replace(app.url, secondUrl);

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Posts each body at the same time, to both processes in turn. */
async function storm({ url, token }: MadeIntegration, bodies: unknown[]) {
  return Promise.all(
    bodies.map(async (body, at) => {
      const response = await postAlert(at % 2 === 0 ? url : atSecond(url), token, body);
      return { status: response.status, body: (await response.json()) as unknown };
    }),
  );
}

/** Until some statement waits for the lock of a transaction of ours. */
async function untilSomebodyWaits(): Promise<void> {
  await eventually(async () => {
    const waiting: unknown[] = await app.dataSource.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  });
}

describe('many calls at once', () => {
  it('of the same alert make one alert with all events', async () => {
    const { project, integration } = await makeWebhook(app);
    const { url, token } = integration;
    const answers = await Promise.all(
      times(20).map(async () => (await postAlert(url, token, { title: 'A' })).json()),
    );
    for (const body of answers) expect(body).toEqual([{ iid: 1, title: 'A' }]);
    expect(await storedAlerts(app, project)).toMatchObject([{ eventCount: 20 }]);
  });

  it('to two processes count exactly', async () => {
    const { project, integration } = await makeWebhook(app);
    const answers = await storm(
      integration,
      times(64).map(() => ({ title: 'A' })),
    );
    for (const answer of answers) {
      expect(answer).toEqual({ status: 200, body: [{ iid: 1, title: 'A' }] });
    }
    expect(await storedAlerts(app, project)).toMatchObject([{ eventCount: 64 }]);
    expect(await storedDeliveries(app, integration)).toHaveLength(64);
  });

  it('of different alerts get numbers without gaps', async () => {
    const { project, integration } = await makeWebhook(app);
    await storm(
      integration,
      times(64).map((n) => ({ title: `A${n}` })),
    );
    const alerts = await storedAlerts(app, project);
    expect(alerts.map(({ iid }) => iid)).toEqual(times(64).map((n) => n + 1));
  });

  it('that fire and recover leave one open alert at most, and lose no event', async () => {
    const { project, integration } = await makeWebhook(app);
    const bodies = times(128).map((n) => ({
      title: 'A',
      ...(n % 4 === 3 && { end_time: '2026-03-01T11:00:00Z' }),
    }));
    const answers = await storm(integration, bodies);
    const alerts = await storedAlerts(app, project);
    expect(alerts.filter(({ status }) => status !== 2).length).toBeLessThanOrEqual(1);
    expect(alerts.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(96);
    const refused = answers.filter(({ status }) => status === 400).length;
    expect(alerts.filter(({ status }) => status === 2)).toHaveLength(32 - refused);
  });

  it("of several projects do not stand in each other's way", async () => {
    const webhooks = await Promise.all(times(6).map(() => makeWebhook(app)));
    await Promise.all(
      times(120).map((n) => {
        const { integration } = webhooks[n % 6] as (typeof webhooks)[number];
        const url = n % 2 === 0 ? integration.url : atSecond(integration.url);
        return postAlert(url, integration.token, { title: 'A' });
      }),
    );
    for (const { project } of webhooks) {
      expect(await storedAlerts(app, project)).toMatchObject([{ iid: 1, eventCount: 20 }]);
    }
  });

  it('of which one is bad store all the others', async () => {
    const { project, integration } = await makeWebhook(app);
    const recovery = { title: 'never', end_time: '2026-03-01T11:00:00Z' };
    const bodies = times(40).map((n) => (n === 20 ? recovery : { title: `A${n}` }));
    const answers = await storm(integration, bodies);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([
      { status: 400, body: { message: '400 Bad request' } },
    ]);
    expect(await storedAlerts(app, project)).toHaveLength(39);
  });

  it('of which one is of an integration that goes away store all the others', async () => {
    const { project, integration } = await makeWebhook(app);
    const leaving = await makeIntegration(app, project);
    await postAlert(leaving.url, leaving.token, { title: 'first' });
    let calls: Promise<number>[] = [];
    await app.dataSource.transaction(async (tx) => {
      await tx.query('DELETE FROM alert_integrations WHERE id = $1', [leaving.id]);
      calls = times(10).map(async (n) => {
        const { url, token } = n === 5 ? leaving : integration;
        return (await postAlert(url, token, { title: `A${n}` })).status;
      });
      await untilSomebodyWaits();
    });
    expect(await Promise.all(calls)).toEqual(times(10).map((n) => (n === 5 ? 403 : 200)));
    expect(await storedAlerts(app, project)).toHaveLength(10);
  });

  it('make one mail row of equal alerts of one call', async () => {
    const { project, integration } = await makeWebhook(app, { type: 'prometheus' });
    await setAlertSettings(app, project, { sendEmail: true });
    const items = times(50).map(() => monitoringItem('A'));
    await postAlert(integration.url, integration.token, monitoringBody(items));
    const rows: unknown = await app.dataSource.query(
      `SELECT kind, r.events FROM alert_reactions r JOIN alerts a ON a.id = r.alert_id
       WHERE a.project_id = $1`,
      [project.id],
    );
    expect(rows).toEqual([{ kind: 'mail_firing', events: 50 }]);
  });
});

describe('an alert that is reopened meanwhile', () => {
  it('counts the event instead of failing', async () => {
    const { project, integration } = await makeWebhook(app);
    const { url, token } = integration;
    await postAlert(url, token, { title: 'A' });
    await postAlert(url, token, { title: 'A', end_time: '2026-03-01T11:00:00Z' });
    let call: Promise<Response> | undefined;
    await app.dataSource.transaction(async (tx) => {
      await tx.query(
        'UPDATE alerts SET status = 0, ended_at = NULL WHERE project_id = $1 AND iid = 1',
        [project.id],
      );
      call = postAlert(url, token, { title: 'A' });
      await untilSomebodyWaits();
    });
    expect(await (await call)?.json()).toEqual([{ iid: 1, title: 'A' }]);
    expect(await storedAlerts(app, project)).toMatchObject([{ status: 0, eventCount: 2 }]);
  });
});

describe('another process', () => {
  /** Milliseconds until the second process answers so; the fastest of three. */
  async function fastest(change: (made: MadeIntegration) => Promise<unknown>, status: number) {
    const latencies: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const group = await makeGroup(app);
      const project = await makeProject(app, { namespaceId: group.id });
      const made = await makeIntegration(app, project);
      const ask = () => postAlert(atSecond(made.url), made.token, { title: 'A' });
      expect((await ask()).status).toBe(200);
      await change(made);
      const start = performance.now();
      while ((await ask()).status !== status) {
        if (performance.now() - start > 4_000) throw new Error('It does not hear of the change');
      }
      latencies.push(performance.now() - start);
    }
    return Math.min(...latencies);
  }

  it('refuses the old key at once', async () => {
    const reset = ({ id }: MadeIntegration) =>
      app.dataSource.query('UPDATE alert_integrations SET encrypted_token = $2 WHERE id = $1', [
        id,
        integrationCipher(app.config).encrypt('0'.repeat(32)),
      ]);
    expect(await fastest(reset, 401)).toBeLessThan(LATENCY_MS);
  });

  it('refuses an integration that was switched off at once', async () => {
    const switchOff = ({ id }: MadeIntegration) =>
      app.dataSource.query('UPDATE alert_integrations SET active = false WHERE id = $1', [id]);
    expect(await fastest(switchOff, 403)).toBeLessThan(LATENCY_MS);
  });
});
