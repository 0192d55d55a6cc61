import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { StoragesConfig } from '../../src/config/services.js';
import { runCommand } from './command.js';

/** Text by the name of a table (its rows) or the path of a repository (its HEAD and refs). */
export type Content = Record<string, string>;

/** Every row of every table, as digests of sorted text; the sequences with their values. */
export async function rowsOf(databaseUrl: string): Promise<Content> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`SET timezone = 'UTC'`);
    const content: Content = {};
    for (const name of await tablesOf(client)) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM "${name}" t ORDER BY 1`,
      );
      const text = rows.map(({ row }) => row).join('\n');
      content[name] = `${rows.length} ${createHash('sha256').update(text).digest('hex')}`;
    }
    const { rows } = await client.query<{ name: string; value: string }>(
      `SELECT sequencename AS name, coalesce(last_value::text, '') AS value FROM pg_sequences`,
    );
    for (const { name, value } of rows) content[name] = value;
    return content;
  } finally {
    await client.end();
  }
}

/** Columns, constraints and indexes of every table, as PostgreSQL describes them. */
export async function schemaOf(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(
      `SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS line
         FROM pg_constraint WHERE connamespace = 'public'::regnamespace
       UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
       UNION ALL SELECT tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text FROM pg_trigger
         WHERE NOT tgisinternal
       UNION ALL SELECT c.relname || ' ' || pg_get_expr(relpartbound, oid) FROM pg_class c
         WHERE relispartition AND relkind = 'r'
       ORDER BY 1`,
    );
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** HEAD and every ref of every repository; throws unless all objects are there and sound. */
export async function refsOf(storages: StoragesConfig): Promise<Content> {
  const content: Content = {};
  for (const [storage, { path: root }] of Object.entries(storages)) {
    const names = await readdir(root, { recursive: true, withFileTypes: true });
    const repositories = names
      .filter(({ name, parentPath }) => name.endsWith('.git') && !parentPath.includes('+svc'))
      .map(({ name, parentPath }) => join(parentPath, name));
    for (const path of repositories) {
      const head = await git(path, 'symbolic-ref', 'HEAD');
      const refs = await git(path, 'for-each-ref', '--format=%(objectname) %(refname)');
      await git(path, 'fsck', '--strict', '--no-dangling');
      content[`${storage}:${path.slice(root.length + 1)}`] = `${head}${refs}`;
    }
  }
  return content;
}

async function git(path: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand('git', args, { cwd: path });
  if (code !== 0) throw new Error(`git ${args.join(' ')} in ${path}: ${stderr}`);
  return stdout;
}
