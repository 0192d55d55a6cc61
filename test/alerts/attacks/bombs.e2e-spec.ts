import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { Test } from 'supertest';
import {
  makeAlert,
  makeIntegration,
  makeWebhook,
  monitoringBody,
  monitoringItem,
  postAlert,
  setAlertSettings,
  storedAlerts,
} from '../../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../../support/app.js';
import { durationOf } from '../../support/effort.js';
import { makeActor, type MadeActor } from '../../support/factories.js';
import { createIssue } from '../../support/issue-factories.js';
import { signedIn, type PageClient } from '../../support/page-client.js';
import { makeProject, type MadeProject } from '../../support/project-factories.js';
import { startTestWorker } from '../../support/worker.js';
import { react, waitingReactions } from '../reactions.js';

/** One of three tries must take less, see `durationOf`. */
const LONGEST = 15;
const MIB = 1_048_576;
/** No answer is much longer than what was sent. */
const MOST_BYTES = 4 * MIB;

let app: OwnTestApp;
let owner: MadeActor;
let pages: PageClient;
let project: MadeProject;
let worker: INestApplicationContext;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
  owner = await makeActor(app);
  pages = await signedIn(app, owner.user);
  project = await makeProject(app, { namespaceId: owner.user.namespaceId });
});
afterAll(async () => {
  await worker.close();
  await app.close();
});

/** Objects in objects, the innermost with many members: each name is long. */
function deep(levels: number, nameLength: number, inner: object): object {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = { ['n'.repeat(nameLength)]: value };
  return value;
}

const members = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));

const BOMBS: [string, () => object][] = [
  ['one long name above many members', () => deep(1, 800_000, members(15_000))],
  ['long names in depth above many members', () => deep(90, 9_000, members(15_000))],
  ['one long name above a list of texts', () => deep(1, 900_000, { l: Array(20_000).fill('a') })],
  ['names of 1,000 in depth', () => deep(90, 1_000, members(15_000))],
  ['a list of lists', () => ({ l: Array(5_000).fill(Array(40).fill('a')) })],
  ['a deep list of many numbers', () => deep(90, 1, { l: Array(400_000).fill(0) })],
];

async function expectSmall(ask: () => Test): Promise<void> {
  let duration = Infinity;
  for (let left = 3; left > 0 && duration > LONGEST; left -= 1) {
    duration = await durationOf(async () => {
      const { status, text } = await ask();
      expect(status).toBeLessThan(500);
      expect(Buffer.byteLength(text ?? '')).toBeLessThan(MOST_BYTES);
    });
  }
  expect(duration).toBeLessThan(LONGEST);
}

describe('a payload that would be a thousand times as long when shown', () => {
  it.each(BOMBS)('is not, in the API nor on pages: %s', async (_, make) => {
    const integration = await makeIntegration(app, project);
    const sent = await postAlert(integration.url, integration.token, { title: 'Bomb', b: make() });
    expect(sent.status).toBe(200);
    const [{ iid }] = (await sent.json()) as [{ iid: number }];
    const api = `/projects/${project.id}/alert_management_alerts`;
    await expectSmall(() => owner.api.get(`${api}/${iid}`));
    await expectSmall(() => owner.api.get(api));
    const base = `/${project.fullPath}/-/alert_management`;
    await expectSmall(() => pages.get(`${base}/${iid}/details`));
  });

  it.each(BOMBS)('is not as an example of a payload: %s', async (_, make) => {
    const example = JSON.stringify(make());
    const api = `/projects/${project.id}/alert_management`;
    const ask = () => owner.api.post(`${api}/payload_fields`, { payload_example: example });
    await expectSmall(ask);
    const integration = await makeIntegration(app, project);
    const path = `${api}/http_integrations/${integration.id}`;
    const { status } = await owner.api.put(path, { payload_example: example });
    expect([200, 400, 413]).toContain(status);
    const page = `/${project.fullPath}/-/settings/alert_integrations/${integration.id}/mapping`;
    await expectSmall(() => pages.get(page));
    const found = { payload_example: example, step: 'fields' };
    await expectSmall(() => pages.post(page, found));
    await owner.api.delete(path).expect(204);
  });

  it('is not through the names of the fields that lists have', async () => {
    const { project: many, integration } = await makeWebhook(app);
    const long = 'r'.repeat(900_000);
    await postAlert(integration.url, integration.token, { title: 'A', runbook: long });
    const generatorURL = `http://p/graph?g0.expr=${long}`;
    const body = monitoringBody([monitoringItem('B', { generatorURL })]);
    await postAlert(integration.url, integration.token, body);
    const [plain, monitoring] = await storedAlerts(app, many);
    expect(plain?.runbook).toBe(`${'r'.repeat(4_093)}...`);
    expect(monitoring?.query).toBe(`${'r'.repeat(4_093)}...`);
  });
});

