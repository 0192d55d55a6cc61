import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AlertDelivery } from '../../src/alerts/alert-deliveries.repository.js';
import { AlertIntegration } from '../../src/alerts/alert-integration.entity.js';
import { AlertSetting } from '../../src/alerts/alert-settings.repository.js';
import { columnsOf } from '../../src/alerts/integrations/integration-attributes.js';
import { Alert } from '../../src/alerts/alert.entity.js';
import { makeIntegration, postAlert, type MadeIntegration } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { textOf } from '../support/html.js';
import { makeMember, makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';

const XSS = '<img src=x onerror=alert(1)>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** A project with the browser of its owner. */
async function makePlace() {
  const { pages, user } = await makeVisitor(app);
  const group = await makeOwnedGroup(app, { user });
  const project = await makeProject(app, { namespaceId: group.id });
  const base = `/${project.fullPath}/-/settings`;
  return { pages, project, settings: `${base}/alerts`, list: `${base}/alert_integrations` };
}

const stored = (id: number): Promise<AlertIntegration> =>
  app.dataSource.manager.findOneByOrFail(AlertIntegration, { id });

const FIELDS = { type: 'HTTP', name: 'Disk watch', api_url: '', active: 'true' };

describe('alert settings', () => {
  it('are changed by the form, which begins with the defaults', async () => {
    const { pages, project, settings } = await makePlace();
    const { text } = await pages.get(settings).expect(200);
    expect(textOf(text)).toContain('No integrations yet');
    expect(text).toMatch(/id="field-auto_close_incident"[^>]*>/);
    expect(text).toContain(`href="/-/profile/notifications/projects/${project.id}"`);
    const fields = { create_issue: 'true', issue_template_key: 'outage', send_email: 'true' };
    expect(text).toMatch(/<option value="40" selected/);
    const more = {
      email_access_level: '30',
      auto_close_incident: 'false',
      auto_resolve_hours: '24',
    };
    await pages.post(settings, { ...fields, ...more }).expect(303);
    const row = await app.dataSource.manager.findOneByOrFail(AlertSetting, {
      projectId: project.id,
    });
    expect(row).toMatchObject({ createIssue: true, issueTemplateKey: 'outage', sendEmail: true });
    expect(row).toMatchObject({
      emailAccessLevel: 30,
      autoCloseIncident: false,
      autoResolveHours: 24,
    });
    await pages.post(settings, { ...fields, ...more, auto_resolve_hours: '' }).expect(303);
    const changed = await pages.get(settings).expect(200);
    expect(textOf(changed.text)).toContain('Create an incident for each new alert');
    expect(changed.text).toMatch(/<option value="30" selected/);
  });

  it('are shown again with what is wrong', async () => {
    const { pages, settings } = await makePlace();
    const fields = { auto_resolve_hours: '9000', issue_template_key: '../x' };
    const { text } = await pages.post(settings, fields).expect(422);
    expect(text).toMatch(/id="field-auto_resolve_hours"[^>]*aria-invalid="true"/);
    expect(text).toMatch(/id="field-issue_template_key"[^>]*aria-invalid="true"/);
    expect(text).toContain('value="9000"');
  });

  it('list the integrations with state and last delivery, and stand among the settings', async () => {
    const { pages, project, settings } = await makePlace();
    const made = await makeIntegration(app, project, { name: XSS });
    await postAlert(made.url, made.token, { title: 'Disk full' });
    await makeIntegration(app, project, { name: 'Cluster', type: 'prometheus', active: false });
    const { text } = await pages.get(settings).expect(200);
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toMatch(/Active HTTP endpoint 200 OK Last delivery 20\d\d-.* UTC/);
    expect(textOf(text)).toMatch(/Cluster Inactive Prometheus No deliveries yet/);
    const general = await pages.get(`/${project.fullPath}/-/edit`).expect(200);
    expect(general.text).toContain(`href="${settings}"`);
  });
});

describe('an integration', () => {
  it('is made, shown with address, key and examples, changed and deleted', async () => {
    const { pages, project, list, settings } = await makePlace();
    const blank = await pages.get(`${list}/new`).expect(200);
    expect(textOf(/<h1>.*?<\/h1>/s.exec(blank.text)?.[0] ?? '')).toBe('New integration');
    const way = /<nav class="breadcrumb".*?<\/nav>/s.exec(blank.text)?.[0] ?? '';
    expect(way).toContain(`<a href="${settings}">Alerts</a>`);
    const made = await pages.post(list, FIELDS).expect(303);
    const path = String(made.headers['location']);
    const id = Number(path.slice(list.length + 1));
    const row = await stored(id);
    const { text } = await pages.get(path).expect(200);
    const url = `${app.config.baseUrl}/${project.fullPath}/alerts/notify/disk-watch/${row.identifier}.json`;
    expect(text).toContain(`value="${url}"`);
    const key = /value="([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
    expect(text).toContain(`Authorization: Bearer ${key}`);
    expect(text).toContain(`credentials: &quot;${key}`);
    await pages.post(path, { name: 'New name', active: 'false' }).expect(303);
    expect(await stored(id)).toMatchObject({ name: 'New name', active: false });
    await pages.post(`${path}/reset`).expect(303);
    expect((await pages.get(path)).text).not.toContain(key);
    const gone = await pages.post(`${path}/delete`).expect(303);
    expect(gone.headers['location']).toBe(settings);
    await pages.get(path).expect(404);
  });

  it('is not made from fields that are wrong', async () => {
    const { pages, project, list } = await makePlace();
    const { text } = await pages.post(list, { ...FIELDS, name: ' ' }).expect(422);
    expect(text).toMatch(/id="field-name"[^>]*aria-invalid="true"/);
    const prometheus = { ...FIELDS, type: 'PROMETHEUS', api_url: 'ftp://x' };
    const other = await pages.post(list, prometheus).expect(422);
    expect(other.text).toMatch(/id="field-api_url"[^>]*aria-invalid="true"/);
    expect(other.text).toMatch(/value="PROMETHEUS"[^>]*checked/);
    const count = await app.dataSource.manager.countBy(AlertIntegration, { projectId: project.id });
    expect(count).toBe(0);
  });

  it('of external paging has neither key nor webhook pages', async () => {
    const { pages, project, list } = await makePlace();
    const { id } = await makeIntegration(app, project, { type: 'external_paging' });
    const { text } = await pages.get(`${list}/${id}`).expect(200);
    expect(text).not.toContain('Reset key');
    expect(textOf(text)).not.toMatch(/still posts|alertmanager|its key/);
    expect(text).toContain('https://paging.example.com');
    expect(textOf(text)).toContain('Other integrations stay disabled until you enable them.');
    await pages.get(`${list}/${id}/mapping`).expect(404);
    await pages.get(`${list}/${id}/test`).expect(404);
    await pages.get(`${list}/${id}/deliveries`).expect(404);
    await pages.post(`${list}/${id}`, { name: 'x', active: 'true', api_url: '' }).expect(422);
  });
});

/** Fields of a mapping in the form. */
const MAPPED = {
  payload_example: '{"event":{"name":"A","state":"firing"}}',
  'mapping[TITLE]': '["event","name"]',
  resolved_path: '["event","state"]',
  resolved_values: 'recovered, ok',
};

describe('a mapping', () => {
  it('is chosen from the fields of an example, which is not saved by looking', async () => {
    const { pages, project, list } = await makePlace();
    const { id } = await makeIntegration(app, project);
    const path = `${list}/${id}/mapping`;
    await pages.get(path).expect(200);
    const { text } = await pages.post(path, { ...MAPPED, step: 'fields' }).expect(200);
    expect(textOf(text)).toContain('2 fields found');
    expect(text).toMatch(/value="\[&quot;event&quot;,&quot;name&quot;\]" selected/);
    expect((await stored(id)).payloadAttributeMappings).toEqual([]);
    await pages.post(path, { ...MAPPED, step: 'save' }).expect(303);
    expect(await stored(id)).toMatchObject({
      payloadExample: { event: { name: 'A', state: 'firing' } },
      payloadAttributeMappings: [
        { field: 'title', path: ['event', 'name'], type: 'STRING', label: 'event/name' },
      ],
      resolvedWhen: { path: ['event', 'state'], values: ['recovered', 'ok'] },
    });
    expect((await pages.get(path)).text).toContain('value="recovered, ok"');
  });

  it('is cleared by choosing nothing', async () => {
    const { pages, project, list } = await makePlace();
    const mappings = [{ field: 'title' as const, path: ['a'], type: 'STRING' as const }];
    const { id } = await makeIntegration(app, project, { mappings });
    const path = `${list}/${id}/mapping`;
    expect((await pages.get(path)).text).toMatch(/value="\[&quot;a&quot;\]" selected/);
    await pages.post(path, { payload_example: '', step: 'save' }).expect(303);
    expect((await stored(id)).payloadAttributeMappings).toEqual([]);
  });

  it.each([
    ['an example that is no JSON', { payload_example: '{"a":' }, 'payload_example'],
    ['an example that is no object', { payload_example: '[1]' }, 'payload_example'],
    ['words without their field', { resolved_path: '', resolved_values: 'ok' }, 'resolved_path'],
  ])('is refused for %s', async (_, fields, field) => {
    const { pages, project, list } = await makePlace();
    const { id } = await makeIntegration(app, project);
    const path = `${list}/${id}/mapping`;
    const { text } = await pages.post(path, { ...MAPPED, ...fields, step: 'save' }).expect(422);
    expect(text).toMatch(new RegExp(`id="field-${field}"[^>]*aria-invalid="true"`));
    expect((await stored(id)).payloadAttributeMappings).toEqual([]);
  });

  it('is refused with an impossible path', async () => {
    const { pages, project, list } = await makePlace();
    const { id } = await makeIntegration(app, project);
    const fields = { ...MAPPED, 'mapping[TITLE]': '{"a":1}', step: 'save' };
    const { text } = await pages.post(`${list}/${id}/mapping`, fields).expect(422);
    expect(textOf(text)).toContain('There is a problem');
  });
});

describe('a test alert', () => {
  it('makes a real alert for developers, who see no key', async () => {
    const { project, list } = await makePlace();
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { project, user, role: 'developer' });
    const { id, token } = await makeIntegration(app, project);
    const { text } = await pages.get(`${list}/${id}/test`).expect(200);
    expect(text).not.toContain(token);
    expect(text).not.toContain(`${list}/${id}/deliveries`);
    const payload = JSON.stringify({ title: XSS });
    const sent = await pages.post(`${list}/${id}/test`, { payload }).expect(303);
    const after = await pages.get(String(sent.headers['location'])).expect(200);
    expect(after.text).toContain(`/${project.fullPath}/-/alert_management/1/details`);
    expect(textOf(after.text)).toContain(`Alert #1: ${XSS}`);
    expect(await app.dataSource.manager.countBy(Alert, { projectId: project.id })).toBe(1);
    await pages.get(`${list}/${id}/test?touched=1;drop`).expect(200);
  });

  it('begins with the example of the integration, which the shell takes as it is', async () => {
    const { pages, project, list } = await makePlace();
    const { id } = await makeIntegration(app, project);
    const offered = async (): Promise<string> =>
      textOf((await pages.get(`${list}/${id}/test`).expect(200)).text);
    const pasted = async (): Promise<string> =>
      textOf((await pages.get(`${list}/${id}`).expect(200)).text);
    const store = (payloadExample: Record<string, unknown>) =>
      app.dataSource.manager.update(AlertIntegration, { id }, columnsOf({ payloadExample }));
    expect(await offered()).toContain('"title": "Disk is nearly full"');
    await store({ event: "'; exit #" });
    expect(await offered()).toContain(`{ "event": "'; exit #" }`);
    expect(await pasted()).toContain(`--data '{ "event": "'\\''; exit #" }'`);
    await store({ event: 'x'.repeat(20_000) });
    expect(await offered()).toContain('x'.repeat(20_000));
    expect(await pasted()).toContain('"title": "Disk is nearly full"');
  });

  it.each([
    ['no JSON', 'http', '{"title":'],
    ['the end of nothing', 'http', '{"title":"A","end_time":"2026-03-01T12:00:00Z"}'],
    ['another format', 'prometheus', '{"title":"A"}'],
  ] as const)('is refused for %s, and what was typed in is kept', async (_, type, payload) => {
    const { pages, project, list } = await makePlace();
    const { id } = await makeIntegration(app, project, { type });
    const { text } = await pages.post(`${list}/${id}/test`, { payload }).expect(422);
    expect(text).toMatch(/id="field-payload"[^>]*aria-invalid="true"/);
    expect(textOf(text)).toContain(payload);
  });

  it('is refused by an integration that is switched off', async () => {
    const { pages, project, list } = await makePlace();
    const { id } = await makeIntegration(app, project, { active: false });
    const { text } = await pages.get(`${list}/${id}/test`).expect(200);
    expect(text).toMatch(/<button[^>]*disabled[^>]*>Send test alert/);
    await pages.post(`${list}/${id}/test`, { payload: '{}' }).expect(422);
  });
});

