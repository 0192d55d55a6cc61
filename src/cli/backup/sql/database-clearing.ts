import type pg from 'pg';

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
export type Occupancy = 'empty' | 'ours without accounts' | 'ours' | 'foreign';

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
