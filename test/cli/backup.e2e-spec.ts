import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BackupArchive } from '../../src/cli/backup/backup-archive.js';
import { openBackupStore } from '../../src/cli/backup/backup-store.js';
import { dumpRepositories } from '../../src/cli/backup/dump-repositories.js';
import { Progress } from '../../src/cli/progress.js';
import { relativeRepositoryPath } from '../../src/git/repository-path.js';
import { BackupInstance, damage, PASSPHRASE, startBucket } from '../support/backup-instance.js';
import type { CommandResult } from '../support/command.js';
import { refsOf, rowsOf, schemaOf } from '../support/instance-content.js';
import { makeProject } from '../support/project-factories.js';

/** Each restore makes a schema. */
const TIME_MS = 180_000;
/** Rows that the commands themselves write after the snapshot, or before comparing. */
const OWN_ROWS = ['audit_events', 'audit_events_id_seq'];

let instance: BackupInstance;
const backup: BackupInstance['backup'] = (...args) => instance.backup(...args);
beforeAll(async () => {
  instance = await BackupInstance.start();
}, TIME_MS);
afterAll(() => instance.stop());

function withoutOwnRows(content: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !OWN_ROWS.includes(name)));
}

interface Summary {
  id: string;
  written_bytes: number;
  repositories: number;
  bytes: number;
}

function summaryOf({ stdout }: CommandResult): Summary {
  return JSON.parse(stdout) as Summary;
}

