import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { S3mini } from 's3mini';
import type { Environment } from '../../config/env-reader.js';
import {
  makeDirectory,
  makeDirectoryDurably,
  pathExists,
  syncPath,
  writeNewFile,
} from '../../git/durable-file.js';
import { CliError } from '../cli.js';

/** Objects by key (`chunks/ab/abcd…`): a folder, or a bucket of an S3-compatible service. */
export interface BackupStore {
  /** Keys that begin with the prefix, in any order. */
  list(prefix: string): Promise<string[]>;
  /** Returns null when there is none. */
  get(key: string): Promise<Buffer | null>;
  /** Writes or replaces an object; it is complete and durable when this resolves, or absent. */
  put(key: string, content: Buffer): Promise<void>;
  delete(key: string): Promise<void>;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const S3_TIMEOUT_MS = 120_000;
const S3_ATTEMPTS = 4;
const S3_PAUSE_MS = 500;

/** Opens `s3://bucket/prefix`, else a folder, which is created if `isNew`. Throws CliError. */
export async function openBackupStore(
  location: string,
  { env, isNew }: { env: Environment; isNew: boolean },
): Promise<BackupStore> {
  if (location.startsWith('s3://')) return openBucket(location, env);
  if (/^\w+:\/\//.test(location)) {
    throw new CliError(`${location} must be a folder or s3://bucket/prefix`);
  }
  const root = resolve(location);
  if (isNew) await makeDirectory(root, 0o700);
  else if (!(await pathExists(root))) throw new CliError(`there is no folder ${root}`);
  return new FolderStore(root);
}

function openBucket(location: string, env: Environment): BackupStore {
  const [bucket = '', ...folders] = location.slice('s3://'.length).split('/').filter(Boolean);
  if (!BUCKET.test(bucket)) throw new CliError(`${location} must be s3://bucket/prefix`);
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (!accessKeyId || !secretAccessKey) {
    throw new CliError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required for s3://');
  }
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  const service = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const base = service ?? `https://s3.${region}.amazonaws.com`;
  const endpoint = `${base.endsWith('/') ? base.slice(0, -1) : base}/${bucket}`;
  if (!URL.canParse(endpoint)) throw new CliError('AWS_ENDPOINT_URL must be a URL');
  const access = { accessKeyId, secretAccessKey, region, endpoint };
  const client = new S3mini({ ...access, requestAbortTimeout: S3_TIMEOUT_MS });
  return new S3Store(client, folders.map((folder) => `${folder}/`).join(''));
}

class FolderStore implements BackupStore {
  constructor(private readonly root: string) {}

  async list(prefix: string): Promise<string[]> {
    try {
      const entries = await readdir(join(this.root, prefix), {
        recursive: true,
        withFileTypes: true,
      });
      return entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map((entry) => relative(this.root, join(entry.parentPath, entry.name)));
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }

  async get(key: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.root, key));
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async put(key: string, content: Buffer): Promise<void> {
    const path = join(this.root, key);
    const folder = dirname(path);
    await makeDirectoryDurably(folder);
    const temporary = join(folder, `.${randomBytes(8).toString('hex')}`);
    try {
      await writeNewFile(temporary, content);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncPath(folder);
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.root, key), { force: true });
  }
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

class S3Store implements BackupStore {
  constructor(
    private readonly client: S3mini,
    private readonly prefix: string,
  ) {}

  async list(prefix: string): Promise<string[]> {
    const objects = await attempt(() => this.client.listObjects('/', this.prefix + prefix));
    if (objects === null) throw new CliError(`there is no bucket at ${this.client.endpoint.href}`);
    return objects.map(({ Key }) => Key.slice(this.prefix.length));
  }

  async get(key: string): Promise<Buffer | null> {
    const content = await attempt(() => this.client.getObjectArrayBuffer(this.prefix + key));
    return content === null ? null : Buffer.from(content);
  }

  async put(key: string, content: Buffer): Promise<void> {
    await attempt(() => this.client.putObject(this.prefix + key, content));
  }

  async delete(key: string): Promise<void> {
    await attempt(() => this.client.deleteObject(this.prefix + key));
  }
}

/** Retries what a busy or restarted service refuses; other refusals end the command at once. */
async function attempt<T>(request: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await request();
    } catch (error) {
      const { status } = error as { status?: unknown };
      const isFinal = typeof status === 'number' && status < 500 && status !== 429;
      if (isFinal || count === S3_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, S3_PAUSE_MS * 2 ** count));
    }
  }
}
