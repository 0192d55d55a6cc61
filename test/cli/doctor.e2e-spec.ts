import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { pathExists } from '../../src/git/durable-file.js';
import { relativeRepositoryPath } from '../../src/git/repository-path.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import type { CommandResult } from '../support/command.js';
import { makeGroup, makeProject } from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function guildhall(args: string[]): Promise<CommandResult> {
  const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
  return runGuildhall(args, { env: cliEnvironment({ name, url }, dataDir) });
}

describe('guildhall doctor', () => {
  it('lists its checks, and closes writes of dead processes with --fix', async () => {
    await app.dataSource.query(
      `INSERT INTO inflight_writes (id, repository_key, repository_kind, container_id, instance, heartbeat_at)
       VALUES (gen_random_uuid(), 'project-987654', 'project', 987654, 'dead', now() - interval '1 day')`,
    );
    const seen = await guildhall(['doctor', '--json']);
    const findings = JSON.parse(seen.stdout) as { check: string; status: string }[];
    const names = new Set(findings.map(({ check }) => check));
    expect([...names]).toEqual(
      expect.arrayContaining([
        'configuration',
        'tls',
        'disk',
        'schema',
        'clock',
        'connections',
        'queues',
        'writes',
        'repositories',
      ]),
    );
    expect(findings).toContainEqual(expect.objectContaining({ check: 'schema', status: 'ok' }));
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'writes', status: 'warning' }),
    );
    const fixed = await guildhall(['doctor', '--fix', '--json']);
    expect(JSON.parse(fixed.stdout)).toContainEqual(
      expect.objectContaining({ check: 'writes', status: 'fixed' }),
    );
  });

  it('checks no queues without Redis, which the configuration says', async () => {
    const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
    const env = cliEnvironment({ name, url }, dataDir, { REDIS_URL: 'none' });
    const { stdout } = await runGuildhall(['doctor', '--json'], { env });
    const findings = JSON.parse(stdout) as { check: string; message: string }[];
    expect(findings.map(({ check }) => check)).not.toContain('queues');
    expect(findings.map(({ message }) => message)).toContain(
      'REDIS_URL is none: requests are not rate limited',
    );
  });

  it('removes stale locks of refs with --fix, and says so in the audit log', async () => {
    const project = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    const path = join(
      app.config.storages['default']?.path ?? '',
      relativeRepositoryPath('project', project.id),
    );
    const [stale, fresh] = ['stale', 'fresh'].map((name) =>
      join(path, 'refs/heads', name, 'x.lock'),
    );
    for (const lock of [stale, fresh]) {
      await mkdir(dirname(lock ?? ''), { recursive: true });
      await writeFile(lock ?? '', '');
    }
    const past = new Date(Date.now() - 2 * 3_600_000);
    await utimes(stale ?? '', past, past);
    const fixed = await guildhall(['doctor', '--fix', '--json']);
    expect(fixed.stdout).toContain(`stale locks and copies: ${stale}`);
    expect([await pathExists(stale ?? ''), await pathExists(fresh ?? '')]).toEqual([false, true]);
    const trail = await app.dataSource.manager.findBy(AuditEvent, { action: 'doctor_fixed' });
    expect(trail.at(-1)).toMatchObject({
      entityType: 'Instance',
      details: { repositories: expect.stringContaining(stale ?? '') },
    });
  });

  it('reports storages that are not configured, without looking for their repositories', async () => {
    const { id } = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    const setStorage = (name: string): Promise<unknown> =>
      app.dataSource.query('UPDATE projects SET repository_storage = $2 WHERE id = $1', [id, name]);
    await setStorage('nowhere');
    const { stdout } = await guildhall(['doctor', '--json']);
    await setStorage('default');
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'repositories',
      status: 'failed',
      message: `storage nowhere is not configured: project ${id}`,
    });
    expect(stdout).not.toContain('on nowhere');
  });
});
