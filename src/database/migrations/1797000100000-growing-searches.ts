import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of the trigram indexes by table, before and after. */
const SEARCHED = {
  projects: [
    ['name', 'path'],
    ['name', 'path', 'description'],
  ],
  namespaces: [
    ['name', 'path'],
    ['name', 'path', 'full_path'],
  ],
  issues: [['title'], ['title', 'description']],
  merge_requests: [['title'], ['title', 'description']],
} as const;

/** Every column that a list is searched in has an index, since one without makes the others useless. */
export class GrowingSearches1797000100000 implements MigrationInterface {
  name = 'GrowingSearches1797000100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Users have a namespace each, so that few of those with a word are groups.
    await queryRunner.query(`
      CREATE INDEX "ix_namespaces_group_search" ON "namespaces"
        USING gin ("name" gin_trgm_ops, "path" gin_trgm_ops) WHERE "kind" = 'group';
      CREATE INDEX "ix_users_public_email" ON "users" (lower("public_email"))
        WHERE "public_email" <> ''`);
    await recreate(queryRunner, ([, after]) => after);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await recreate(queryRunner, ([before]) => before);
    await queryRunner.query(
      'DROP INDEX "ix_users_public_email"; DROP INDEX "ix_namespaces_group_search"',
    );
  }
}

type Columns = readonly string[];

/** All are built before the first is replaced: dropping an index keeps readers out until the end. */
async function recreate(
  queryRunner: QueryRunner,
  choose: (versions: readonly [before: Columns, after: Columns]) => Columns,
): Promise<void> {
  const tables = Object.entries(SEARCHED);
  for (const [table, versions] of tables) {
    const list = choose(versions).map((column) => `"${column}" gin_trgm_ops`);
    await queryRunner.query(
      `CREATE INDEX "ix_${table}_search_new" ON "${table}" USING gin (${list.join(', ')})`,
    );
  }
  for (const [table] of tables) {
    await queryRunner.query(`DROP INDEX "ix_${table}_search";
      ALTER INDEX "ix_${table}_search_new" RENAME TO "ix_${table}_search"`);
  }
}
