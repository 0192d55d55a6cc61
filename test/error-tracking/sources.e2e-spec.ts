import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ClientKeyCache } from '../../src/error-tracking/client-keys/client-key-cache.service.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { changeSettings } from '../support/settings.js';
import { archive, makeCollecting, makePlace, type KeyBody } from './settings-place.js';

const CLOSED = { kind: 'closed' };
const NO_PROJECT = { kind: 'no project' };

let app: TestApp;
let sources: ClientKeyCache;
beforeAll(async () => {
  app = await sharedTestApp();
  sources = app.app.get(ClientKeyCache, { strict: false });
});

async function collecting() {
  const place = await makeCollecting(app);
  const { project, key } = place;
  const id = String(project.id);
  const update = (table: string, set: string) =>
    app.dataSource.query(`UPDATE ${table} SET ${set} WHERE project_id = $1`, [project.id]);
  return {
    ...place,
    id,
    find: (publicKey = key.public_key, name = id) => sources.find(name, publicKey),
    change: (set: string) => update('error_tracking_settings', set),
    changeKeys: (set: string) => update('error_client_keys', set),
  };
}

describe('what a client key stands for', () => {
  it('is its project with all that is to be done about events', async () => {
    const { project, key, find, change } = await collecting();
    const usual = {
      projectId: project.id,
      keyId: key.id,
      scrubData: true,
      scrubIpAddresses: false,
      sensitiveFields: [],
      safeFields: [],
      retentionDays: 90,
    };
    expect(await find()).toEqual({ kind: 'open', source: usual });
    await change(`scrub_data = false, scrub_ip_addresses = true, retention_days = 7,
      sensitive_fields = '{iban}', safe_fields = '{token_count}'`);
    await eventually(async () => {
      expect(await find()).toEqual({
        kind: 'open',
        source: {
          ...usual,
          scrubData: false,
          scrubIpAddresses: true,
          sensitiveFields: ['iban'],
          safeFields: ['token_count'],
          retentionDays: 7,
        },
      });
    });
  });

  it('is the same by the path of the project, in any case', async () => {
    const { project, key, find } = await collecting();
    const byId = await find();
    expect(await find(key.public_key, project.fullPath)).toEqual(byId);
    expect(await find(key.public_key, project.fullPath.toUpperCase())).toEqual(byId);
  });

  it('is nothing for keys that are unknown, inactive, or of another project', async () => {
    const { id, find, changeKeys } = await collecting();
    const other = await makeCollecting(app);
    expect(await find('glet_unknown')).toEqual(CLOSED);
    expect(await find("' OR 1=1 --")).toEqual(CLOSED);
    expect(await find('a\0b')).toEqual(CLOSED);
    expect(await find(other.key.public_key)).toEqual(CLOSED);
    await changeKeys('active = false');
    sources.forget();
    expect(await find()).toEqual(CLOSED);
    expect(await sources.find(id, '')).toEqual({ kind: 'no key' });
  });

  it('is nothing where errors are not collected', async () => {
    const { project, find, change, id } = await collecting();
    const never = await makePlace(app);
    expect(await sources.find(String(never.project.id), '')).toEqual(CLOSED);
    for (const set of ['enabled = false', 'enabled = false, integrated = false']) {
      await change(set);
      sources.forget();
      expect(await find()).toEqual(CLOSED);
      expect(await sources.find(id, '')).toEqual(CLOSED);
      expect(await sources.ofProject(project.id)).toBeNull();
    }
  });

  it('is nothing in an archived project, and there is no project that is being deleted', async () => {
    const { project, find } = await collecting();
    await archive(app, project);
    sources.forget();
    expect(await find()).toEqual(CLOSED);
    await app.dataSource.query('UPDATE projects SET pending_delete = true WHERE id = $1', [
      project.id,
    ]);
    expect(await find()).toEqual(NO_PROJECT);
    expect(await sources.ofProject(project.id)).toBeNull();
  });

  it.each(['0', '999999999', '99999999999999999999', '-1', '', 'a', 'no/such', '../etc', 'a\0/b'])(
    'is no project for %j',
    async (name) => {
      expect(await sources.find(name, 'glet_unknown')).toEqual(NO_PROJECT);
      expect(await sources.find(name, '')).toEqual(NO_PROJECT);
    },
  );

  it('hides the project of a path without a valid key', async () => {
    const { project, find, change } = await collecting();
    expect(await find('', project.fullPath)).toEqual(NO_PROJECT);
    expect(await find('glet_unknown', project.fullPath)).toEqual(NO_PROJECT);
    await change('enabled = false');
    sources.forget();
    expect(await find(undefined, project.fullPath)).toEqual(NO_PROJECT);
  });

  it('is nothing while the instance collects no errors, remembered or not', async () => {
    const { project, find } = await collecting();
    const open = await find();
    expect(open.kind).toBe('open');
    await changeSettings(app, { error_tracking_integrated_enabled: false });
    try {
      expect(await find()).toEqual(CLOSED);
      expect(await sources.ofProject(project.id)).toBeNull();
    } finally {
      await changeSettings(app, { error_tracking_integrated_enabled: true });
    }
    expect(await find()).toEqual(open);
  });

  it('keeps events for the retention of the instance', async () => {
    const { find } = await collecting();
    await changeSettings(app, { error_tracking_retention_days: 14 });
    try {
      sources.forget();
      expect(await find()).toMatchObject({ source: { retentionDays: 14 } });
    } finally {
      await changeSettings(app, { error_tracking_retention_days: 90 });
    }
  });

  it('is known of a project without any key, for a test event', async () => {
    const { project, maintainer, path, key } = await collecting();
    await maintainer.api.delete(path(`/client_keys/${key.id}`));
    expect(await sources.ofProject(project.id)).toMatchObject({
      projectId: project.id,
      keyId: null,
      retentionDays: 90,
    });
  });
});

