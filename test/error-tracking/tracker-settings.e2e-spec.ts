import { beforeAll, describe, expect, it } from '@jest/globals';
import { ANONYMOUS, type AuthContext } from '../../src/core/access/auth-context.js';
import { ApiError } from '../../src/core/errors.js';
import type { ErrorTrackingValues } from '../../src/error-tracking/settings/error-tracking-values.js';
import {
  ErrorTrackingSettings,
  trackerTokenCipher,
} from '../../src/error-tracking/settings/error-tracking-settings.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makePlace, trailOf } from './settings-place.js';

const API = 'https://tracker.example.com/api/0/projects/tools/my-lathe/';
const TRACKER = { enabled: true, integrated: false, apiUrl: API, token: 'tracker-secret' };

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** Saves as the page does, which offers more than the API. */
async function tracked() {
  const place = await makePlace(app);
  const { project, maintainer } = place;
  const settings = app.app.get(ErrorTrackingSettings, { strict: false });
  const person = { state: 'active', userType: 'human', confirmed: true, avatar: null };
  const viewer = { ...maintainer.user, ...person, admin: false, external: false };
  const auth: AuthContext = { ...ANONYMOUS, viewer };
  return {
    ...place,
    save: (values: Partial<ErrorTrackingValues>) => settings.save(project, values, auth),
    read: () => settings.read(project.id),
    token: async () => {
      const encrypted = (await settings.read(project.id))?.encryptedToken ?? null;
      return encrypted === null ? null : trackerTokenCipher(app.config).decrypt(encrypted);
    },
    shown: async () => (await maintainer.api.get(place.path('/settings'))).body as unknown,
  };
}

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('the call was not refused', { cause: error });
  return { status: error.status, body: error.body };
}

const messages = (message: object) => ({ status: 400, body: { message } });

describe('an external tracker', () => {
  it('is shown with its address and a name made of it', async () => {
    const { save, shown } = await tracked();
    await save(TRACKER);
    const expected = {
      active: true,
      project_name: 'My Lathe',
      tracker_external_url: 'https://tracker.example.com/tools/my-lathe/',
      api_url: API,
      integrated: false,
    };
    expect(await shown()).toEqual(expected);
    await save({ projectName: '  Lathe  ' });
    expect(await shown()).toEqual({ ...expected, project_name: 'Lathe' });
  });

  it('makes no client key', async () => {
    const { save, maintainer, path } = await tracked();
    await save(TRACKER);
    expect((await maintainer.api.get(path('/client_keys'))).body).toEqual([]);
  });

  it('keeps its token encrypted and hidden', async () => {
    const { save, read, token, project, shown } = await tracked();
    await save(TRACKER);
    expect(await token()).toBe('tracker-secret');
    const told = JSON.stringify([await read(), await trailOf(app, project), await shown()]);
    expect(told).not.toContain('tracker-secret');
    expect(await trailOf(app, project)).toMatchObject([
      { action: 'error_tracking_settings_created', details: { token: 'changed' } },
    ]);
  });

  it('keeps its token when a form sends asterisks or nothing', async () => {
    const { save, token } = await tracked();
    await save(TRACKER);
    await save({ ...TRACKER, token: '*****' });
    await save({ ...TRACKER, token: '*' });
    await save({ projectName: 'Lathe' });
    expect(await token()).toBe('tracker-secret');
    await save({ token: 'another' });
    expect(await token()).toBe('another');
  });

  it.each([
    ['scheme', 'http://tracker.example.com/api/0/projects/tools/my-lathe/'],
    ['host', 'https://tracker.example.net/api/0/projects/tools/my-lathe/'],
    ['port', 'https://tracker.example.com:444/api/0/projects/tools/my-lathe/'],
    ['path', 'https://tracker.example.com/api/0/projects/tools/other/'],
    ['query', `${API}?to=https://tracker.example.net`],
    ['fragment', `${API}#x`],
  ])('loses its token with another %s', async (_, apiUrl) => {
    const { save, token } = await tracked();
    await save(TRACKER);
    await save({ enabled: false });
    await save({ apiUrl, token: '*****' });
    expect(await token()).toBeNull();
    expect(await refusalOf(save({ enabled: true }))).toEqual(
      messages({ token: ['is a required field'] }),
    );
    await save({ enabled: true, apiUrl: API, token: 'new' });
    expect(await token()).toBe('new');
  });

  it('cannot lose address or token while it is on', async () => {
    const { save, token } = await tracked();
    await save(TRACKER);
    const required = ['is a required field'];
    expect(await refusalOf(save({ apiUrl: '' }))).toEqual(
      messages({ api_url: required, token: required }),
    );
    expect(await refusalOf(save({ token: null }))).toEqual(messages({ token: required }));
    expect(await refusalOf(save({ apiUrl: API.replace('https', 'http') }))).toEqual(
      messages({ token: required }),
    );
    expect(await token()).toBe('tracker-secret');
  });

  it('takes no address that is not one of a tracker', async () => {
    const { save, read } = await tracked();
    expect(await refusalOf(save({ ...TRACKER, apiUrl: 'javascript:alert(1)' }))).toEqual(
      messages({ api_url: ['is invalid'] }),
    );
    expect(
      await refusalOf(save({ ...TRACKER, apiUrl: 'https://example.com/api/0/projects/' })),
    ).toEqual(messages({ project: ['is a required field'] }));
    expect(await read()).toBeNull();
  });
});

