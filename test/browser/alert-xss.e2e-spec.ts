import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeIntegration, postAlert, type MadeIntegration } from '../support/alert-factories.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { makeOwnedGroup, makeProject, type MadeProject } from '../support/project-factories.js';
import { XSS_PAYLOADS } from '../support/xss-payloads.js';
import { dialogsOn, FOREIGN, foreignAt } from './foreign.js';

const GROUPS = 10;
const SIZE = Math.ceil(XSS_PAYLOADS.length / GROUPS);

let app: BrowserApp;
let ada: MadeActor;
beforeAll(async () => {
  app = await sharedBrowserApp();
  ada = await makeActor(app, { username: unique('ada'), name: 'Ada Lovelace' });
});
afterAll(() => app.close());

interface Place {
  project: MadeProject;
  made: MadeIntegration;
  page: Page;
  base: string;
  /** Texts of the boxes that scripts opened. */
  dialogs: string[];
}

async function makePlace(): Promise<Place> {
  const group = await makeOwnedGroup(app, ada);
  const project = await makeProject(app, { namespaceId: group.id });
  const made = await makeIntegration(app, project, { name: XSS_PAYLOADS[0] ?? '' });
  const page = await app.pageAs(ada.user);
  const dialogs = dialogsOn(page);
  return { project, made, page, base: `${app.url}/${project.fullPath}/-`, dialogs };
}

/** A plain alert with the text in every field. */
function plainAlert(text: string): Record<string, unknown> {
  const names = ['title', 'description', 'service', 'monitoring_tool', 'runbook', 'severity'];
  const fields = Object.fromEntries(names.map((name) => [name, text]));
  return { ...fields, hosts: [text], [text]: { [text]: text } };
}

/** An alert of metrics monitoring with the text in every field. */
function monitoringAlert(text: string): Record<string, unknown> {
  const annotations = { title: text, description: text, runbook: text };
  const item = {
    status: 'firing',
    labels: { alertname: text, severity: text, instance: text },
    annotations: { ...annotations, svc_incident_markdown: text, svc_y_label: text },
    startsAt: '2026-03-01T10:00:00Z',
    generatorURL: text,
    fingerprint: `of ${text}`,
  };
  const further = { groupLabels: {}, commonLabels: {}, commonAnnotations: {}, externalURL: text };
  const envelope = { receiver: text, status: 'firing', version: '4', groupKey: text };
  return { ...envelope, ...further, alerts: [item] };
}

/** Opens an incident for the alert and comments on both. */
async function workOn({ project }: Place, iid: number, text: string): Promise<void> {
  const alerts = `/projects/${project.id}/alert_management_alerts/${iid}`;
  const { body } = await ada.api.post(`${alerts}/issue`, {}).expect(201);
  await ada.api.post(`${alerts}/notes`, { body: text }).expect(201);
  const notes = `/projects/${project.id}/issues/${body.iid}/notes`;
  await ada.api.post(notes, { body: text }).expect(201);
}

describe('texts that want to be scripts', () => {
  it('are noticed where a page takes them for more than text', async () => {
    const { page, dialogs } = await makePlace();
    expect(new Set(XSS_PAYLOADS).size).toBeGreaterThanOrEqual(120);
    const [picture, link] = [XSS_PAYLOADS[0], '<a href="javascript:alert(2)">x</a>'];
    await page.setContent(`<main>${picture}${link}</main>`);
    await page.getByText('x', { exact: true }).click();
    expect(await page.evaluate(FOREIGN)).toHaveLength(2);
    expect(dialogs).toEqual(['1', '2']);
  });

  it.each(Array.from({ length: GROUPS }, (_, at) => at))(
    'stay texts on every page about alerts and incidents: part %d',
    async (at) => {
      const place = await makePlace();
      const { made, dialogs } = place;
      const texts = XSS_PAYLOADS.slice(at * SIZE, (at + 1) * SIZE);
      const paths = ['/alert_management?per_page=100', '/incidents?per_page=100'];
      for (const [index, text] of texts.entries()) {
        const form =
          index % 2 === 0 ? [plainAlert, monitoringAlert] : [monitoringAlert, plainAlert];
        for (const [nth, make] of form.entries()) {
          const answer = await postAlert(made.url, made.token, make(text));
          expect(answer.status).toBe(200);
          const iid = index * 2 + nth + 1;
          if (nth === 0) await workOn(place, iid, text);
          paths.push(`/alert_management/${iid}/details`);
        }
        paths.push(`/issues/incident/${index + 1}`);
      }
      for (const path of paths) expect(await foreignAt(place, path)).toEqual([]);
      expect(dialogs).toEqual([]);
      expect(app.chrome.complaints()).toEqual([]);
    },
    120_000,
  );

  it('stay texts on the pages of an integration and its deliveries', async () => {
    const place = await makePlace();
    const { made, page, dialogs } = place;
    for (const text of XSS_PAYLOADS) {
      await postAlert(made.url, made.token, plainAlert(text));
    }
    const own = `/settings/alert_integrations/${made.id}`;
    const [first] = await deliveryIds(made.id);
    const paths = [own, `${own}/mapping`, `${own}/test`, `${own}/deliveries?per_page=100`];
    for (const path of ['/settings/alerts', ...paths, `${own}/deliveries/${first}`]) {
      expect(await foreignAt(place, path)).toEqual([]);
    }
    await page.goto(`${place.base}${own}/mapping`);
    const example = Object.fromEntries(XSS_PAYLOADS.map((text) => [text, text]));
    await page.fill('[name=payload_example]', JSON.stringify(example));
    await page.getByRole('button', { name: 'Find its fields' }).click();
    await page.getByText(`${XSS_PAYLOADS.length} fields to choose from.`).waitFor();
    expect(await page.evaluate(FOREIGN)).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  }, 120_000);
});

async function deliveryIds(integrationId: number): Promise<number[]> {
  const rows = await app.dataSource.query<{ id: number }[]>(
    'SELECT id FROM alert_deliveries WHERE integration_id = $1 ORDER BY id',
    [integrationId],
  );
  return rows.map(({ id }) => id);
}