describe('what is remembered of client keys', () => {
  let reads: jest.SpiedFunction<Sql['lookUp']>;
  beforeEach(() => {
    reads = jest.spyOn(app.app.get(Sql, { strict: false }), 'lookUp').mockClear();
  });
  afterAll(() => reads.mockRestore());

  it('is good keys, so that they need no query', async () => {
    const { find } = await collecting();
    await eventually(async () => {
      await find();
      reads.mockClear();
      await find();
      expect(reads).not.toHaveBeenCalled();
    });
  });

  it('is no answer that was read before a change', async () => {
    const { find } = await collecting();
    const sql = app.app.get(Sql, { strict: false });
    await eventually(async () => {
      await find();
      reads.mockClear();
      await find();
      expect(reads).not.toHaveBeenCalled();
    });
    sources.forget();
    reads.mockImplementationOnce(async (text, values) => {
      const [row = null] = await sql.rows(text, values);
      sources.forget();
      return row;
    });
    await find();
    reads.mockClear();
    await find();
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('is no key that can be made up', async () => {
    const { find } = await collecting();
    await find('glet_unknown');
    reads.mockClear();
    await find('glet_unknown');
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('is forgotten with the answer to its deletion', async () => {
    const { maintainer, path, key, find } = await collecting();
    const { body } = await maintainer.api.post(path('/client_keys'));
    const { public_key: second } = body as KeyBody;
    expect([(await find()).kind, (await find(second)).kind]).toEqual(['open', 'open']);
    await maintainer.api.delete(path(`/client_keys/${key.id}`));
    expect([await find(), (await find(second)).kind]).toEqual([CLOSED, 'open']);
  });

  it('is forgotten with the answer to a change of the settings', async () => {
    const { maintainer, path, find } = await collecting();
    expect((await find()).kind).toBe('open');
    await maintainer.api.patch(path('/settings'), { active: false });
    expect(await find()).toEqual(CLOSED);
    await maintainer.api.patch(path('/settings'), { active: true });
    expect((await find()).kind).toBe('open');
  });

  it('is forgotten when another process changes it', async () => {
    const { find, changeKeys, change } = await collecting();
    expect((await find()).kind).toBe('open');
    await changeKeys('active = false');
    await eventually(async () => expect(await find()).toEqual(CLOSED));
    await changeKeys('active = true');
    expect((await find()).kind).toBe('open');
    await change('enabled = false');
    await eventually(async () => expect(await find()).toEqual(CLOSED));
  });
});