describe('what is done with events', () => {
  it('has the default until it is changed', async () => {
    const { save, project } = await tracked();
    expect(await save({ enabled: true })).toEqual({
      projectId: project.id,
      enabled: true,
      integrated: true,
      apiUrl: null,
      projectName: null,
      encryptedToken: null,
      scrubData: true,
      scrubIpAddresses: false,
      sensitiveFields: [],
      safeFields: [],
      retentionDays: null,
      updatedAt: expect.any(Date),
    });
  });

  it('changes as far as it is given', async () => {
    const { save, project, maintainer } = await tracked();
    await save({ enabled: false });
    const changed = await save({
      scrubData: false,
      scrubIpAddresses: true,
      sensitiveFields: [' iban ', '', 'iban', 'birthday'],
      safeFields: ['token_count'],
      retentionDays: 30,
    });
    expect(changed).toMatchObject({
      enabled: false,
      scrubData: false,
      scrubIpAddresses: true,
      sensitiveFields: ['iban', 'birthday'],
      safeFields: ['token_count'],
      retentionDays: 30,
    });
    expect((await save({ retentionDays: null })).retentionDays).toBeNull();
    expect((await trailOf(app, project)).at(1)).toEqual({
      author_id: maintainer.user.id,
      action: 'error_tracking_settings_updated',
      target_type: 'Project',
      target_name: project.fullPath,
      details: {
        scrub_data: { from: true, to: false },
        scrub_ip_addresses: { from: false, to: true },
        sensitive_fields: { from: [], to: ['iban', 'birthday'] },
        safe_fields: { from: [], to: ['token_count'] },
        retention_days: { from: null, to: 30 },
      },
    });
  });

  it.each<[string, Partial<ErrorTrackingValues>, object]>([
    ['no days', { retentionDays: 0 }, { retention_days: ['must be between 1 and 365'] }],
    ['366 days', { retentionDays: 366 }, { retention_days: ['must be between 1 and 365'] }],
    ['half a day', { retentionDays: 1.5 }, { retention_days: ['must be between 1 and 365'] }],
    [
      '101 fields',
      { sensitiveFields: Array.from({ length: 101 }, (_, n) => `field ${n}`) },
      { sensitive_fields: ['are too many (maximum is 100)'] },
    ],
    [
      'a long field',
      { safeFields: ['x'.repeat(101)] },
      { safe_fields: ['are too long (maximum is 100 characters each)'] },
    ],
    ['a NUL', { sensitiveFields: ['a\0'] }, { sensitive_fields: ['are invalid'] }],
    [
      'a long name',
      { projectName: 'x'.repeat(256) },
      { project_name: ['is too long (maximum is 255 characters)'] },
    ],
    ['a NUL in a name', { projectName: 'a\0b' }, { project_name: ['is invalid'] }],
    [
      'a long token',
      { token: 'x'.repeat(256) },
      { token: ['is too long (maximum is 255 characters)'] },
    ],
  ])('is not changed to %s', async (_, values, message) => {
    const { save, read } = await tracked();
    expect(await refusalOf(save(values))).toEqual(messages(message));
    expect(await read()).toBeNull();
  });
});
