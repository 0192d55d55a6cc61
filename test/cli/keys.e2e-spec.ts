import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import type { CommandResult } from '../support/command.js';
import { eventually } from '../support/eventually.js';

let app: OwnTestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

function guildhall(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
  return runGuildhall(args, { env: cliEnvironment({ name, url }, dataDir, env) });
}

async function shown(...args: string[]): Promise<{ kid: string; state: string }[]> {
  const { stdout } = await guildhall(['keys', ...args, '--json']);
  return JSON.parse(stdout) as { kid: string; state: string }[];
}

async function publishedKids(): Promise<string[]> {
  const { body } = await request(app.url).get('/oauth/discovery/keys').expect(200);
  return (body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

describe('guildhall keys', () => {
  it('shows that there are none before the first use', async () => {
    expect(await guildhall(['keys', 'list'])).toEqual({
      code: 0,
      stdout: 'There are no keys yet: the first sign-in creates one\n',
      stderr: '',
    });
  });

  it('publishes the next key a day before it signs, once however often one asks', async () => {
    const [kid = ''] = await publishedKids();
    const rotated = await shown('rotate');
    expect(rotated.map(({ state }) => state)).toEqual(['signing', 'next']);
    expect(rotated[0]?.kid).toBe(kid);
    expect(await shown('rotate')).toEqual(rotated);
    expect(await shown('list')).toEqual(rotated);
    await eventually(async () =>
      expect(await publishedKids()).toEqual(rotated.map((key) => key.kid)),
    );
  });

  it('revokes compromised keys in running processes as well', async () => {
    const [old = ''] = await publishedKids();
    const replaced = await shown('rotate', '--at-once');
    expect(replaced).toHaveLength(1);
    expect(replaced[0]).toMatchObject({ state: 'signing' });
    expect(replaced[0]?.kid).not.toBe(old);
    await eventually(async () => expect(await publishedKids()).toEqual([replaced[0]?.kid]));
    const audit = await app.dataSource.manager.find(AuditEvent, { order: { id: 'ASC' } });
    const trail = audit.map(({ action, targetName }) => [action, targetName]);
    expect(trail).toEqual([
      ['signing_key_created', old],
      ['signing_key_withdrawn', old],
      ['signing_key_created', replaced[0]?.kid],
    ]);
  });

  it('shows what cannot be read with the SECRET_KEY of the environment', async () => {
    await publishedKids();
    const env = { SECRET_KEY: 'another-key-another-key-another-key', LOG_LEVEL: 'silent' };
    const { stdout } = await guildhall(['keys', 'list', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'unreadable' }]);
  });
});
