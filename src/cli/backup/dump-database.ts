import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { APPLIED_MIGRATIONS_SQL } from '../../database/sql/applied-migrations.js';
import type { Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import type { DatabaseDump, TableDump } from './manifest.js';
import {
  type BackedUpContainer,
  beginSnapshot,
  type CatalogTable,
  findLastUpdate,
  listContainers,
  listPartitions,
  listSequences,
  listTables,
} from './sql/database-catalog.js';

const UNDEFINED_TABLE = '42P01';
const ATTEMPTS = 3;

/** A consistent point of the database, and what the repositories are read by. */
export interface DatabaseSnapshot {
  at: Date;
  dump: DatabaseDump;
  containers: BackedUpContainer[];
  lastUpdate: number;
}

/** Copies every row of one snapshot. The connection has `setTextFormat`. */
export async function dumpDatabase(
  client: pg.Client,
  archive: BackupArchive,
  progress: Progress,
): Promise<DatabaseSnapshot> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const at = await beginSnapshot(client);
      return { at, ...(await dumpSnapshot(client, archive, progress)) };
    } catch (error) {
      // A partition can be dropped between the snapshot and the locks.
      const isDropped = (error as { code?: unknown }).code === UNDEFINED_TABLE;
      if (!isDropped || attempt === ATTEMPTS) throw error;
    } finally {
      await client.query('ROLLBACK');
    }
  }
}

async function dumpSnapshot(
  client: pg.Client,
  archive: BackupArchive,
  progress: Progress,
): Promise<Omit<DatabaseSnapshot, 'at'>> {
  const lastUpdate = await findLastUpdate(client);
  const containers = await listContainers(client);
  const migrations = await client.query<{ name: string }>(APPLIED_MIGRATIONS_SQL);
  const partitions = await listPartitions(client);
  const tables: TableDump[] = [];
  const catalog = await listTables(client);
  progress.begin('Database', catalog.length, 'tables');
  for (const table of catalog) {
    tables.push(await dumpTable(client, archive, { table, progress }));
    progress.advance(1);
  }
  const sequences = await listSequences(client);
  progress.end();
  const names = migrations.rows.map(({ name }) => name);
  return { dump: { migrations: names, tables, partitions, sequences }, containers, lastUpdate };
}

async function dumpTable(
  client: pg.Client,
  archive: BackupArchive,
  { table, progress }: { table: CatalogTable; progress: Progress },
): Promise<TableDump> {
  const { name, columns } = table;
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const statement = `COPY ${client.escapeIdentifier(name)} (${list}) TO STDOUT`;
  const dump: TableDump = { name, columns, rows: 0, parts: [] };
  const writer = archive.writer();
  const stream = client.query(copyTo(statement));
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    await writer.append(bytes, dump.parts);
    progress.addBytes(bytes.length);
  }
  await writer.flush();
  return { ...dump, rows: stream.rowCount };
}
