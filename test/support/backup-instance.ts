import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import pg from 'pg';
import { type OwnTestApp, startTestApp } from './app.js';
import { makeBusyProject } from './busy-project.js';
import { cliEnvironment, runGuildhall } from './cli.js';
import type { CommandResult } from './command.js';
import { makeDataDir } from './config.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { makeAdmin, unique } from './factories.js';
import { blackPng } from './images.js';
import { cloneOf } from './pushed-repository.js';
import { makeGroup, makeProject } from './project-factories.js';
import { makeSnippet } from './snippet-factories.js';

export const PASSPHRASE = 'only for tests, only for tests';

interface Options {
  env?: Record<string, string>;
  on?: 'source' | 'copy';
}

/** A running instance with content, a folder for its backups, and an empty instance to restore into. */
export class BackupInstance {
  private constructor(
    readonly app: OwnTestApp,
    readonly folder: string,
    readonly copy: { database: TestDatabase; dataDir: string },
    readonly namespaceId: number,
  ) {}

  static async start(): Promise<BackupInstance> {
    const app = await startTestApp();
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-backup-'));
    const copy = { database: await createTestDatabase(), dataDir: await makeDataDir() };
    return new BackupInstance(app, folder, copy, await fill(app));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.copy.database.drop();
    await rm(this.copy.dataDir, { recursive: true, force: true });
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs `guildhall backup` on the instance, or on the one to restore into. */
  backup(args: string[], { env = {}, on = 'source' }: Options = {}): Promise<CommandResult> {
    const { queuePrefix: name, databaseUrl: url, dataDir } = this.app.config;
    const store = {
      GUILDHALL_BACKUP_STORE: this.folder,
      GUILDHALL_BACKUP_PASSPHRASE: PASSPHRASE,
    };
    const environment =
      on === 'source'
        ? cliEnvironment({ name, url }, dataDir, { ...store, ...env })
        : cliEnvironment(this.copy.database, this.copy.dataDir, { ...store, ...env });
    return runGuildhall(['backup', ...args], { env: environment });
  }

  /** Runs a statement on the database of the empty instance. */
  async onCopy(statement: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.copy.database.url });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(statement);
      return rows;
    } finally {
      await client.end();
    }
  }

  get copiedStorages(): Record<string, { path: string; weight: number }> {
    const storages = ['default', 'storage2'];
    const { dataDir } = this.copy;
    return Object.fromEntries(
      storages.map((name) => [name, { path: join(dataDir, 'storages', name), weight: 1 }]),
    );
  }

  /** Paths of the files of all chunks. */
  async chunks(): Promise<string[]> {
    const root = join(this.folder, 'chunks');
    const names = await readdir(root, { recursive: true });
    return names.filter((name) => name.includes('/')).map((name) => join(root, name));
  }
}

/** Flips one bit in the middle of a file. */
export async function damage(path: string): Promise<void> {
  const content = await readFile(path);
  const middle = Math.floor(content.length / 2);
  content[middle] = (content[middle] ?? 0) ^ 1;
  await writeFile(path, content);
}

/** Starts an S3-compatible service, and returns the environment for its bucket. */
export async function startBucket(
  directory: string,
): Promise<{ env: Record<string, string>; close: () => Promise<void> }> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    // It computes the signature of a bucket's path without the slash that S3 signs.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: 'backups', configs: [] }],
  });
  const { port } = await server.run();
  const env = {
    GUILDHALL_BACKUP_STORE: `s3://backups/${unique('guild')}`,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  };
  return { env, close: () => server.close() };
}

/** Rows of most tables, packed and loose objects, hidden refs, a snippet and an avatar. */
async function fill(app: OwnTestApp): Promise<number> {
  const { user, api } = await makeAdmin(app);
  const { id: namespaceId } = await makeGroup(app);
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
  return namespaceId;
}
