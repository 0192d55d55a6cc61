import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BackupArchive } from '../../src/cli/backup/backup-archive.js';
import { isKeyFile } from '../../src/cli/backup/backup-cipher.js';
import { type BackupStore, openBackupStore } from '../../src/cli/backup/backup-store.js';
import { DumpedFiles } from '../../src/cli/backup/dump-files.js';
import { ImmutableFiles, readFileList } from '../../src/cli/backup/file-list.js';
import { loadRepositories } from '../../src/cli/backup/load-repositories.js';
import { MANIFEST_VERSION, type Manifest, type Part } from '../../src/cli/backup/manifest.js';
import { StoreLock } from '../../src/cli/backup/store-lock.js';
import { Progress } from '../../src/cli/progress.js';
import { damage, PASSPHRASE } from '../support/backup-instance.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import type { CommandResult } from '../support/command.js';

let folder: string;
let store: BackupStore;
let lock: StoreLock;
let archive: BackupArchive;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-store-'));
  store = await openBackupStore(folder, { env: {}, isNew: true });
  lock = await StoreLock.take(store, 'this database');
  archive = await BackupArchive.open(store, PASSPHRASE, { lock, isNew: true });
});
afterEach(async () => {
  await lock.release();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a backup of one file with this content. */
async function save(
  id: string,
  content: string,
  { failures = [], path = 'HEAD' }: { failures?: Manifest['failures']; path?: string } = {},
) {
  const [files, lists, parts] = [new DumpedFiles(archive), archive.writer(), [] as Part[]];
  await files.writer.append(Buffer.from(content), parts);
  await files.add({ path, mode: 0o644, size: content.length, parts });
  await files.end();
  const chunk = parts[0]?.[0] ?? '';
  const list = await files.list(lists);
  await lists.flush();
  const repository = { kind: 'project' as const, container_id: 1, storage: 'default' };
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    id: `20260101T00000${id}Z-00000000`,
    snapshot_at: '2026-01-01T00:00:00.000Z',
    finished_at: '2026-01-01T00:00:00.000Z',
    guildhall_version: '0.0.0',
    database: { migrations: [], tables: [], partitions: [], sequences: [] },
    repositories: [
      { ...repository, bytes: content.length, chunks: [chunk], list, digest: files.digest() },
    ],
    late_writes: [],
    secrets: { SECRET_KEY: 'k' },
    failures,
    statistics: { rows: 0, bytes: content.length, written_bytes: 0 },
  };
  await archive.save(manifest);
  return { manifest, chunk };
}

const FAILURE = [{ repository: 'project-1', reason: 'is missing' }];

function fileOf(chunk: string): string {
  return join(folder, 'chunks', chunk.slice(0, 2), chunk);
}

/** Runs `guildhall backup` with a database that cannot be reached. */
function offline(args: string[]): Promise<CommandResult> {
  const database = { name: 'none', url: 'postgres://127.0.0.1:1/none' };
  const env = { GUILDHALL_BACKUP_STORE: folder, GUILDHALL_BACKUP_PASSPHRASE: PASSPHRASE };
  return runGuildhall(['backup', ...args], { env: cliEnvironment(database, folder, env) });
}

describe('the list of a repository with many files', () => {
  const folders = ['objects/0a', 'objects/0b', 'objects/ff', 'objects/pack'];
  const names = folders.flatMap((name) =>
    Array.from({ length: name === 'objects/pack' ? 1 : 7_000 }, (_, at) =>
      name === 'objects/pack' ? `${name}/pack-aa.pack` : `${name}/${String(at).padStart(38, '0')}`,
    ),
  );

  it('is written as it grows, and read folder by folder', async () => {
    const [files, lists] = [new DumpedFiles(archive), archive.writer()];
    for (const path of [...names, 'HEAD']) {
      const parts: Part[] = [];
      await files.writer.append(Buffer.from(path), parts);
      await files.add({ path, mode: 0o444, size: path.length, parts });
    }
    await files.end();
    const list = await files.list(lists);
    const read: string[] = [];
    for await (const { path, parts } of readFileList(archive, list)) {
      read.push(path);
      expect(files.chunks.has(parts[0]?.[0] ?? '')).toBe(true);
    }
    expect(read).toEqual([...names, 'HEAD']);
    const known = new ImmutableFiles(archive, list);
    // One that is new in the repository, and one that is no longer there.
    for (const [folder, count] of [
      ['objects/0a', 7_000],
      ['objects/0c', 0],
      ['objects/pack', 1],
    ]) {
      expect((await known.of(String(folder))).size).toBe(count);
    }
    await known.finish();
    expect(known.isReadable).toBe(true);
    await archive.deleteChunks([list.at(-1)?.[0] ?? '']);
    const damaged = new ImmutableFiles(await BackupArchive.open(store, PASSPHRASE), list);
    await damaged.finish();
    expect(damaged.isReadable).toBe(false);
  });
});

describe('the store of backups', () => {
  it('finds objects that stand for others', async () => {
    const [one, other] = [await save('1', 'one'), await save('2', 'other')];
    await copyFile(fileOf(one.chunk), fileOf(other.chunk));
    const [first, second] = [one, other].map(({ manifest }) =>
      join(folder, 'backups', manifest.id),
    );
    await copyFile(first ?? '', second ?? '');
    await expect(archive.chunk(other.chunk)).rejects.toThrow('is damaged');
    await expect(archive.manifest(other.manifest.id)).rejects.toThrow('is damaged');
    expect((await archive.newestReadable())?.id).toBe(one.manifest.id);
    const { stdout } = await offline(['list']);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringContaining('0 rows, 1 repository, '),
      `${other.manifest.id}: damaged`,
    ]);
  });

  it('fails where no folder can be made, instead of trying forever', async () => {
    const opened = openBackupStore('/proc/none/backups', { env: {}, isNew: true });
    await expect(opened).rejects.toMatchObject({ syscall: 'mkdir' });
  });

  it('lists backups of another format, which it cannot read', async () => {
    const { manifest } = await save('1', 'one');
    const version = 2 as unknown as typeof MANIFEST_VERSION;
    const id = '20260101T000002Z-00000000';
    await archive.save({ ...manifest, id, version });
    const { code, stdout } = await offline(['list']);
    expect([code, stdout.trim().split('\n')]).toEqual([
      0,
      [expect.stringContaining(`${manifest.id}: 0 rows`), `${id}: format 2`],
    ]);
    const { stderr } = await offline(['verify', id]);
    expect(stderr).toContain(
      `backup ${id} has format 2: restore it with the version that made it, and give new backups another location`,
    );
  });

  it('reads a chunk once for all who want it at a time, and again after a failure', async () => {
    const { chunk } = await save('1', 'one');
    const name = `chunks/${chunk.slice(0, 2)}/${chunk}`;
    const content = await readFile(fileOf(chunk));
    const reader = await BackupArchive.open(store, PASSPHRASE);
    await rm(fileOf(chunk));
    await expect(reader.chunk(chunk)).rejects.toThrow(`chunk ${chunk} is missing`);
    await store.put(name, content);
    const [one, other] = await Promise.all([reader.chunk(chunk), reader.chunk(chunk)]);
    expect(one).toBe(other);
  });

  it('never replaces a key that is lost', async () => {
    await save('1', 'one');
    await rm(join(folder, 'key.json'));
    const opened = BackupArchive.open(store, PASSPHRASE, { lock, isNew: true });
    await expect(opened).rejects.toThrow('key.json is missing at the location');
    expect(await readdir(folder)).not.toContain('key.json');
  });

  it('bounds the work that its key asks for', async () => {
    const file = JSON.parse(await readFile(join(folder, 'key.json'), 'utf8')) as {
      kdf: Record<string, number>;
    };
    const changes = [{}, { N: 2 ** 24 }, { r: 2 ** 20 }, { p: 1000 }, { N: 3 }, { N: 0 }];
    const results = changes.map((change) =>
      isKeyFile({ ...file, kdf: { ...file.kdf, ...change } }),
    );
    expect(results).toEqual([true, false, false, false, false, false]);
    await writeFile(join(folder, 'key.json'), '{"version":1}');
    await expect(BackupArchive.open(store, PASSPHRASE)).rejects.toThrow('has another format');
  });

  it('is locked against other databases until their command ends or dies', async () => {
    await expect(StoreLock.take(store, 'a standby')).rejects.toThrow('another instance uses');
    // The same database has found out by its own lock that the holder is dead.
    const next = await StoreLock.take(store, 'this database');
    expect(await readdir(join(folder, 'locks'))).toHaveLength(1);
    await next.release();
    const old = { owner: 'a standby', host: 'a', refreshed_at: '2026-01-01T00:00:00.000Z' };
    await store.put('locks/old', Buffer.from(JSON.stringify(old)));
    await (await StoreLock.take(store, 'this database')).release();
    expect(await readdir(join(folder, 'locks'))).toEqual([]);
  });

  it('keeps complete backups by number, and their content', async () => {
    const saved = [
      await save('1', 'one'),
      await save('2', 'two'),
      await save('3', 'three', { failures: FAILURE }),
    ];
    const [oldest, complete, incomplete] = saved.map(({ manifest }) => manifest.id);
    expect(await archive.prune(2)).toEqual({ backups: [], chunks: 0, damaged: [] });
    expect(await archive.prune(1)).toEqual({ backups: [oldest], chunks: 2, damaged: [] });
    expect(await archive.ids()).toEqual([complete, incomplete]);
    await damage(join(folder, 'backups', incomplete ?? ''));
    expect(await archive.prune(1)).toEqual({ backups: [], chunks: 0, damaged: [incomplete] });
  });

  it('restores an incomplete backup only by its ID', async () => {
    const { manifest } = await save('1', 'one', { failures: FAILURE });
    const results = [await offline(['restore']), await offline(['verify'])];
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, expect.stringContaining('project-1: is missing\nName the ID of the backup to restore')],
      [1, expect.stringContaining(`missing in the backup ${manifest.id}`)],
    ]);
    expect((await offline(['list'])).stdout).toContain('incomplete: 1 repository failed\n');
    const secrets = await offline(['secrets']);
    expect([secrets.stdout, secrets.stderr]).toEqual([
      'SECRET_KEY=k\n',
      expect.stringContaining('Not recorded in the audit log: the database cannot be reached'),
    ]);
  });

  it('has no backup without the chunks that were deleted meanwhile', async () => {
    const { chunk } = await save('1', 'one');
    await rm(fileOf(chunk));
    await expect(save('2', 'one')).rejects.toThrow('1 chunks have disappeared');
    expect(await archive.ids()).toHaveLength(1);
  });

  it.each(['../../outside', '/etc/outside', 'objects//x', 'a\0b'])(
    'writes no file at %j',
    async (path) => {
      const { manifest } = await save('1', 'one', { path });
      const storages = { default: { path: join(folder, 'storage'), weight: 1 } };
      const progress = new Progress({ stderr: () => undefined, isTerminal: false }, true);
      const loaded = loadRepositories(storages, { archive, manifest, progress });
      await expect(loaded).rejects.toThrow('the backup has a file named');
      expect(await readdir(join(folder, 'storage', '+svc', 'tmp'))).toEqual([]);
    },
  );
});
