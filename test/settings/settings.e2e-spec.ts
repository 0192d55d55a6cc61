import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { ApplicationSetting } from '../../src/core/settings/application-settings.repository.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import { DEFAULT_SETTINGS } from '../../src/core/settings/settings.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeToken, type MadeActor } from '../support/factories.js';
import { anySettings } from './any-settings.js';

const PATH = '/application/settings';
const SECRETS = ['akismet_api_key', 'recaptcha_private_key'];

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});
beforeEach(async () => {
  await app.dataSource.manager.clear(ApplicationSetting);
  await app.app.get(InstanceSettings).reload();
});

function auditRows(): Promise<AuditEvent[]> {
  const where = { action: 'application_settings_updated' };
  return app.dataSource.manager.find(AuditEvent, { where, order: { id: 'ASC' } });
}

async function get(): Promise<Record<string, unknown>> {
  return (await admin.api.get(PATH).expect(200)).body as Record<string, unknown>;
}

describe('GET /application/settings', () => {
  it('shows every setting, and of secrets only whether there are any', async () => {
    const settings = await get();
    const shown = Object.entries(DEFAULT_SETTINGS).filter(([name]) => !SECRETS.includes(name));
    expect(settings).toEqual({
      ...Object.fromEntries(shown),
      akismet_api_key_configured: false,
      recaptcha_private_key_configured: false,
    });
    expect(settings).toMatchObject({
      tier: 'ultimate',
      signup_enabled: false,
      impersonation_enabled: true,
      max_personal_access_token_lifetime: 365,
      repository_storages_weighted: {},
      event_retention_days: 1095,
      protected_paths: expect.arrayContaining(['/users/sign_in']),
      spam_check_enabled: true,
    });
  });

  it('is for administrators', async () => {
    const user = await makeActor(app);
    const reading = api(app.url, await makeToken(app, admin.user, { scopes: ['read_api'] }));
    expect((await api(app.url).get(PATH).expect(401)).body).toEqual({
      message: '401 Unauthorized',
    });
    expect((await user.api.get(PATH).expect(403)).body).toEqual({ message: '403 Forbidden' });
    await user.api.put(PATH, { signup_enabled: true }).expect(403);
    await reading.get(PATH).expect(200);
    await reading.put(PATH, { signup_enabled: true }).expect(403);
    expect(await get()).toMatchObject({ signup_enabled: false });
  });
});

