import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import S3rver from '@20minutes/s3rver';
import { relativeRepositoryPath } from '../../src/git/repository-path.js';
import { type OwnTestApp, startTestApp } from '../support/app.js';
import { makeBusyProject } from '../support/busy-project.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import type { CommandResult } from '../support/command.js';
import { makeDataDir } from '../support/config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, unique } from '../support/factories.js';
import { blackPng } from '../support/images.js';
import { refsOf, rowsOf, schemaOf } from '../support/instance-content.js';
import { cloneOf } from '../support/pushed-repository.js';
import { makeGroup, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

const PASSPHRASE = 'only for tests, only for tests';
/** Each restore makes a schema. */
const TIME_MS = 180_000;
/** Rows that the commands themselves write after the snapshot, or before comparing. */
const OWN_ROWS = ['audit_events', 'audit_events_id_seq'];

let app: OwnTestApp;
let namespaceId: number;
let folder: string;
let copy: { database: TestDatabase; dataDir: string };
beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'guildhall-backup-'));
  copy = { database: await createTestDatabase(), dataDir: await makeDataDir() };
  await fill();
}, TIME_MS);
afterAll(async () => {
  await app.close();
  await copy.database.drop();
  await rm(copy.dataDir, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

/** Rows of most tables, packed and loose objects, hidden refs, a snippet and an avatar. */
async function fill(): Promise<void> {
  const { user, api } = await makeAdmin(app);
  const group = await makeGroup(app);
  namespaceId = group.id;
  await makeBusyProject(app, user);
  await makeSnippet(app, { authorId: user.id });
  const project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  const clone = await cloneOf(app, project);
  await clone.commit('ünïcode.txt', 'x'.repeat(100_000));
  await clone.git('tag', '-a', 'v1', '-m', 'one');
  await clone.git('push', '--quiet', 'origin', 'HEAD:refs/keep-around/one', 'HEAD:refs/heads/ö');
  await clone.push();
  await clone.sandbox.remove();
  await api.put('/user/avatar').attach('avatar', blackPng(20), 'me.png').expect(200);
  await eventually(async () => {
    const rows = await app.dataSource.query<unknown[]>('SELECT 1 FROM access_token_ips');
    return rows.length === 2;
  });
  await app.dataSource.query(
    `CREATE TABLE events_201901 PARTITION OF events FOR VALUES FROM ('2019-01-01') TO ('2019-02-01')`,
  );
}

interface Options {
  env?: Record<string, string>;
  on?: 'source' | 'copy';
}

function backup(args: string[], { env = {}, on = 'source' }: Options = {}): Promise<CommandResult> {
  const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
  const store = { GUILDHALL_BACKUP_STORE: folder, GUILDHALL_BACKUP_PASSPHRASE: PASSPHRASE };
  const environment =
    on === 'source'
      ? cliEnvironment({ name, url }, dataDir, { ...store, ...env })
      : cliEnvironment(copy.database, copy.dataDir, { ...store, ...env });
  return runGuildhall(['backup', ...args], { env: environment });
}

function withoutOwnRows(content: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !OWN_ROWS.includes(name)));
}

async function chunkFiles(): Promise<string[]> {
  const names = await readdir(join(folder, 'chunks'), { recursive: true });
  return names.filter((name) => name.includes('/')).map((name) => join(folder, 'chunks', name));
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

function storagesOf(dataDir: string): Record<string, { path: string; weight: number }> {
  const storages = ['default', 'storage2'];
  return Object.fromEntries(
    storages.map((name) => [name, { path: join(dataDir, 'storages', name), weight: 1 }]),
  );
}

describe('guildhall backup', () => {
  it(
    'restores every row and ref into an empty instance',
    async () => {
      const before = {
        rows: await rowsOf(app.config.databaseUrl),
        refs: await refsOf(app.config.storages),
      };
      const created = await backup(['create', '--json']);
      const verified = await backup(['verify']);
      const restored = await backup(['restore', '--json'], { on: 'copy' });
      expect([created.code, created.stderr, verified.code]).toEqual([0, '', 0]);
      expect([restored.code, restored.stderr]).toEqual([0, '']);
      expect(withoutOwnRows(await rowsOf(copy.database.url))).toEqual(withoutOwnRows(before.rows));
      expect(await refsOf(storagesOf(copy.dataDir))).toEqual(before.refs);
      expect(await schemaOf(copy.database.url)).toEqual(await schemaOf(app.config.databaseUrl));
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
      const project = await makeProject(app, { namespaceId, files: { 'new.txt': 'new\n' } });
      // A push that is under way.
      await app.dataSource.query(
        `INSERT INTO inflight_writes (id, repository_key, repository_kind, container_id, instance, commands)
       VALUES (gen_random_uuid(), $1, 'project', $2, 'other', '[{"ref": "refs/heads/x"}]')`,
        [`project-${project.id}`, project.id],
      );
      const second = summaryOf(await backup(['create', '--json']));
      expect(second.repositories).toBe(first.repositories + 1);
      expect(second.written_bytes).toBeLessThan(first.bytes / 2);
      const restored = await backup(['restore', '--replace', second.id], { on: 'copy' });
      expect([restored.code, restored.stderr]).toEqual([
        0,
        expect.not.stringContaining('guildhall:'),
      ]);
      const storages = storagesOf(copy.dataDir);
      expect(await refsOf(storages)).toEqual(await refsOf(app.config.storages));
      const path = relativeRepositoryPath('project', project.id);
      expect(Object.keys(await refsOf(storages))).toContain(`${project.storage}:${path}`);
      const { inflight_writes: writes = '' } = await rowsOf(copy.database.url);
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
        backup(['list', '--store', join(folder, 'none')]),
        backup(['restore', '--replace'], { on: 'copy', env: { SECRET_KEY: 'x'.repeat(40) } }),
        backup(['restore', '--replace'], {
          on: 'copy',
          env: { STORAGES: JSON.stringify({ other: { path: join(folder, 'other') } }) },
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
        [1, 'there are no backups at this location\n'],
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
      expect(secrets.stdout).toContain(`SECRET_KEY=${app.config.secretKey}\n`);
      expect((await backup(['prune', '--keep', '0'])).code).toBe(2);
    },
    TIME_MS,
  );

  it(
    'finds damage, and deletes old backups with the chunks that only they need',
    async () => {
      const passphraseFile = join(folder, 'passphrase');
      await writeFile(passphraseFile, `${PASSPHRASE}\n`);
      const pruned = await backup(['prune', '--keep', '1', '--passphrase-file', passphraseFile], {
        env: { GUILDHALL_BACKUP_PASSPHRASE: '' },
      });
      expect(pruned.stdout).toMatch(/^Deleted 2 backups and \d+ chunks\n$/);
      expect((await backup(['verify'])).code).toBe(0);
      const [chunk = ''] = await chunkFiles();
      const content = await readFile(chunk);
      const middle = Math.floor(content.length / 2);
      content[middle] = (content[middle] ?? 0) ^ 1;
      await writeFile(chunk, content);
      const damaged = await backup(['verify']);
      expect([damaged.code, damaged.stderr]).toEqual([
        1,
        expect.stringContaining(`chunk ${chunk.slice(-64)} is damaged`),
      ]);
    },
    TIME_MS,
  );

  it(
    'works on a bucket of an S3-compatible service',
    async () => {
      const server = new S3rver({
        port: 0,
        address: '127.0.0.1',
        silent: true,
        // It computes the signature of a bucket's path without the slash that S3 signs.
        allowMismatchedSignatures: true,
        directory: join(folder, 's3'),
        configureBuckets: [{ name: 'backups', configs: [] }],
      });
      const { port } = await server.run();
      const env = {
        GUILDHALL_BACKUP_STORE: `s3://backups/${unique('guild')}`,
        AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
        AWS_ACCESS_KEY_ID: 'S3RVER',
        AWS_SECRET_ACCESS_KEY: 'S3RVER',
      };
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
        await server.close();
      }
    },
    TIME_MS,
  );
});
