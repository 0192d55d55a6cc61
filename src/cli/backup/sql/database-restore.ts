import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { repositoryKey } from '../../../git/repository-path.js';
import type { LateWrite, Manifest, PartitionDump, SequenceDump, TableDump } from '../manifest.js';
import { listPartitions, listTables } from './database-catalog.js';

/** An object of the current schema, with the statement that drops it. */
interface SchemaObject {
  kind: 'relation' | 'routine' | 'type';
  name: string;
  is_owned: boolean;
  statement: string;
}

/** Relations before the routines and types that they use; what extensions have made is theirs. */
const OBJECTS_SQL = `
  WITH members AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e'),
  relations AS (
    SELECT 1 AS step, 'relation' AS kind, relname::text AS name, relowner AS owner,
      format('DROP %s IF EXISTS %I.%I CASCADE', CASE relkind WHEN 'v' THEN 'VIEW'
        WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE'
        ELSE 'TABLE' END, current_schema(), relname) AS statement
    FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace
      AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
      AND ('pg_class'::regclass::oid, oid) NOT IN (SELECT classid, objid FROM members)),
  routines AS (
    SELECT 2, 'routine', proname::text, proowner,
      format('DROP ROUTINE IF EXISTS %I.%I(%s) CASCADE', current_schema(), proname,
        pg_get_function_identity_arguments(oid))
    FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace
      AND ('pg_proc'::regclass::oid, oid) NOT IN (SELECT classid, objid FROM members)),
  types AS (
    SELECT 3, 'type', typname::text, typowner,
      format('DROP TYPE IF EXISTS %I.%I CASCADE', current_schema(), typname)
    FROM pg_type t
    WHERE typnamespace = current_schema()::regnamespace
      AND (typtype IN ('e', 'd', 'r')
        OR typtype = 'c' AND EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = t.typrelid AND relkind = 'c'))
      AND ('pg_type'::regclass::oid, oid) NOT IN (SELECT classid, objid FROM members))
  SELECT kind, name, pg_has_role(owner, 'USAGE') AS is_owned, statement
  FROM (TABLE relations UNION ALL TABLE routines UNION ALL TABLE types) AS objects
  ORDER BY step, name`;

/** Foreign programs have tables of the same name with other columns. */
const MIGRATIONS_SQL = `SELECT to_jsonb(m)->>'name' AS name FROM schema_migrations m`;

/** Content of a database, as far as it decides about deleting it. */
type Occupancy = 'empty' | 'ours without accounts' | 'ours' | 'foreign';

/** Compares the database with the migrations of this program. */
export async function readOccupancy(
  client: pg.Client,
  migrations: readonly string[],
): Promise<Occupancy> {
  const objects = await listObjects(client);
  const tables = objects.filter(({ kind }) => kind === 'relation').map(({ name }) => name);
  if (tables.length === 0) return 'empty';
  if (!tables.includes('schema_migrations')) return 'foreign';
  const { rows: applied } = await client.query<{ name: string | null }>(MIGRATIONS_SQL);
  if (!applied.some(({ name }) => migrations.includes(name ?? ''))) return 'foreign';
  if (!tables.includes('users')) return 'foreign';
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM users WHERE user_type = 'human') AS found`,
  );
  return rows[0]?.found === true ? 'ours' : 'ours without accounts';
}

/** Names of objects that this role cannot drop; the schema itself when it can create none there. */
export async function listObstacles(client: pg.Client): Promise<string[]> {
  const objects = await listObjects(client);
  const { rows } = await client.query<{ schema: string | null; is_open: boolean | null }>(
    `SELECT current_schema() AS schema, has_schema_privilege(current_schema(), 'CREATE') AS is_open`,
  );
  const { schema, is_open: isOpen } = rows[0] ?? { schema: null, is_open: false };
  const closed = isOpen === true ? [] : [`schema ${schema ?? 'of search_path'}`];
  return [...closed, ...objects.filter((object) => !object.is_owned).map(({ name }) => name)];
}

/** Deletes all tables, routines and types of the schema, which itself stays. */
export async function clearDatabase(client: pg.Client): Promise<void> {
  const statements = (await listObjects(client)).map(({ statement }) => statement);
  await client.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'));
}

async function listObjects(client: pg.Client): Promise<SchemaObject[]> {
  const { rows } = await client.query<SchemaObject>(OBJECTS_SQL);
  return rows;
}

/** A table constraint that is added again after the rows. */
interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Returns how many other connections the database has. */
export async function countOtherConnections(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND backend_type = 'client backend'`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Replaces all rows by those of the backup, in one transaction: foreign keys are checked at its end,
 * triggers do not run. `read` yields the bytes of a table. The schema is the backup's.
 */
