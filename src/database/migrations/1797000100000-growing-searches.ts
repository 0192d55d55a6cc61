import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of the trigram indexes by table, before and after. */
const SEARCHED = {
  projects: [
    ['name', 'path'],
    ['name', 'path', 'description'],
  ],
  namespaces: [
    ['name', 'path'],
    ['name', 'path', 'full_path', 'full_name'],
  ],
  issues: [['title'], ['title', 'description']],
  merge_requests: [['title'], ['title', 'description']],
} as const;

/** Every column that a list is searched in has an index, since one without makes the others useless. */
export class GrowingSearches1797000100000 implements MigrationInterface {
  name = 'GrowingSearches1797000100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, [, columns]] of Object.entries(SEARCHED)) {
      await recreate(queryRunner, table, columns);
    }
    // Users have a namespace each, so that few of those with a word are groups.
    await queryRunner.query(`
      CREATE INDEX "ix_namespaces_group_search" ON "namespaces"
        USING gin ("name" gin_trgm_ops, "path" gin_trgm_ops) WHERE "kind" = 'group';
      CREATE INDEX "ix_users_public_email" ON "users" (lower("public_email"))
        WHERE "public_email" <> ''`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP INDEX "ix_users_public_email"; DROP INDEX "ix_namespaces_group_search"',
    );
    for (const [table, [columns]] of Object.entries(SEARCHED)) {
      await recreate(queryRunner, table, columns);
    }
  }
}

async function recreate(
  queryRunner: QueryRunner,
  table: string,
  columns: readonly string[],
): Promise<void> {
  const list = columns.map((column) => `"${column}" gin_trgm_ops`).join(', ');
  await queryRunner.query(
    `DROP INDEX "ix_${table}_search"; CREATE INDEX "ix_${table}_search" ON "${table}" USING gin (${list})`,
  );
}
