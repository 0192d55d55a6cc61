import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  makeAlert,
  makeIntegration,
  postAlert,
  type MadeIntegration,
} from '../support/alert-factories.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { makeOwnedGroup, makeProject, type MadeProject } from '../support/project-factories.js';
import { makeIssueRow } from '../support/recipient-factories.js';
import { joined, spread, XSS_ADDRESSES, XSS_PAYLOADS } from '../support/xss-payloads.js';
import { dialogsOn, FOREIGN, foreignAt, missingOn } from './foreign.js';

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

/** Fields that an alert has once in either form, beside those that become links. */
const FIELDS = ['title', 'description', 'service', 'tool'] as const;
type Fields = Record<(typeof FIELDS)[number], string>;
/** Limit of the shortest of them. */
const FIELD_LENGTH = 100;
type Form = (fields: Fields, texts: readonly string[], address: string) => Record<string, unknown>;

/** A plain alert with a different text in each field, and all of them as hosts and own fields. */
const plainAlert: Form = ({ title, description, service, tool }, texts, address) => ({
  title,
  description,
  service,
  monitoring_tool: tool,
  runbook: address,
  severity: tool,
  hosts: texts,
  fingerprint: `plain ${title}`,
  ...Object.fromEntries(texts.map((text) => [text, { [text]: text }])),
});

/** An alert of metrics monitoring with the texts; its sender's Markdown has all of them. */
const monitoringAlert: Form = ({ title, description, service, tool }, texts, address) => {
  const svc_incident_markdown = texts.join('\n\n');
  const markdown = { svc_incident_markdown, svc_y_label: tool };
  const named = Object.fromEntries(texts.map((text) => [text, text]));
  const item = {
    status: 'firing',
    labels: { ...named, alertname: service, severity: service, instance: tool },
    annotations: { title, description, runbook: address, ...markdown },
    startsAt: '2026-03-01T10:00:00Z',
    generatorURL: address,
    fingerprint: `metrics ${title}`,
  };
  const further = { groupLabels: {}, commonLabels: {}, commonAnnotations: {}, externalURL: title };
  const envelope = { receiver: title, status: 'firing', version: '4', groupKey: title };
  return { ...envelope, ...further, alerts: [item] };
};

/** Opens an incident for the alert and comments on both. */
async function workOn({ project }: Place, iid: number, texts: readonly string[]): Promise<void> {
  const alerts = `/projects/${project.id}/alert_management_alerts/${iid}`;
  const { body } = await ada.api.post(`${alerts}/issue`, {}).expect(201);
  const notes = `/projects/${project.id}/issues/${body.iid}/notes`;
  for (const text of texts) {
    await ada.api.post(`${alerts}/notes`, { body: text }).expect(201);
    await ada.api.post(notes, { body: text }).expect(201);
  }
}

/**
 * Alerts and incidents with the texts for the lists; answers the pages of those that could leave
 * the title of a page.
 */
async function fillLists({ project }: Place, texts: readonly string[]): Promise<string[]> {
  const row = { project, author: ada.user, issueType: 'incident' } as const;
  const paths: string[] = [];
  for (const text of texts) {
    const { iid } = await makeAlert(app, project, { title: text, service: text });
    await makeIssueRow(app, { ...row, title: text });
    // Both are made in pairs, as those before were.
    const pages = [`/alert_management/${iid}/details`, `/issues/incident/${iid}`];
    if (text.includes('</title>')) paths.push(...pages);
  }
  return paths;
}

/** Posts alerts of both forms and works on them; answers their pages. */
async function fillPages(place: Place, texts: readonly string[], part: number): Promise<string[]> {
  const { url, token } = place.made;
  const values = joined(texts, FIELD_LENGTH);
  // From the other end, the second form has each text in another field than the first.
  const forms = [
    { form: plainAlert, records: spread(values, FIELDS) },
    { form: monitoringAlert, records: spread(values.toReversed(), FIELDS) },
  ];
  const bodies = forms.flatMap(({ form, records }) =>
    records.map((fields, nth) => form(fields, texts, addressOf(part * records.length + nth))),
  );
  const paths: string[] = [];
  for (const [index, body] of bodies.entries()) {
    expect((await postAlert(url, token, body)).status).toBe(200);
    const iid = index + 1;
    await workOn(
      place,
      iid,
      texts.filter((_, at) => at % bodies.length === index),
    );
    paths.push(`/alert_management/${iid}/details`, `/issues/incident/${iid}`);
  }
  return paths;
}

/** An address for an alert: each is in one of each form at least. */
function addressOf(nth: number): string {
  return XSS_ADDRESSES[nth % XSS_ADDRESSES.length] ?? '';
}

describe('texts that want to be scripts', () => {
  it('are noticed where a page takes them for more than text', async () => {
    const { page, dialogs } = await makePlace();
    expect(new Set(XSS_PAYLOADS).size).toBeGreaterThanOrEqual(120);
    const [picture, link] = [XSS_PAYLOADS[0], '<a href="javascript:alert(2)">x</a>'];
    await page.setContent(`<main>${picture}${link}</main>`);
    await page.getByText('x', { exact: true }).click();
    expect(await page.evaluate(FOREIGN)).toHaveLength(2);
    await eventually(() => expect(dialogs).toEqual(['1', '2']));
  });

  it.each(Array.from({ length: GROUPS }, (_, at) => at))(
    'stay texts on every page about alerts and incidents: part %d',
    async (at) => {
      const place = await makePlace();
      const { page, dialogs } = place;
      const texts = XSS_PAYLOADS.slice(at * SIZE, (at + 1) * SIZE);
      const paths = await fillPages(place, texts, at);
      for (const path of paths) {
        expect(await foreignAt(place, path)).toEqual([]);
        // An incident makes links and the like of its comments.
        const hidden = path.endsWith('/details') ? await missingOn(page, texts) : [];
        expect(hidden).toEqual([]);
      }
      const titled = await fillLists(place, texts);
      for (const path of titled) expect(await foreignAt(place, path)).toEqual([]);
      for (const path of ['/alert_management?per_page=100', '/incidents?per_page=100']) {
        expect(await foreignAt(place, path)).toEqual([]);
        expect(await missingOn(page, texts)).toEqual([]);
      }
      expect(dialogs).toEqual([]);
      expect(app.chrome.complaints()).toEqual([]);
    },
    120_000,
  );

  it('stay texts on the pages of an integration and its deliveries', async () => {
    const place = await makePlace();
    const { made, page, dialogs } = place;
    const [alert] = spread(XSS_PAYLOADS, FIELDS).map((fields) =>
      plainAlert(fields, XSS_PAYLOADS, addressOf(0)),
    );
    expect((await postAlert(made.url, made.token, alert)).status).toBe(200);
    const own = `/settings/alert_integrations/${made.id}`;
    const [first] = await deliveryIds(made.id);
    const paths = [own, `${own}/mapping`, `${own}/test`, `${own}/deliveries?per_page=100`];
    for (const path of ['/settings/alerts', ...paths, `${own}/deliveries/${first}`]) {
      expect(await foreignAt(place, path)).toEqual([]);
    }
    await page.goto(`${place.base}${own}/mapping`);
    const example = Object.fromEntries(XSS_PAYLOADS.map((text) => [text, text]));
    await page.fill('[name=payload_example]', JSON.stringify(example));
    await page.getByRole('button', { name: 'Parse payload' }).click();
    await page.getByText(`${XSS_PAYLOADS.length} fields found`).waitFor();
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
