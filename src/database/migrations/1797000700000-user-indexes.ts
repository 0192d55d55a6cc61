import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Memberships of projects, which lists of users without projects read beside the index of users, and
 * the few users that are bots.
 */
export class UserIndexes1797000700000 implements MigrationInterface {
  name = 'UserIndexes1797000700000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX "ix_members_user_of_project" ON "members" ("user_id") WHERE "project_id" IS NOT NULL;
      CREATE INDEX "ix_users_bots" ON "users" ("id") WHERE "user_type" <> 'human'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "ix_members_user_of_project"; DROP INDEX "ix_users_bots"');
  }
}
