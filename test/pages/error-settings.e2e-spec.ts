import { beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorTrackingSetting } from '../../src/error-tracking/error-tracking-setting.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import {
  clientKeysOf,
  COLLECTING,
  makeCollectingPlace,
  makeSetUpPlace,
} from '../support/error-set-up.js';
import { textOf } from '../support/html.js';
import { makeMember } from '../support/project-factories.js';
import { makeVisitor } from '../support/page-client.js';
import { changeSettings } from '../support/settings.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function settingsOf({ id }: { id: number }): Promise<ErrorTrackingSetting> {
  return app.dataSource.manager.findOneByOrFail(ErrorTrackingSetting, { projectId: id });
}

const TRACKER = {
  enabled: 'true',
  integrated: 'false',
  api_url: 'https://sentry.example.com/api/0/projects/acme/shop/',
  token: 'secret-token',
  project_name: 'Shop',
};

describe('the settings of error tracking', () => {
  it('begin switched off, and stand among the settings of the project', async () => {
    const { pages, project, path } = await makeSetUpPlace(app);
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain('glet_');
    expect(text).not.toContain('Send test event');
    expect(text).toMatch(/id="field-integrated-true"[^>]* checked/);
    expect(text).not.toMatch(/checked[^>]* id="field-enabled"/);
    expect(textOf(text)).toContain('No data received yet.');
    const general = await pages.get(`/${project.fullPath}/-/edit`).expect(200);
    expect(general.text).toContain(`href="${path}"`);
  });

  it('show the address and a guide once errors are collected', async () => {
    const { pages, path, dsn } = await makeCollectingPlace(app);
    const { text } = await pages.get(path).expect(200);
    expect(text).toContain(`value="${dsn}"`);
    expect(textOf(text)).toContain('npm install @sentry/node');
    expect(textOf(text)).toContain(`dsn: '${dsn}'`);
    const python = await pages.get(`${path}?sdk=python`).expect(200);
    expect(textOf(python.text)).toContain(`dsn="${dsn}"`);
    expect(python.text).toMatch(/href="[^"]*\?sdk=python#sdk" aria-current="page"/);
    const unknown = await pages.get(`${path}?sdk[]=<script>`).expect(200);
    expect(textOf(unknown.text)).toContain('npm install @sentry/node');
  });

  it('switch tracking off again, and keep the keys', async () => {
    const { pages, project, path } = await makeCollectingPlace(app);
    await pages.post(path, { enabled: 'false', integrated: 'true' }).expect(303);
    expect(await settingsOf(project)).toMatchObject({ enabled: false, integrated: true });
    expect(await clientKeysOf(app, project)).toHaveLength(1);
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain('Send test event');
  });

  it('say what is stored and for how long', async () => {
    const { pages, project, path } = await makeCollectingPlace(app);
    const fields = {
      scrub_data: 'false',
      scrub_ip_addresses: 'true',
      sensitive_fields: 'iban\r\n\r\n tax_number \r\niban',
      safe_fields: 'token_count',
      retention_days: '14',
    };
    await pages.post(`${path}/storing`, fields).expect(303);
    expect(await settingsOf(project)).toMatchObject({
      enabled: true,
      scrubData: false,
      scrubIpAddresses: true,
      sensitiveFields: ['iban', 'tax_number'],
      safeFields: ['token_count'],
      retentionDays: 14,
    });
    const { text } = await pages.get(path).expect(200);
    expect(text).toContain('iban\ntax_number</textarea>');
    await pages.post(`${path}/storing`, { ...fields, retention_days: '' }).expect(303);
    expect((await settingsOf(project)).retentionDays).toBeNull();
  });

  it('are shown again with what is wrong about what is stored', async () => {
    const { pages, path } = await makeCollectingPlace(app);
    const fields = { scrub_data: 'true', scrub_ip_addresses: 'false', retention_days: '366' };
    const many = Array.from({ length: 101 }, (_, at) => `f${at}`).join('\n');
    const { text } = await pages
      .post(`${path}/storing`, { ...fields, safe_fields: many })
      .expect(422);
    expect(text).toMatch(/id="field-retention_days"[^>]*aria-invalid="true"/);
    expect(text).toMatch(/id="field-safe_fields"[^>]*aria-invalid="true"/);
    expect(text).toContain('value="366"');
    expect(text).toMatch(/checked[^>]* id="field-enabled"/);
  });

  it('are for maintainers only', async () => {
    const { project, path } = await makeCollectingPlace(app);
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { project, user, role: 'developer' });
    await pages.get(path).expect(404);
    await pages.post(path, COLLECTING).expect(404);
    await pages.post(`${path}/storing`, {}).expect(404);
    await pages.post(`${path}/keys`).expect(404);
    await pages.post(`${path}/test`).expect(404);
  });

  it('tell that the instance collects no errors', async () => {
    const { pages, path } = await makeCollectingPlace(app);
    await changeSettings(app, { error_tracking_integrated_enabled: false });
    try {
      const { text } = await pages.get(path).expect(200);
      expect(textOf(text)).toContain('disabled the built-in error tracking backend');
      expect(text).not.toContain('Send test event');
      const { headers } = await pages.post(`${path}/test`).expect(303);
      expect(headers['location']).toBe(path);
    } finally {
      await changeSettings(app, { error_tracking_integrated_enabled: true });
    }
  });
});

describe('an external tracker', () => {
  it('is set up with a token that is never shown again', async () => {
    const { pages, project, path } = await makeSetUpPlace(app);
    await pages.post(path, TRACKER).expect(303);
    const stored = await settingsOf(project);
    expect(stored).toMatchObject({ enabled: true, integrated: false, projectName: 'Shop' });
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain('secret-token');
    expect(text).toMatch(
      /id="field-token"[^>]*value="\*\*\*\*\*"|value="\*\*\*\*\*"[^>]*id="field-token"/,
    );
    expect(text).toContain('href="https://sentry.example.com/acme/shop/"');
    await pages.post(path, { ...TRACKER, token: '*****', project_name: 'Store' }).expect(303);
    const changed = await settingsOf(project);
    expect(changed.projectName).toBe('Store');
    expect(changed.encryptedToken).toBe(stored.encryptedToken);
  });

  it('is refused without what it needs', async () => {
    const { pages, path } = await makeSetUpPlace(app);
    const { text } = await pages.post(path, { ...TRACKER, api_url: '', token: '' }).expect(422);
    expect(text).toMatch(/id="field-api_url"[^>]*aria-invalid="true"/);
    expect(text).toMatch(/id="field-token"[^>]*aria-invalid="true"/);
    expect(text).toMatch(/id="field-integrated-false"[^>]* checked/);
    const api_url = 'https://sentry.example.com/api/0/projects/acme/';
    const other = await pages.post(path, { ...TRACKER, api_url }).expect(422);
    expect(textOf(other.text)).toContain('API URL has to name a project.');
  });

  it('stays as it was while errors are collected here', async () => {
    const { pages, project, path } = await makeSetUpPlace(app);
    await pages.post(path, TRACKER).expect(303);
    await pages
      .post(path, { ...COLLECTING, api_url: 'javascript:alert(1)', token: '' })
      .expect(303);
    const stored = await settingsOf(project);
    expect(stored).toMatchObject({ integrated: true, apiUrl: TRACKER.api_url });
    expect(stored.encryptedToken).not.toBeNull();
  });
});
