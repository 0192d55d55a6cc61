import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns that are searched for parts of their text, by table. */
const SEARCHED = {
  projects: ['name', 'path'],
  namespaces: ['name', 'path'],
  users: ['name', 'username'],
  issues: ['title'],
  merge_requests: ['title'],
  milestones: ['title'],
  snippets: ['title'],
};

/** Trigram indexes, which find names and titles by any part of them. */
export class SearchIndexes1796000063000 implements MigrationInterface {
  name = 'SearchIndexes1796000063000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // A trusted extension: the owner of the database may create it.
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS "pg_trgm"');
    for (const [table, columns] of Object.entries(SEARCHED)) {
      const list = columns.map((column) => `"${column}" gin_trgm_ops`).join(', ');
      await queryRunner.query(
        `CREATE INDEX "ix_${table}_search" ON "${table}" USING gin (${list})`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of Object.keys(SEARCHED)) {
      await queryRunner.query(`DROP INDEX "ix_${table}_search"`);
    }
    await queryRunner.query('DROP EXTENSION "pg_trgm"');
  }
}