describe('guildhall backup', () => {
  it(
    "touches neither another program's tables nor anything for a backup that it cannot read",
    async () => {
      expect((await backup(['create'])).code).toBe(0);
      const keyFile = join(instance.copy.dataDir, 'secret_key');
      await writeFile(keyFile, `${'k'.repeat(40)}\n`);
      await instance.onCopy('ALTER SCHEMA public RENAME TO ours');
      await instance.onCopy('CREATE SCHEMA public; CREATE TABLE users (user_type text)');
      await instance.onCopy('CREATE TABLE schema_migrations (version text)');
      const foreign = await backup(['restore', '--replace'], { on: 'copy' });
      expect([foreign.code, foreign.stderr]).toEqual([
        1,
        expect.stringContaining('the database has tables of another program'),
      ]);
      await instance.onCopy('DROP SCHEMA public CASCADE; ALTER SCHEMA ours RENAME TO public');
      const [chunk = ''] = await instance.chunks();
      const intact = await readFile(chunk);
      await damage(chunk);
      const env = { SECRET_KEY: '' };
      const damaged = await backup(['restore', '--replace'], { on: 'copy', env });
      await rm(chunk);
      const missing = await backup(['restore'], { on: 'copy', env });
      await writeFile(chunk, intact);
      expect([damaged, missing].map(({ code, stderr }) => [code, stderr])).toEqual([
        [1, expect.stringContaining(`chunk ${chunk.slice(-64)} is damaged`)],
        [1, expect.stringContaining(`chunk ${chunk.slice(-64)} is missing`)],
      ]);
      expect(await readFile(keyFile, 'utf8')).toBe(`${'k'.repeat(40)}\n`);
      await expect(refsOf(instance.copiedStorages)).rejects.toThrow('ENOENT');
    },
    TIME_MS,
  );

  it(
    'restores every row and ref into an empty instance',
    async () => {
      const before = {
        rows: await rowsOf(instance.app.config.databaseUrl),
        refs: await refsOf(instance.app.config.storages),
      };
      const created = await backup(['create', '--json']);
      const verified = await backup(['verify']);
      const restored = await backup(['restore', '--json'], { on: 'copy' });
      expect([created.code, created.stderr, verified.code]).toEqual([0, '', 0]);
      expect([restored.code, restored.stderr]).toEqual([0, '']);
      expect(withoutOwnRows(await rowsOf(instance.copy.database.url))).toEqual(
        withoutOwnRows(before.rows),
      );
      expect(await refsOf(instance.copiedStorages)).toEqual(before.refs);
      expect(await schemaOf(instance.copy.database.url)).toEqual(
        await schemaOf(instance.app.config.databaseUrl),
      );
      expect(Object.keys(before.refs).length).toBe(summaryOf(created).repositories);
      const again = await backup(['restore'], { on: 'copy' });
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('use --replace')]);
    },
    TIME_MS,
  );

  it(
    'writes only what has changed since, and restores it over what is there',
    async () => {
      const first = summaryOf(await backup(['create', '--json']));
      const project = await makeProject(instance.app, {
        namespaceId: instance.namespaceId,
        files: { 'new.txt': 'new\n' },
      });
      // A push that is under way.
      await instance.app.dataSource.query(
        `INSERT INTO inflight_writes (id, repository_key, repository_kind, container_id, instance, commands)
       VALUES (gen_random_uuid(), $1, 'project', $2, 'other', '[{"ref": "refs/heads/x"}]')`,
        [`project-${project.id}`, project.id],
      );
      const second = summaryOf(await backup(['create', '--json']));
      expect(second.repositories).toBe(first.repositories + 1);
      expect(second.written_bytes).toBeLessThan(first.bytes / 2);
      const storages = instance.copiedStorages;
      const stranger = join(storages['default']?.path ?? '', relativeRepositoryPath('wiki', 999));
      await mkdir(stranger, { recursive: true });
      const env = { SECRET_KEY: '' };
      const restored = await backup(['restore', '--replace', second.id], { on: 'copy', env });
      expect([restored.code, restored.stderr]).toEqual([
        0,
        expect.not.stringContaining('guildhall:'),
      ]);
      const kept = await readdir(instance.copy.dataDir);
      expect(kept.filter((name) => name.startsWith('secret_key.replaced-'))).toHaveLength(1);
      expect(await refsOf(storages)).toEqual(await refsOf(instance.app.config.storages));
      const path = relativeRepositoryPath('project', project.id);
      expect(Object.keys(await refsOf(storages))).toContain(`${project.storage}:${path}`);
      const { inflight_writes: writes = '' } = await rowsOf(instance.copy.database.url);
      expect(writes).toMatch(/^1 /);
      const list = await backup(['list']);
      expect(list.stdout.split('\n').filter((line) => line.startsWith(second.id))).toHaveLength(1);
    },
    TIME_MS,
  );

  it(
    'refuses a wrong passphrase, another key, and storages that are not configured',
    async () => {
      const results = await Promise.all([
        backup(['list'], { env: { GUILDHALL_BACKUP_PASSPHRASE: 'another passphrase' } }),
        backup(['list'], { env: { GUILDHALL_BACKUP_PASSPHRASE: 'short' } }),
        backup(['list'], { env: { GUILDHALL_BACKUP_PASSPHRASE: '' } }),
        backup(['list', '--passphrase-file', join(instance.folder, 'none')]),
        backup(['list', '--passphrase-file', instance.folder]),
        backup(['list', '--store', instance.copy.dataDir]),
        backup(['list', '--store', join(instance.folder, 'none')]),
        backup(['restore', '--replace'], { on: 'copy', env: { SECRET_KEY: 'x'.repeat(40) } }),
        backup(['restore', '--replace'], {
          on: 'copy',
          env: { STORAGES: JSON.stringify({ other: { path: join(instance.folder, 'other') } }) },
        }),
        backup(['restore', '--replace']),
        backup(['verify', 'yesterday']),
        backup(['list', '--store', 'ftp://example.com']),
      ]);
      expect(
        results.map(({ code, stderr }) => [code, stderr.split(': ').slice(1).join(': ')]),
      ).toEqual([
        [1, 'the passphrase is wrong\n'],
        [1, expect.stringContaining('at least 12 characters')],
        [1, '--passphrase-file or GUILDHALL_BACKUP_PASSPHRASE is required\n'],
        [1, `cannot access ${join(instance.folder, 'none')}: no such file or directory\n`],
        [1, `cannot read ${instance.folder}: it is a folder\n`],
        [1, 'there are no backups at this location\n'],
        [1, `there is no folder ${join(instance.folder, 'none')}\n`],
        [1, expect.stringContaining('SECRET_KEY is not the one of the backup')],
        [1, 'STORAGES lacks storages of the backup: default\n'],
        [
          1,
          expect.stringMatching(
            /^\d+ other connections use the database: stop web and worker first/,
          ),
        ],
        [1, 'there is no backup yesterday\n'],
        [1, 'ftp://example.com must be a folder or s3://bucket/prefix\n'],
      ]);
      const secrets = await backup(['secrets']);
      expect(secrets.stdout).toContain(`SECRET_KEY=${instance.app.config.secretKey}\n`);
      expect((await backup(['prune', '--keep', '0'])).code).toBe(2);
    },
    TIME_MS,
  );

  it(
    'deletes old backups with the chunks that only they need, and writes damaged ones again',
    async () => {
      const passphraseFile = join(instance.folder, 'passphrase');
      await writeFile(passphraseFile, `${PASSPHRASE}\n`);
      const pruned = await backup(['prune', '--keep', '1', '--passphrase-file', passphraseFile], {
        env: { GUILDHALL_BACKUP_PASSPHRASE: '' },
      });
      expect(pruned.stdout).toMatch(/^Deleted 3 backups and \d+ chunks\n$/);
      expect((await backup(['verify'])).code).toBe(0);
      const [chunk = ''] = await instance.chunks();
      await damage(chunk);
      const damaged = await backup(['verify']);
      expect([damaged.code, damaged.stderr]).toEqual([
        1,
        expect.stringContaining(`chunk ${chunk.slice(-64)} is damaged`),
      ]);
      expect((await backup(['verify', '--delete-damaged'])).code).toBe(1);
      expect((await backup(['create'])).code).toBe(0);
      expect((await backup(['verify'])).code).toBe(0);
      const actions = await instance.app.dataSource.query<{ action: string }[]>(
        `SELECT DISTINCT action FROM audit_events WHERE target_type = 'Backup' ORDER BY 1`,
      );
      expect(actions.map(({ action }) => action)).toEqual([
        'backup_created',
        'backup_pruned',
        'backup_secrets_read',
      ]);
    },
    TIME_MS,
  );

  it('misses no repository of a storage that disappears during the backup', async () => {
    expect((await backup(['create'])).code).toBe(0);
    const database = new pg.Pool({ connectionString: instance.app.config.databaseUrl });
    const store = await openBackupStore(instance.folder, { env: {}, isNew: false });
    const archive = await BackupArchive.open(store, PASSPHRASE);
    const progress = new Progress({ stderr: () => undefined, isTerminal: false }, true);
    const storages = { default: { path: join(instance.folder, 'gone'), weight: 1 } };
    const source = { database, archive, storages, progress, previous: null };
    const project = await makeProject(instance.app, { namespaceId: instance.namespaceId });
    const container = { kind: 'project', id: project.id, storage: 'default' } as const;
    const dump = await dumpRepositories(source, [{ ...container, is_required: false }]);
    await database.end();
    const reasons = dump.failures.map(({ reason }) => reason);
    expect(reasons).toEqual(Array(3).fill('storage default is not available'));
  });

  it(
    'works on a bucket of an S3-compatible service',
    async () => {
      const { env, close } = await startBucket(join(instance.folder, 's3'));
      try {
        const created = summaryOf(await backup(['create', '--json'], { env }));
        const verified = await backup(['verify', created.id], { env });
        const again = summaryOf(await backup(['create', '--json'], { env }));
        expect(verified.stdout).toContain('is intact');
        expect(again.written_bytes).toBeLessThan(created.written_bytes / 2);
        const wrong = await backup(['list'], { env: { ...env, AWS_ACCESS_KEY_ID: 'wrong' } });
        const other = { ...env, GUILDHALL_BACKUP_STORE: 's3://elsewhere' };
        const absent = await backup(['list'], { env: other });
        expect([wrong.code, absent.code]).toEqual([1, 1]);
        expect((await backup(['prune', '--keep', '1'], { env })).code).toBe(0);
      } finally {
        await close();
      }
    },
    TIME_MS,
  );
});