/** The deliveries of an integration, the oldest first. */
const deliveriesOf = ({ id }: MadeIntegration): Promise<AlertDelivery[]> =>
  app.dataSource.manager.find(AlertDelivery, {
    where: { integrationId: id },
    order: { id: 'ASC' },
  });

describe('deliveries', () => {
  it('are listed and shown with their payload, and sent again', async () => {
    const { pages, project, list } = await makePlace();
    const made = await makeIntegration(app, project);
    const path = `${list}/${made.id}/deliveries`;
    expect(textOf((await pages.get(path)).text)).toContain('No deliveries yet');
    await postAlert(made.url, made.token, { title: XSS });
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toMatch(/200 OK .* Webhook .* B Alerts #1/);
    const [first] = await deliveriesOf(made);
    const shown = await pages.get(`${path}/${first?.id}`).expect(200);
    expect(shown.text).not.toContain(XSS);
    expect(textOf(shown.text)).toContain(`{ "title": "${XSS}" }`);
    await pages.post(`${path}/${first?.id}/replay`).expect(303);
    const row = await app.dataSource.manager.findOneByOrFail(Alert, { projectId: project.id });
    expect(row.eventCount).toBe(2);
    expect((await deliveriesOf(made)).map(({ source }) => source)).toEqual(['webhook', 'replay']);
  });

  it('of another integration do not exist', async () => {
    const { pages, project, list } = await makePlace();
    const made = await makeIntegration(app, project);
    const other = await makeIntegration(app, project);
    await postAlert(made.url, made.token, { title: 'A' });
    const [first] = await deliveriesOf(made);
    await pages.get(`${list}/${other.id}/deliveries/${first?.id}`).expect(404);
    await pages.post(`${list}/${other.id}/deliveries/${first?.id}/replay`).expect(404);
  });
});

describe('pages of integrations', () => {
  /** Every page and form, and what each answers to a browser. */
  async function answers(pages: PageClient, { settings, list, id }: Record<string, unknown>) {
    const one = `${String(list)}/${String(id)}`;
    const reads = [String(settings), `${String(list)}/new`, one].concat(
      ['mapping', 'deliveries', 'deliveries/1'].map((page) => `${one}/${page}`),
    );
    const forms = [String(settings), String(list), one].concat(
      ['reset', 'delete', 'mapping', 'deliveries/1/replay'].map((form) => `${one}/${form}`),
    );
    const got = [];
    for (const path of reads) got.push((await pages.get(path)).status);
    for (const path of forms) got.push((await pages.post(path, FIELDS)).status);
    return got;
  }

  it('do not exist below maintainers, nor for those of other projects', async () => {
    const { project, settings, list } = await makePlace();
    const developer = await makeVisitor(app);
    await makeMember(app, { project, user: developer.user, role: 'developer' });
    const made = await makeIntegration(app, project, { name: 'Kept' });
    const place = { settings, list, id: made.id };
    const none = Array.from({ length: 13 }, () => 404);
    expect(await answers(developer.pages, place)).toEqual(none);
    const other = await makePlace();
    expect(await answers(other.pages, place)).toEqual(none);
    await other.pages.get(`${other.list}/${made.id}`).expect(404);
    await other.pages.post(`${other.list}/${made.id}/delete`).expect(404);
    await other.pages.post(`${other.list}/${made.id}/reset`).expect(404);
    expect((await stored(made.id)).name).toBe('Kept');
    await request(app.url).get(settings).expect(302);
  });
});