describe('an incident whose text is longer than issues may have', () => {
  it('opens with the beginning of it, and keeps no other from opening', async () => {
    const { project: many, integration } = await makeWebhook(app);
    await setAlertSettings(app, many, { createIssue: true });
    const bodyOf = (name: string, markdown: string) => {
      const annotations = { svc_incident_markdown: markdown, description: '*'.repeat(1_000) };
      return JSON.stringify(monitoringBody([monitoringItem(name, { annotations })]));
    };
    const room = MIB - bodyOf('Long', '').length;
    for (const body of [bodyOf('Long', 'm'.repeat(room)), bodyOf('Short', 'm')]) {
      expect((await postAlert(integration.url, integration.token, body)).status).toBe(200);
    }
    await react(worker);
    expect(await waitingReactions(app)).toEqual([]);
    const rows = await app.dataSource.query<{ length: number }[]>(
      'SELECT length(description) AS length FROM issues WHERE project_id = $1 ORDER BY id',
      [many.id],
    );
    expect(rows[0]?.length).toBe(MIB);
    expect(rows).toHaveLength(2);
  });
});

describe('parameters without measure', () => {
  it('are refused or read at once', async () => {
    const api = `/projects/${project.id}`;
    const integrations = `${api}/alert_management/http_integrations`;
    const { body } = await owner.api.post(integrations, { name: 'Bombs', active: true });
    const one = `${integrations}/${(body as { id: number }).id}`;
    const names = Array.from({ length: 10_000 }, (_, at) => `label-${at}`);
    const line = (path: unknown) => ({ field_name: 'TITLE', path, type: 'STRING' });
    const { iid } = await createIssue(owner.api, project);
    const nested = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    const asks: (() => Test)[] = [
      () => owner.api.put(`${api}/issues/${iid}`, { labels: names }),
      () => owner.api.put(`${api}/issues/${iid}`, { add_labels: names.join(',') }),
      () => owner.api.put(`${api}/issues/${iid}`, { remove_labels: names }),
      () => owner.api.put(`${api}/issues/${iid}`, { assignee_ids: names.map((__, at) => at) }),
      () => owner.api.post(`${api}/issues`, { title: 'x', labels: names }),
      () => owner.api.put(one, { payload_attribute_mappings: [line(Array(100_000).fill('a'))] }),
      () => owner.api.put(one, { payload_attribute_mappings: [line(['a'.repeat(900_000)])] }),
      () => owner.api.put(one, { payload_attribute_mappings: Array(9_000).fill(line(['a'])) }),
      () => owner.api.put(one, { payload_attribute_mappings: nested }),
      () => owner.api.put(one, { payload_attribute_mappings: `[{"path":${nested}}]` }),
      () => owner.api.put(one, { payload_example: nested }),
      () => owner.api.put(one, { payload_example: `{"a":${nested}}` }),
      () => owner.api.put(one, { resolved_when: nested }),
      () => owner.api.put(one, { resolved_when: { path: ['a'], values: names } }),
      () => owner.api.post(`${one}/test_alert`, { payload: `{"a":${nested}}` }),
      () => owner.api.post(`${api}/alert_management/payload_fields`, { payload_example: nested }),
    ];
    for (const ask of asks) {
      await expectSmall(ask);
      expect([200, 201, 400, 413]).toContain((await ask()).status);
    }
    const kept = await owner.api.get(one).expect(200);
    expect(kept.body).toMatchObject({ payload_attribute_mappings: [], resolved_when: null });
  });

  it('are numbers of nothing when they are too large, and refused when they are texts', async () => {
    const integration = await makeIntegration(app, project);
    await makeAlert(app, project);
    const base = `/projects/${project.id}`;
    const one = `${base}/alert_management/http_integrations/${integration.id}`;
    const paths = (id: string) => [
      `${base}/alert_management_alerts/${id}`,
      `${base}/alert_management_alerts/${id}/notes`,
      `${base}/issues/${id}`,
      `${base}/issues/${id}/notes`,
      `${base}/issues/1/notes/${id}`,
      `${base}/environments/${id}`,
      `${base}/alert_management/http_integrations/${id}`,
      `${one}/deliveries/${id}`,
    ];
    for (const id of ['9223372036854775808', '9223372036854775807', '99999999999999999999', '-1']) {
      for (const path of paths(id)) {
        expect([path, (await owner.api.get(path)).status]).toEqual([path, 404]);
      }
    }
    for (const id of ['1x', '0x1', '1e3', "1'--", '1.0', '%00', '１']) {
      for (const path of paths(encodeURIComponent(id))) {
        const { status } = await owner.api.get(path);
        expect([path, [400, 404].includes(status)]).toEqual([path, true]);
      }
    }
    const page = `/${project.fullPath}/-`;
    for (const id of ['9223372036854775808', '1x', '-1', '%00']) {
      for (const path of [`/alert_management/${id}/details`, `/issues/${id}`]) {
        const { status } = await pages.get(page + path);
        expect([path, [400, 404].includes(status)]).toEqual([path, true]);
      }
    }
    const lists = ['iids[]=9223372036854775808', 'iid=9223372036854775807', 'iids=1,x'];
    for (const query of lists) {
      const { status } = await owner.api.get(`${base}/alert_management_alerts?${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
  });
});
