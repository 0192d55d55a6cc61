import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACTIVITY } from './baseline/activity.js';
import { ALERTS } from './baseline/alerts.js';
import { CREDENTIALS } from './baseline/credentials.js';
import { ERROR_TRACKING } from './baseline/error-tracking.js';
import { INSTANCE } from './baseline/instance.js';
import { NOTIFICATIONS } from './baseline/notifications.js';
import { PEOPLE } from './baseline/people.js';
import { PLANNING } from './baseline/planning.js';
import { PROJECTS } from './baseline/projects.js';
import { STORAGES } from './baseline/storages.js';

/** Each refers to tables of those before it only. */
const PARTS = [
  ...PEOPLE,
  PROJECTS,
  ...CREDENTIALS,
  ...INSTANCE,
  ...STORAGES,
  PLANNING,
  ...ALERTS,
  ...ACTIVITY,
  NOTIFICATIONS,
  ...ERROR_TRACKING,
];

/** The last migration of those that the baseline replaces. */
const REPLACED = 'AlertEmailDigests1795811600000';

/** The schema of the first release. */
export class Baseline1795900000000 implements MigrationInterface {
  name = 'Baseline1795900000000';

  /** Does nothing to a database that the replaced migrations brought to the same schema. */
  async up(queryRunner: QueryRunner): Promise<void> {
    const replaced = await queryRunner.manager.query<unknown[]>(
      'SELECT FROM "schema_migrations" WHERE "name" = $1',
      [REPLACED],
    );
    if (replaced.length > 0) return;
    for (const part of PARTS) await queryRunner.query(part);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const tables = await queryRunner.manager.query<{ list: string }[]>(`
      SELECT string_agg(format('%I', "tablename"), ', ') AS "list" FROM "pg_tables"
      WHERE "schemaname" = current_schema() AND "tablename" <> 'schema_migrations'`);
    const functions = await queryRunner.manager.query<{ list: string }[]>(`
      SELECT string_agg("oid"::regprocedure::text, ', ') AS "list" FROM "pg_proc"
      WHERE "pronamespace" = current_schema()::regnamespace`);
    await queryRunner.query(`DROP TABLE ${tables[0]?.list ?? ''} CASCADE`);
    await queryRunner.query(`DROP FUNCTION ${functions[0]?.list ?? ''}`);
  }
}
