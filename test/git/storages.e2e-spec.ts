import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RepositoryTrashService } from '../../src/git/repository-trash.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import type { CommandResult } from '../support/command.js';
import { makeUser } from '../support/factories.js';
import { makeMovableProject } from '../support/storage-move-factories.js';

describe('the storages of an instance', () => {
  let app: OwnTestApp;

  beforeAll(async () => {
    app = await startTestApp({ env: { TRASH_HOURS: '5' } });
  });
  afterAll(() => app.close());

  it('keep deleted repositories for as long as the instance is set to', async () => {
    const project = await makeMovableProject(app, await makeUser(app));
    const trash = app.app.get(RepositoryTrashService, { strict: false });
    const address = { storage: 'default', kind: 'project', containerId: project.id } as const;
    await trash.discard(address, 'a test');
    const rows = await app.dataSource.query<object[]>(
      `SELECT round(extract(epoch FROM delete_after - now()) / 3600)::int AS hours
       FROM repository_trash WHERE reason = 'a test'`,
    );
    expect(rows).toEqual([{ hours: 5 }]);
  });

  function storageStatus(): Promise<CommandResult> {
    const { databaseUrl: url, queuePrefix: name, dataDir } = app.config;
    return runGuildhall(['storage', 'status'], { env: cliEnvironment({ name, url }, dataDir) });
  }

  it('are refused when an empty folder stands where repositories are known to be', async () => {
    await makeMovableProject(app, await makeUser(app));
    const root = app.config.storages['default']?.path ?? '';
    await rename(root, `${root}.unmounted`);
    await mkdir(root);
    try {
      const { code, stderr } = await storageStatus();
      expect(code).toBe(1);
      expect(stderr).toMatch(/Storage default is not there: the database knows repositories on it/);
      expect(existsSync(`${root}/.svc-metadata`)).toBe(false);
    } finally {
      await rm(root, { recursive: true });
      await rename(`${root}.unmounted`, root);
    }
    expect(await storageStatus()).toMatchObject({ code: 0 });
  });
});
