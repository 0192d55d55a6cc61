import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the search ranks first: names that begin like it. */
const INDEXES = [
  { name: 'ix_users_name_beginning', table: 'users', column: 'name' },
  { name: 'ix_users_username_beginning', table: 'users', column: 'username' },
  { name: 'ix_projects_name_beginning', table: 'projects', column: 'name' },
  { name: 'ix_projects_path_beginning', table: 'projects', column: 'path' },
  { name: 'ix_groups_name_beginning', table: 'namespaces', column: 'name' },
  { name: 'ix_groups_path_beginning', table: 'namespaces', column: 'path' },
] as const;

/**
 * Indexes of names without case in the order of their characters, where names that begin alike lie
 * together whatever the language of the database, and one for the newest groups.
 */
export class NameBeginnings1797000800000 implements MigrationInterface {
  name = 'NameBeginnings1797000800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { name, table, column } of INDEXES) {
      const groups = table === 'namespaces' ? ` WHERE "kind" = 'group'` : '';
      await queryRunner.query(
        `CREATE INDEX "${name}" ON "${table}" ((lower("${column}") COLLATE "C"), "id" DESC)${groups}`,
      );
    }
    await queryRunner.query(
      `CREATE INDEX "ix_groups_created_at" ON "namespaces" ("created_at", "id") WHERE "kind" = 'group'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const names = [...INDEXES.map(({ name }) => name), 'ix_groups_created_at'];
    for (const name of names) await queryRunner.query(`DROP INDEX "${name}"`);
  }
}