describe('PUT /application/settings', () => {
  it('changes what is given, at once, and leaves the rest', async () => {
    const before = await get();
    const change = { signup_enabled: true, tier: 'free', max_personal_access_token_lifetime: null };
    const answer = await admin.api.put(PATH, change).expect(200);
    expect(answer.body).toEqual({ ...before, ...change });
    expect(await get()).toEqual({ ...before, ...change });
    expect(app.app.get(InstanceSettings).values).toMatchObject(change);
  });

  it('keeps any valid values of all types', async () => {
    await fc.assert(
      fc.asyncProperty(anySettings, async (settings) => {
        const answer = await admin.api.put(PATH, settings);
        expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(settings)]);
        expect(await get()).toEqual(answer.body);
      }),
      { numRuns: 30 },
    );
  });

  it('reads forms and queries like JSON', async () => {
    const form =
      'signup_enabled=yes&event_retention_days=30&max_personal_access_token_lifetime=' +
      '&protected_paths[]=/a&protected_paths[]=/b&repository_storages_weighted[storage2]=7';
    const answer = await admin.api.put(`${PATH}?search_rate_limit=9`).send(form).expect(200);
    expect(answer.body).toMatchObject({
      signup_enabled: true,
      event_retention_days: 30,
      max_personal_access_token_lifetime: null,
      protected_paths: ['/a', '/b'],
      repository_storages_weighted: { storage2: 7 },
      search_rate_limit: 9,
    });
  });

  it.each([
    [{ signup_enabled: 'maybe' }, 'signup_enabled is invalid'],
    [{ event_retention_days: 1.5 }, 'event_retention_days is invalid'],
    [{ event_retention_days: 0 }, 'event_retention_days has a value not allowed'],
    [{ search_rate_limit: 1_000_001 }, 'search_rate_limit has a value not allowed'],
    [
      { max_personal_access_token_lifetime: 401 },
      'max_personal_access_token_lifetime has a value not allowed',
    ],
    [{ tier: 'gold' }, 'tier does not have a valid value'],
    [{ tier: ['free'] }, 'tier is invalid'],
    [{ recaptcha_site_key: 'a\nb' }, 'recaptcha_site_key is invalid'],
    [{ recaptcha_site_key: 'x'.repeat(1_001) }, 'recaptcha_site_key is too long'],
    [{ protected_paths: [''], tier: 'x' }, 'tier does not have a valid value'],
    [{ protected_paths: ['/a', ' '] }, 'protected_paths is invalid'],
    [{ protected_paths: ['users/sign_in'] }, 'protected_paths is invalid'],
    [{ protected_paths: ['/a%'] }, 'protected_paths is invalid'],
    [{ protected_paths: ['/a?b=1'] }, 'protected_paths is invalid'],
    [{ protected_paths: ['/a\u0001'] }, 'protected_paths is invalid'],
    [{ protected_paths: { a: '/b' } }, 'protected_paths is invalid'],
    [{ protected_paths: Array(101).fill('/a') }, 'protected_paths has a value not allowed'],
    [{ akismet_url: 'ftp://example.com' }, 'akismet_url is invalid'],
    [{ akismet_url: 'javascript:alert(1)' }, 'akismet_url is invalid'],
    [{ akismet_url: 'https://user:secret@example.com' }, 'akismet_url is invalid'],
    [{ akismet_url: 'https://example.com/a b' }, 'akismet_url is invalid'],
    [{ akismet_url: 'https:example.com' }, 'akismet_url is invalid'],
    [{ akismet_url: '' }, 'akismet_url is invalid'],
    [{ repository_storages_weighted: 'default' }, 'repository_storages_weighted is invalid'],
    [{ repository_storages_weighted: [1] }, 'repository_storages_weighted is invalid'],
    [{ repository_storages_weighted: { default: 'x' } }, 'repository_storages_weighted is invalid'],
    [
      { repository_storages_weighted: { default: 101 } },
      'repository_storages_weighted has a value not allowed',
    ],
  ])('refuses %j', async (change, error) => {
    const answer = await admin.api.put(PATH, { signup_enabled: true, ...change }).expect(400);
    expect(answer.body).toEqual({ message: `400 (Bad request) ${error}`, error });
    expect(await app.dataSource.manager.count(ApplicationSetting)).toBe(0);
  });

  it('refuses all for a storage that is not configured', async () => {
    const weights = { default: 1, nowhere: 2, ['__proto__']: 1 };
    const change = { signup_enabled: true, repository_storages_weighted: weights };
    const answer = await admin.api.put(PATH, change).expect(400);
    expect(answer.body).toEqual({
      message: { repository_storages_weighted: ["can't include: nowhere"] },
    });
    expect(await get()).toMatchObject({ signup_enabled: false });
  });

  it('reports every invalid value and every unknown name', async () => {
    const change = { signup_enabled: 'x', search_rate_limit: -1, nonsense: 1 };
    const answer = await admin.api.put(PATH, change).expect(400);
    expect((answer.body as { error: string }).error).toBe(
      'signup_enabled is invalid, search_rate_limit has a value not allowed, nonsense is unknown',
    );
    const unknown = { home_page_url: 'x', signup_enabled: true, akismet_api_key_configured: true };
    const { body } = await admin.api.put(PATH, unknown).expect(400);
    const error = 'home_page_url is unknown, akismet_api_key_configured is unknown';
    expect(body).toEqual({ message: `400 (Bad request) ${error}`, error });
    expect(await app.dataSource.manager.count(ApplicationSetting)).toBe(0);
  });

  it('does not mistake a credential for a setting', async () => {
    const address = `${app.url}/api/v4${PATH}?private_token=${admin.token}&sudo=${admin.user.id}`;
    const body = JSON.stringify({ tier: 'free' });
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(address, { method: 'PUT', headers, body })).status).toBe(200);
  });

  it('leaves as it is what is null and has no such value', async () => {
    const set = { tier: 'free', event_retention_days: 7, akismet_url: 'https://a.example' };
    await admin.api.put(PATH, set).expect(200);
    const nothing = { tier: null, event_retention_days: null, akismet_url: null };
    const more = { max_personal_access_token_lifetime: null, protected_paths: null };
    const answer = await admin.api.put(PATH, { ...nothing, ...more }).expect(200);
    expect(answer.body).toMatchObject({
      ...set,
      max_personal_access_token_lifetime: null,
      protected_paths: [],
    });
    await admin.api.put(`${PATH}?event_retention_days=`).expect(200);
    expect(await get()).toMatchObject(set);
  });

  it('audits values before and after, and nothing when nothing changed', async () => {
    const known = (await auditRows()).length;
    await admin.api.put(PATH, { event_retention_days: 10, tier: 'ultimate' }).expect(200);
    await admin.api.put(PATH, { event_retention_days: 10 }).expect(200);
    await admin.api.put(PATH, {}).expect(200);
    const rows = (await auditRows()).slice(known);
    expect(rows).toEqual([
      expect.objectContaining({
        authorId: admin.user.id,
        targetType: 'ApplicationSettings',
        entityType: 'Instance',
        ipAddress: '127.0.0.1',
        details: { event_retention_days: { from: 1095, to: 10 } },
      }),
    ]);
    expect(await app.dataSource.manager.count(ApplicationSetting)).toBe(1);
  });

  it('compares changes at the same time with what really was before', async () => {
    const known = (await auditRows()).length;
    const days = [11, 12, 13, 14, 15, 16];
    await Promise.all(
      days.map((value) => admin.api.put(PATH, { event_retention_days: value }).expect(200)),
    );
    const rows = (await auditRows()).slice(known) as unknown as {
      details: { event_retention_days: { from: number; to: number } };
    }[];
    const steps = rows.map(({ details }) => details.event_retention_days);
    expect(steps.map(({ to }) => to).sort()).toEqual(days);
    expect(steps.map(({ from }) => from)).toEqual([
      1095,
      ...steps.slice(0, -1).map(({ to }) => to),
    ]);
    expect(await get()).toMatchObject({ event_retention_days: steps.at(-1)?.to });
  });

  it('keeps secrets encrypted, shows and audits them nowhere', async () => {
    const known = (await auditRows()).length;
    const secret = 'key-that-nobody-sees';
    const answer = await admin.api.put(PATH, { akismet_api_key: secret }).expect(200);
    expect(answer.body).toMatchObject({ akismet_api_key_configured: true });
    expect(app.app.get(InstanceSettings).values.akismet_api_key).toBe(secret);
    const stored = await app.dataSource.manager.find(ApplicationSetting);
    const audited = (await auditRows()).slice(known);
    expect(audited.map(({ details }) => details)).toEqual([{ akismet_api_key: '[changed]' }]);
    const everything = JSON.stringify([answer.body, await get(), stored, audited]);
    expect(everything).not.toContain(secret);

    await admin.api.put(PATH, { akismet_api_key: secret }).expect(200);
    expect(await auditRows()).toHaveLength(known + 1);
    const cleared = await admin.api.put(PATH, { akismet_api_key: null }).expect(200);
    expect(cleared.body).toMatchObject({ akismet_api_key_configured: false });
  });

  it.each([
    ['akismet_url', 'akismet_api_key'],
    ['recaptcha_verify_url', 'recaptcha_private_key'],
  ])('never sends to a new %s the %s of the old one', async (address, secret) => {
    await admin.api.put(PATH, { [secret]: 'old' }).expect(200);
    const current = await get();
    const same = await admin.api.put(PATH, { [address]: current[address] }).expect(200);
    expect(same.body).toMatchObject({ [`${secret}_configured`]: true });
    const both = await admin.api
      .put(PATH, { [address]: 'https://one.example', [secret]: 'new' })
      .expect(200);
    expect(both.body).toMatchObject({ [`${secret}_configured`]: true });
    const moved = await admin.api.put(PATH, { [address]: 'https://two.example' }).expect(200);
    expect(moved.body).toMatchObject({ [`${secret}_configured`]: false });
    expect(app.app.get(InstanceSettings).values).toMatchObject({ [secret]: '' });
  });
});
