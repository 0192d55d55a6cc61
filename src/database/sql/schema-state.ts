import pg from 'pg';
import { StartError } from '../../core/process.js';
import { MIGRATION_NAMES } from '../database.module.js';

/** The migrations that a database has, by name. */
export const APPLIED_MIGRATIONS_SQL = 'SELECT name FROM schema_migrations ORDER BY timestamp';

const UNDEFINED_TABLE = '42P01';
const TIMEOUT_MS = 10_000;

/** The migrations of this build compared with those of a database. */
interface SchemaState {
  /** Of this build, not applied. */
  missing: string[];
  /** Applied by a newer build; migrations are additive, so this build works with them. */
  newer: string[];
}

/** Reads which migrations a database has. Rejects when the database cannot be reached. */
export async function readSchemaState(databaseUrl: string): Promise<SchemaState> {
  const applied = await readApplied(databaseUrl);
  return {
    missing: MIGRATION_NAMES.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !MIGRATION_NAMES.includes(name)),
  };
}

/** Throws StartError unless the database can be reached and has all migrations. */
export async function assertMigrated(databaseUrl: string): Promise<void> {
  const { missing } = await readSchemaState(databaseUrl).catch((error: unknown) => {
    throw new StartError(`the database cannot be reached: ${reasonOf(error)}`);
  });
  if (missing.length === 0) return;
  const isEmpty = missing.length === MIGRATION_NAMES.length;
  const problem = isEmpty ? 'the database is empty' : `the database lacks ${missing.join(', ')}`;
  throw new StartError(`${problem}: run \`guildhall migrate\``);
}

async function readApplied(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(APPLIED_MIGRATIONS_SQL);
    return rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return [];
    throw error;
  } finally {
    await client.end();
  }
}

/** Trying several addresses of one host fails with an error that holds all of them. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const [line = ''] = (first instanceof Error ? first.message : String(first)).split('\n');
  return line;
}
