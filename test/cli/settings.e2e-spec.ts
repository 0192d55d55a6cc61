import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import type { CommandResult } from '../support/command.js';
import { eventually } from '../support/eventually.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

function guildhall(args: string[], stdin = ''): Promise<CommandResult> {
  const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
  return runGuildhall(args, { env: cliEnvironment({ name, url }, dataDir), stdin });
}

describe('guildhall settings', () => {
  it('changes settings, for running processes too, and leaves an audit row', async () => {
    const result = await guildhall([
      'settings',
      'set',
      'signup_enabled=true',
      'max_personal_access_token_lifetime=',
      'protected_paths=/a,/b',
      'repository_storages_weighted=default=10,storage2=5',
    ]);
    expect(result).toEqual({
      code: 0,
      stdout: [
        'signup_enabled = true',
        'max_personal_access_token_lifetime = null',
        'protected_paths = ["/a","/b"]',
        'repository_storages_weighted = {"default":10,"storage2":5}\n',
      ].join('\n'),
      stderr: '',
    });
    await eventually(() => app.app.get(InstanceSettings).values.signup_enabled);
    const audit = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      action: 'application_settings_updated',
    });
    expect(audit).toMatchObject({
      authorId: null,
      details: { signup_enabled: { from: false, to: true } },
    });
  });

  it('reads secrets from standard input and never prints them', async () => {
    const set = await guildhall(['settings', 'set', 'akismet_api_key=-', '--json'], 'hidden key\n');
    const get = await guildhall(['settings', 'get', 'akismet_api_key']);
    const all = await guildhall(['settings', 'get', '--json']);
    expect(JSON.parse(set.stdout)).toEqual({ akismet_api_key_configured: true });
    expect(get.stdout).toBe('akismet_api_key_configured = true\n');
    expect(JSON.parse(all.stdout)).toMatchObject({ akismet_api_key_configured: true });
    expect(JSON.stringify([set, get, all])).not.toContain('hidden');
    await eventually(() => app.app.get(InstanceSettings).values.akismet_api_key === 'hidden key');
  });

  it.each([
    [['set', 'nonsense=1'], 'there is no setting nonsense'],
    [['set', 'toString=1'], 'there is no setting toString'],
    [['set', 'signup_enabled'], 'signup_enabled is not of the form name=value'],
    [['set', 'signup_enabled=perhaps'], 'signup_enabled is invalid'],
    [
      ['set', 'repository_storages_weighted=nowhere=1'],
      "repository_storages_weighted can't include: nowhere",
    ],
    [['get', 'nonsense'], 'there is no setting nonsense'],
  ])('refuses %j', async (args, complaint) => {
    const result = await guildhall(['settings', ...args]);
    expect(result).toEqual({ code: 1, stdout: '', stderr: `guildhall: ${complaint}\n` });
  });
});
