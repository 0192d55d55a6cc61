import { seconds } from './figures.js';

/** As many as two cores keep busy. */
export const LOAD_CONNECTIONS = 2;

/** What makes loading fast, although a crash would lose everything; undone at the end. */
const LOAD_SETTINGS = { fsync: 'off', max_wal_size: '8GB', checkpoint_timeout: '30min' };

const INDEXES_SQL = `
  SELECT quote_ident(c.relname) AS name,
    replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = ANY($1::regclass[]) AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid)`;

const FOREIGN_KEYS_SQL = `
  SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name,
    pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY($1::regclass[])`;

const SEQUENCES_SQL = `
  SELECT attrelid::regclass::text AS table FROM pg_attribute
  WHERE attrelid = ANY($1::regclass[]) AND attname = 'id' AND attidentity <> ''`;

/**
 * Fills tables without their secondary indexes, foreign keys and triggers, and makes them again
 * afterwards: PostgreSQL then checks every reference by joining whole tables. Nothing else may use
 * the tables meanwhile.
 * @param {import('pg').Pool} pool connections of a superuser
 * @param {ReadonlyMap<string, string>} fills statements by the table that they fill, in any order
 */
export async function bulkLoad(pool, fills) {
  const tables = [...fills.keys()];
  const given = [tables];
  await configure(pool, LOAD_SETTINGS);
  const { rows: indexes } = await pool.query(INDEXES_SQL, given);
  const { rows: keys } = await pool.query(FOREIGN_KEYS_SQL, given);
  for (const { table, name } of keys) {
    await pool.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  for (const { name } of indexes) await pool.query(`DROP INDEX ${name}`);
  for (const table of tables) await pool.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await timed('rows', () => inParallel(fills, ([table, text]) => logged(pool, table, text)));
  // Plans of the joins that check foreign keys need to know how large the tables are.
  await timed('statistics', () => inParallel(tables, (table) => pool.query(`ANALYZE ${table}`)));
  await timed('indexes', () =>
    inParallel(indexes, ({ name, definition }) => logged(pool, name, definition)),
  );
  await timed('references', async () => {
    for (const { table, name, definition } of keys) {
      await pool.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
  });
  const { rows: numbered } = await pool.query(SEQUENCES_SQL, given);
  for (const { table } of numbered) {
    await pool.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`,
    );
  }
  for (const table of tables) await pool.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await timed('vacuum', () =>
    inParallel(tables, (table) => pool.query(`VACUUM (FREEZE, ANALYZE) ${table}`)),
  );
  const defaults = Object.keys(LOAD_SETTINGS).map((name) => [name, 'DEFAULT']);
  await configure(pool, Object.fromEntries(defaults));
  await pool.query('CHECKPOINT');
}

/**
 * @param {import('pg').Pool} pool
 * @param {Record<string, string>} settings
 */
async function configure(pool, settings) {
  for (const [name, value] of Object.entries(settings)) {
    const text = value === 'DEFAULT' ? value : `'${value}'`;
    await pool.query(`ALTER SYSTEM SET ${name} = ${text}`);
  }
  await pool.query('SELECT pg_reload_conf()');
}

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => Promise<unknown>} work
 */
async function inParallel(items, work) {
  const waiting = [...items].values();
  const one = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: LOAD_CONNECTIONS }, one));
}

/**
 * @param {import('pg').Pool} pool
 * @param {string} name
 * @param {string} text
 */
async function logged(pool, name, text) {
  const duration = await seconds(() => pool.query(text));
  if (duration > 10) console.log(`    ${name}: ${duration.toFixed(0)} s`);
}

/**
 * @param {string} name
 * @param {() => Promise<unknown>} work
 */
async function timed(name, work) {
  console.log(`  ${name}: ${(await seconds(work)).toFixed(0)} s`);
}
