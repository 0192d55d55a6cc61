import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Expression indexes for the prefix matches that a search ranks first. */
const INDEXES = [
  { name: 'ix_users_name_prefix', table: 'users', column: 'name' },
  { name: 'ix_users_username_prefix', table: 'users', column: 'username' },
  { name: 'ix_projects_name_prefix', table: 'projects', column: 'name' },
  { name: 'ix_projects_path_prefix', table: 'projects', column: 'path' },
  { name: 'ix_groups_name_prefix', table: 'namespaces', column: 'name' },
  { name: 'ix_groups_path_prefix', table: 'namespaces', column: 'path' },
] as const;

/**
 * Indexes for prefixes of names, without regard to case and in the C collation, which keeps equal
 * prefixes together in databases of any locale; and one for the newest groups.
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
