import type { TestApp } from '../support/app.js';

type Database = Pick<TestApp, 'dataSource'>;

/** Columns that reading may touch: notes of use, which are no change of anything. */
const NOTES_OF_USE = `(CASE TG_TABLE_NAME
  WHEN 'access_tokens' THEN '{last_used_at}' WHEN 'users' THEN '{last_activity_on}' ELSE '{}' END)::text[]`;

/** From now on the database itself counts every changed row, in a table of the test's own. */
export async function watchChanges({ dataSource }: Database): Promise<void> {
  await dataSource.query(`
    CREATE TABLE changes_seen (table_name text NOT NULL);
    CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - ${NOTES_OF_USE} = to_jsonb(NEW) - ${NOTES_OF_USE} THEN
        RETURN NULL;
      END IF;
      INSERT INTO changes_seen VALUES (TG_TABLE_NAME);
      RETURN NULL;
    END $$;
    DO $$ DECLARE watched text; BEGIN
      -- A trigger of a partitioned table is made for its partitions as well.
      FOR watched IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname NOT IN ('changes_seen', 'schema_migrations', 'access_token_ips') LOOP
        EXECUTE format('CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON %I
          FOR EACH ROW EXECUTE FUNCTION note_change()', watched);
      END LOOP;
    END $$;`);
}

/** Rows changed since `watchChanges`. */
export async function countChanges({ dataSource }: Database): Promise<number> {
  const rows = await dataSource.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM changes_seen',
  );
  return rows[0]?.count ?? 0;
}
