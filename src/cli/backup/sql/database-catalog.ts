import type pg from 'pg';
import type { RepositoryKind } from '../../../git/repository-path.js';
import type { LateWrite, PartitionDump, SequenceDump } from '../manifest.js';

/** A connection, or a pool of them. */
export type Queryable = Pick<pg.Pool, 'query'>;

/** A table that has rows of its own: partitions, not the tables that they belong to. */
export interface CatalogTable {
  name: string;
  columns: string[];
  bytes: number;
}

/** A project, snippet or group with the storage of its repositories. */
export interface BackedUpContainer {
  kind: 'project' | 'snippet' | 'group';
  id: number;
  storage: string;
  /** The repository of its own kind must be there. */
  is_required: boolean;
}

const BACKUP_LOCK_SQL = `SELECT pg_try_advisory_lock(hashtext('guildhall backup')) AS taken,
  md5(concat_ws(' ', pg_postmaster_start_time() AT TIME ZONE 'UTC', inet_server_addr(),
    inet_server_port(), current_database())) AS owner`;

/** Text that every server reads alike. */
const TEXT_FORMAT_SQL = `SET datestyle = ISO; SET intervalstyle = postgres; SET timezone = 'UTC';
  SET extra_float_digits = 3; SET bytea_output = hex; SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '1min'`;

/** Rows that transactions of this many later IDs can still commit after the snapshot. */
const LATE_UPDATES = 10_000;

/**
 * Takes the lock of backups until the connection ends, and returns a name of this running database
 * that no copy of it has; null when another connection has the lock.
 */
export async function takeBackupLock(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ taken: boolean; owner: string }>(BACKUP_LOCK_SQL);
  return rows[0]?.taken === true ? rows[0].owner : null;
}

export async function setTextFormat(client: pg.Client): Promise<void> {
  await client.query(TEXT_FORMAT_SQL);
}

/**
 * Begins the transaction whose snapshot the backup is, with a lock on each table that keeps
 * partitions from being dropped meanwhile, and returns the time of the snapshot.
 */
export async function beginSnapshot(client: pg.Client): Promise<Date> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const tables = await listTables(client);
  const names = tables.map(({ name }) => client.escapeIdentifier(name));
  if (names.length > 0) await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
  return rows[0]?.now ?? new Date();
}

export async function listTables(client: pg.Client): Promise<CatalogTable[]> {
  const { rows } = await client.query<CatalogTable>(
    `SELECT c.relname::text AS name, pg_table_size(c.oid)::float8 AS bytes,
       (SELECT coalesce(array_agg(a.attname::text ORDER BY a.attnum), '{}') FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attgenerated = '') AS columns
     FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
     ORDER BY c.relname`,
  );
  return rows;
}

export async function listPartitions(client: pg.Client): Promise<PartitionDump[]> {
  const { rows } = await client.query<PartitionDump>(
    `SELECT c.relname::text AS name, p.relname::text AS parent,
       pg_get_expr(c.relpartbound, c.oid) AS bounds
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relispartition
     ORDER BY c.relname`,
  );
  return rows;
}

/** Sequences count outside of transactions: read them after the rows that they have numbered. */
export async function listSequences(client: pg.Client): Promise<SequenceDump[]> {
  const { rows } = await client.query<SequenceDump>(
    `SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() ORDER BY 1`,
  );
  return rows;
}

export async function listContainers(client: pg.Client): Promise<BackedUpContainer[]> {
  const { rows } = await client.query<BackedUpContainer>(
    `SELECT 'project' AS kind, id::float8 AS id, repository_storage AS storage,
       NOT empty_repo AND NOT pending_delete AS is_required FROM projects
     UNION ALL SELECT 'snippet', id::float8, repository_storage, has_repository FROM snippets
     UNION ALL SELECT 'group', id::float8, repository_storage, false FROM groups
     ORDER BY kind, id`,
  );
  return rows;
}

/** Storage of a container at this moment; null when it is deleted. */
export async function findStorage(
  client: Queryable,
  { kind, id }: Pick<BackedUpContainer, 'kind' | 'id'>,
): Promise<string | null> {
  const { rows } = await client.query<{ storage: string }>(
    `SELECT repository_storage AS storage FROM ${kind}s WHERE id = $1`,
    [id],
  );
  return rows[0]?.storage ?? null;
}

/** Trash of a deleted repository by its key; null when there is none. */
export async function findInTrash(
  client: Queryable,
  key: string,
): Promise<{ storage: string; path: string } | null> {
  const { rows } = await client.query<{ storage: string; path: string }>(
    `SELECT storage, path FROM repository_trash
     WHERE path ~ ('^[+]svc/trash/' || $1 || '-deleted(-[0-9]+)?[.]git$')
     ORDER BY id DESC LIMIT 1`,
    [key],
  );
  return rows[0] ?? null;
}

/** The last ref update before the snapshot. */
export async function findLastUpdate(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT coalesce(max(id), 0)::float8 AS id FROM ref_updates`,
  );
  return rows[0]?.id ?? 0;
}

interface LateUpdate {
  id: string;
  repository_kind: RepositoryKind;
  container_id: number;
  user_id: number | null;
  ref: string;
  old_oid: string;
  new_oid: string;
}

/**
 * Returns the writes that have moved, or can have moved, refs since the snapshot, in the order in
 * which they did: those on record, then those in progress.
 */
export async function listLateWrites(client: pg.Client, lastUpdate: number): Promise<LateWrite[]> {
  // In progress before on record: what is recorded in between is then seen at least once.
  const running = await client.query<LateWrite>(
    `SELECT id, repository_kind, container_id::float8 AS container_id, user_id::float8 AS user_id,
       commands
     FROM inflight_writes WHERE commands IS NOT NULL ORDER BY started_at`,
  );
  const recorded = await client.query<LateUpdate>(
    `SELECT write_id AS id, repository_kind, container_id::float8 AS container_id,
       user_id::float8 AS user_id, ref, old_oid, new_oid
     FROM ref_updates WHERE id > $1 ORDER BY ref_updates.id`,
    [lastUpdate - LATE_UPDATES],
  );
  const writes = new Map<string, LateWrite>();
  for (const { ref, old_oid: oldOid, new_oid: newOid, ...write } of recorded.rows) {
    const known = writes.get(write.id) ?? { ...write, commands: [] };
    known.commands.push({ oldOid, newOid, ref });
    writes.set(write.id, known);
  }
  const late = running.rows.filter(({ id }) => !writes.has(id));
  return [...writes.values(), ...late];
}