export async function loadRows(
  client: pg.Client,
  { database, late_writes: lateWrites, snapshot_at: snapshotAt }: Manifest,
  load: (client: pg.Client, table: TableDump) => Promise<void>,
): Promise<void> {
  await client.query('BEGIN');
  try {
    const keys = await listForeignKeys(client);
    for (const { table, name } of keys) {
      await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`);
    }
    await arrangePartitions(client, database.partitions);
    const tables = (await listTables(client)).map(({ name }) => quoted(name));
    for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await client.query(`TRUNCATE ${tables.join(', ')}`);
    for (const table of database.tables) await load(client, table);
    for (const sequence of database.sequences) await setSequence(client, sequence);
    for (const { table, name, definition } of keys) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`);
    }
    for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    for (const [index, write] of lateWrites.entries()) {
      await addLateWrite(client, write, new Date(Date.parse(snapshotAt) + index + 1));
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  await client.query('ANALYZE');
}

/** Opens the stream that takes the rows of a table. */
export function openTable(
  client: pg.Client,
  { name, columns }: TableDump,
): ReturnType<typeof copyFrom> {
  const list = columns.map(quoted).join(', ');
  return client.query(copyFrom(`COPY ${quoted(name)} (${list}) FROM STDIN`));
}

async function listForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, conname::text AS name,
       pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace
     ORDER BY 1, 2`,
  );
  return rows;
}

/** Migrations make partitions for their own day, the backup has those of its time. */
async function arrangePartitions(
  client: pg.Client,
  wanted: readonly PartitionDump[],
): Promise<void> {
  const existing = await listPartitions(client);
  const isIn = (list: readonly PartitionDump[], { name }: PartitionDump): boolean =>
    list.some((other) => other.name === name);
  for (const partition of existing.filter((one) => !isIn(wanted, one))) {
    await client.query(`DROP TABLE ${quoted(partition.name)}`);
  }
  for (const { name, parent, bounds } of wanted.filter((one) => !isIn(existing, one))) {
    await client.query(`CREATE TABLE ${quoted(name)} PARTITION OF ${quoted(parent)} ${bounds}`);
  }
}

async function setSequence(client: pg.Client, { name, value }: SequenceDump): Promise<void> {
  if (value === null) await client.query(`SELECT setval($1::regclass, 1, false)`, [quoted(name)]);
  else await client.query(`SELECT setval($1::regclass, $2, true)`, [quoted(name), value]);
}

/**
 * Adds a write as that of a process that has died: the worker finds out which of its refs are in
 * the repositories and records them. `startedAt` puts the writes in order.
 */
async function addLateWrite(client: pg.Client, write: LateWrite, startedAt: Date): Promise<void> {
  const { id, repository_kind: kind, container_id: containerId, user_id: userId } = write;
  await client.query(
    `INSERT INTO inflight_writes (id, repository_key, repository_kind, container_id, user_id,
       instance, commands, started_at, heartbeat_at)
     SELECT $1::uuid, $2, $3, $4, $5, 'backup', jsonb_agg(command), $7, $7::timestamptz - interval '1 hour'
     FROM jsonb_array_elements($6::jsonb) AS command
     WHERE NOT EXISTS (SELECT 1 FROM ref_updates u
                       WHERE u.write_id = $1::uuid AND u.ref = command->>'ref')
     HAVING count(*) > 0
     ON CONFLICT (id) DO UPDATE
     SET commands = EXCLUDED.commands, started_at = EXCLUDED.started_at`,
    [
      id,
      repositoryKey(kind, containerId),
      kind,
      containerId,
      userId,
      JSON.stringify(write.commands),
      startedAt,
    ],
  );
}
